#include "linux/base/result_message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int zs_result_send(int socket, int result, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)] = { 0 };
	struct iovec part = { &result, sizeof result };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *rights;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof control;
		rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(rights), &fd, sizeof fd);
	}
	while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int zs_result_receive(int socket, int *ret_fd)
{
	int result, fd = -1;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)];
	struct iovec part = { &result, sizeof result };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
	};
	const struct cmsghdr *rights;
	ssize_t len;

	do
		len = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len != sizeof result)
		return len < 0 ? -errno : -ESRCH;
	rights = CMSG_FIRSTHDR(&message);
	if (rights && rights->cmsg_len == CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(rights), sizeof fd);
	*ret_fd = fd;
	return result;
}
