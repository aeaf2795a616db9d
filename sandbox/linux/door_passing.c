#include "door_passing.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "error.h"

struct answer {
	int32_t cause;
	char object[60];
};

int zs_door_pass(int socket, const int *listeners, int count)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(ZS_DOOR_LISTENERS * sizeof(int))] = { 0 };
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

/* There is room for one more than are expected: more are noticed, not cut off. */
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

int zs_door_receive(int socket, int ret_listeners[ZS_DOOR_LISTENERS], int count)
{
	int descriptors[ZS_DOOR_LISTENERS + 1], got;
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

int zs_door_answer(int socket, int cause, const char *object)
{
	struct answer answer = { .cause = cause };

	snprintf(answer.object, sizeof answer.object, "%s", object);
	return send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

int zs_door_await(int socket, struct zs_error *error)
{
	struct answer answer = { 0 };
	ssize_t len;

	do
		len = recv(socket, &answer, sizeof answer, 0);
	while (len < 0 && errno == EINTR);
	if (len < 0 && errno != ECONNRESET)
		return zs_error_errno(error, "", "recv", errno);
	if (len <= 0)
		return zs_error_say(error, "", "door", EPIPE, "it has ended");
	if (len != (ssize_t)sizeof answer)
		return zs_error_errno(error, "", "door", EBADMSG);
	answer.object[sizeof answer.object - 1] = '\0';
	return answer.cause ? zs_error_errno(error, "", answer.object, answer.cause) : 0;
}
