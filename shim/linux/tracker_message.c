/* Sends and receives a tracker's messages, which SOCK_SEQPACKET keeps apart. */
#include "tracker_shim.h"

#include <errno.h>
#include <sys/socket.h>

#include "linux/base/fd_message.h"

int zs_tracker_send(int socket, const void *message, size_t size, int fd)
{
	return zs_fds_send(socket, message, size, &fd, fd >= 0);
}

/* -EPIPE: the other side has gone. *ret_fd: -1 if no descriptor came. ret_fd NULL: the kernel closes a descriptor that
 * comes. */
int zs_tracker_receive(int socket, void *message, size_t size, int *ret_fd)
{
	int fd = -1, flags;
	size_t count = ret_fd ? 1 : 0;
	ssize_t len = zs_fds_receive(socket, message, size, &fd, &count, &flags);

	if (ret_fd)
		*ret_fd = fd;
	if (len < 0)
		return len == -ECONNRESET ? -EPIPE : (int)len;
	if (len == 0)
		return -EPIPE;
	return (size_t)len == size && !(flags & MSG_TRUNC) ? 0 : -EPROTO;
}
