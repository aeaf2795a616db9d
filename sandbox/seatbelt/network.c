/* The rules for sockets. */

#include "base/cleanup.h"
#include "seatbelt/place.h"
#include "seatbelt/rules.h"

/* "localhost" is 127.0.0.1 and ::1; Seatbelt knows no other names or addresses. */
static const char localhost[] = "(allow network-bind network-inbound (local ip \"localhost:*\"))\n"
				"(allow network-outbound (remote ip \"localhost:*\"))\n";

static const char full[] = "(allow network-bind network-inbound (local ip \"*:*\"))\n"
			   "(allow network-outbound (remote ip \"*:*\"))\n"
			   "(allow system-socket (socket-domain AF_UNIX)\n"
			   " (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))\n"
			   "(allow sysctl-read (sysctl-name-prefix \"net.routetable.\"))\n";

/* The system's resolver and its configuration. It is left out with allowed hosts, since it asks for any name, past the
 * proxy. */
static const char names[] = "(allow network-outbound (literal \"/private/var/run/mDNSResponder\")\n"
			    " (literal \"/var/run/mDNSResponder\"))\n"
			    "(allow mach-lookup (global-name \"com.apple.SystemConfiguration.DNSConfiguration\")\n"
			    " (global-name \"com.apple.SystemConfiguration.configd\")\n"
			    " (global-name \"com.apple.dnssd.service\"))\n";

/* Go and Swift ask trustd whether a certificate is valid. trustd may fetch a missing certificate of the chain from the
 * address that the certificate names. */
static const char trust[] = "(allow mach-lookup (global-name \"com.apple.trustd.agent\") (global-name "
			    "\"com.apple.trustd\"))\n";

static void put_proxy(struct zs_seatbelt_writer *writer, uint16_t port)
{
	if (!port)
		return;
	zs_seatbelt_print(writer, "(allow network-outbound (remote tcp \"localhost:%u\"))\n", port);
	zs_seatbelt_put(writer, trust);
}

static void put_ip(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request)
{
	switch (request->policy->network) {
	case ZS_NETWORK_NONE:
		zs_seatbelt_put(writer, request->localhost ? localhost : "");
		break;
	case ZS_NETWORK_HOSTS:
		put_proxy(writer, request->proxy_port);
		break;
	case ZS_NETWORK_FULL:
		zs_seatbelt_put(writer, full);
		zs_seatbelt_put(writer, names);
		zs_seatbelt_put(writer, trust);
		break;
	case ZS_NETWORK_COUNT:
	default:
		break;
	}
}

/* Grants the path that the caller gives and the path to which it leads: connect(2) asks for the one, the look-up for
 * the other. To make or remove the file, the command needs a grant of the folder as well. */
static int put_socket(struct zs_seatbelt_writer *writer, const char *path, struct zs_error *error)
{
	ZS_AUTO_FREE char *place = NULL;
	int r = zs_seatbelt_place("unix_sockets", path, &place, error);

	if (r < 0)
		return r;
	zs_seatbelt_put(writer, "(allow network-outbound network-bind network-inbound");
	zs_seatbelt_put_forms(writer, place);
	zs_seatbelt_put(writer, ")\n");
	return 0;
}

int zs_seatbelt_put_network(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request, struct zs_error *error)
{
	const struct zs_strings *sockets = &request->policy->sockets;
	int r = 0;

	put_ip(writer, request);
	if (sockets->count)
		zs_seatbelt_put(writer, "(allow system-socket (socket-domain AF_UNIX))\n");
	for (size_t i = 0; r == 0 && i < sockets->count; i++)
		r = put_socket(writer, sockets->items[i], error);
	return r;
}
