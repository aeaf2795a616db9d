/* The profile of the proxy itself, which reads what hostile commands and servers send: it opens no file, starts no
 * program and asks no service. It has read the files that it needs before. */
#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "seatbelt/rules.h"

int zs_seatbelt_proxy_profile_new(uint16_t port, struct zs_seatbelt_profile *ret_profile, struct zs_error *error)
{
	struct zs_seatbelt_writer writer = { 0 };

	zs_seatbelt_begin(&writer);
	zs_seatbelt_put_denials(&writer);
	zs_seatbelt_put(&writer, "(allow network-inbound (local tcp \"localhost:");
	zs_seatbelt_put_number(&writer, port);
	zs_seatbelt_put(&writer, "\"))\n"
				 "(allow network-outbound (remote tcp \"*:*\") (remote udp \"*:53\"))\n");
	if (writer.failure) {
		zs_seatbelt_profile_free(&writer.profile);
		return zs_error_errno(error, "seatbelt", NULL, -writer.failure);
	}
	*ret_profile = writer.profile;
	return 0;
}
