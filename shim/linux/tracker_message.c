/* Sends and receives a tracker's messages, which SOCK_SEQPACKET keeps apart. */
#include "tracker_shim.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int zs_tracker_send(int socket, const void *message, size_t size, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)] = { 0 };
	struct iovec part = { (void *)message, size };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *item;

		header.msg_control = control;
		header.msg_controllen = sizeof control;
		item = CMSG_FIRSTHDR(&header);
		item->cmsg_level = SOL_SOCKET;
		item->cmsg_type = SCM_RIGHTS;
		item->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(item), &fd, sizeof fd);
	}
	return sendmsg(socket, &header, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* -EPIPE: the other side has gone. *ret_fd: -1 if no descriptor came. ret_fd NULL: the kernel closes a descriptor that
 * comes. */
int zs_tracker_receive(int socket, void *message, size_t size, int *ret_fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof *ret_fd)];
	struct iovec part = { message, size };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	const struct cmsghdr *item;
	ssize_t len;

	if (ret_fd) {
		*ret_fd = -1;
		header.msg_control = control;
		header.msg_controllen = sizeof control;
	}
	do
		len = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len < 0)
		return errno == ECONNRESET ? -EPIPE : -errno;
	item = ret_fd ? CMSG_FIRSTHDR(&header) : NULL;
	if (item && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS &&
		item->cmsg_len == CMSG_LEN(sizeof *ret_fd))
		memcpy(ret_fd, CMSG_DATA(item), sizeof *ret_fd);
	if (len == 0)
		return -EPIPE;
	return (size_t)len == size && !(header.msg_flags & MSG_TRUNC) ? 0 : -EPROTO;
}
