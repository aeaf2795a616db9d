#include "linux/base/fd_message.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

int zs_fds_send(int socket, const void *message, size_t size, const int *fds, size_t count)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(ZS_FDS_MAX * sizeof *fds)] = { 0 };
	struct iovec part = { (void *)(uintptr_t)message, size };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count > ZS_FDS_MAX)
		return -EINVAL;
	if (count > 0) {
		struct cmsghdr *rights = (struct cmsghdr *)(void *)control;

		header.msg_control = control;
		header.msg_controllen = (socklen_t)CMSG_SPACE(count * sizeof *fds);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = (socklen_t)CMSG_LEN(count * sizeof *fds);
		memcpy(CMSG_DATA(rights), fds, count * sizeof *fds);
	}
	while (sendmsg(socket, &header, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

ssize_t zs_fds_receive(int socket, void *message, size_t size, int *fds, size_t *count, int *ret_flags)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(ZS_FDS_MAX * sizeof *fds)];
	struct iovec part = { message, size };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	const struct cmsghdr *rights;
	ssize_t len;

	if (*count > ZS_FDS_MAX)
		return -EINVAL;
	if (*count > 0) {
		header.msg_control = control;
		header.msg_controllen = (socklen_t)CMSG_LEN(*count * sizeof *fds); /* CMSG_SPACE() may fit one more */
	}
	*count = 0;
	do
		len = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len < 0)
		return -errno;
	*ret_flags = header.msg_flags;
	rights = CMSG_FIRSTHDR(&header);
	if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS) {
		*count = (rights->cmsg_len - CMSG_LEN(0)) / sizeof *fds;
		memcpy(fds, CMSG_DATA(rights), *count * sizeof *fds);
	}
	return len;
}

int zs_result_send(int socket, int result, int fd)
{
	return zs_fds_send(socket, &result, sizeof result, &fd, fd >= 0);
}

int zs_result_receive(int socket, int *ret_fd)
{
	int result, fd = -1, flags;
	size_t count = 1;
	ssize_t len = zs_fds_receive(socket, &result, sizeof result, &fd, &count, &flags);

	if (len != sizeof result)
		return len < 0 ? (int)len : -ESRCH;
	*ret_fd = fd;
	return result;
}
