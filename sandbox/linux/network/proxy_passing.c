#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/fd_message.h"
#include "linux/network/proxy.h"

int zs_proxy_pass(int socket, const int *listeners, int count)
{
	return zs_fds_send(socket, "", 1, listeners, (size_t)count);
}

int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count)
{
	int descriptors[ZS_PROXY_LISTENERS + 1], flags; /* room for one more than expected, so that it is noticed */
	size_t got = ZS_COUNT(descriptors);
	char byte;
	ssize_t len = zs_fds_receive(socket, &byte, 1, descriptors, &got, &flags);

	if (len <= 0)
		return len < 0 ? (int)len : -EPIPE;
	if (got == (size_t)count && !(flags & (MSG_CTRUNC | MSG_TRUNC))) {
		memcpy(ret_listeners, descriptors, got * sizeof *descriptors);
		return 0;
	}
	while (got-- > 0)
		close(descriptors[got]);
	return -EBADMSG;
}
