#include "linux/network/proxy_passing.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int zs_proxy_pass(int socket, const int *listeners, int count)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(ZS_PROXY_LISTENERS * sizeof(int))] = { 0 };
	size_t bytes = (size_t)count * sizeof *listeners;
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = (socklen_t)CMSG_SPACE(bytes) };
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = (socklen_t)CMSG_LEN(bytes);
	memcpy(CMSG_DATA(rights), listeners, bytes);
	while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* Takes the descriptors of a message and returns their number. The buffer has room for one more than expected, so that
 * a surplus is noticed. */
static int take(struct msghdr *message, int *descriptors)
{
	const struct cmsghdr *rights = CMSG_FIRSTHDR(message);
	size_t bytes;

	if (!rights || rights->cmsg_level != SOL_SOCKET || rights->cmsg_type != SCM_RIGHTS)
		return 0;
	bytes = rights->cmsg_len - CMSG_LEN(0);
	memcpy(descriptors, CMSG_DATA(rights), bytes);
	return (int)(bytes / sizeof *descriptors);
}

int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count)
{
	int descriptors[ZS_PROXY_LISTENERS + 1], got;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptors)];
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
	};
	ssize_t len;

	do
		len = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return len < 0 ? -errno : -EPIPE;
	got = take(&message, descriptors);
	if (got == count && !(message.msg_flags & (MSG_CTRUNC | MSG_TRUNC))) {
		memcpy(ret_listeners, descriptors, (size_t)count * sizeof *descriptors);
		return 0;
	}
	while (got-- > 0)
		close(descriptors[got]);
	return -EBADMSG;
}
