/* Sends and receives the answers of a session's processes to the host's requests. */
#include "enforce/session_request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "linux/session/session.h"

static const char step[] = "session";

int zs_session_answer(int socket, int result, const struct zs_error *error)
{
	struct zs_session_answer answer = { .result = result };
	size_t size = sizeof answer.result;

	if (result < 0) {
		answer.cause = error->cause;
		/* The host's error begins with "session" in any case. */
		snprintf(answer.object, sizeof answer.object, "%s%s%s", strcmp(error->step, step) ? error->step : "",
			strcmp(error->step, step) && *error->object ? ": " : "", error->object);
		snprintf(answer.what, sizeof answer.what, "%s", error->what);
		snprintf(answer.hint, sizeof answer.hint, "%s", error->hint);
		size = sizeof answer;
	}
	return send(socket, &answer, size, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

void zs_session_give_up(int requests)
{
	shutdown(requests, SHUT_RDWR);
}

static int read_answer(struct zs_session_answer *answer, ssize_t len, struct zs_error *error)
{
	if (answer->result >= 0)
		return answer->result;
	if (len != (ssize_t)sizeof *answer)
		return zs_error_errno(error, step, "", EBADMSG);
	answer->object[sizeof answer->object - 1] = '\0';
	answer->what[sizeof answer->what - 1] = '\0';
	answer->hint[sizeof answer->hint - 1] = '\0';
	zs_error_errno(error, step, answer->object, answer->cause);
	if (*answer->what)
		zs_error_say(error, step, answer->object, answer->cause, "%s", answer->what);
	return zs_error_hint(error, answer->result, "%s", answer->hint);
}

/* The sender's pid in this process's pid namespace; 0: it has none there. */
static pid_t sender_of(struct msghdr *message)
{
	const struct cmsghdr *part = CMSG_FIRSTHDR(message);
	struct ucred sender;

	if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_CREDENTIALS ||
		part->cmsg_len != CMSG_LEN(sizeof sender))
		return 0;
	memcpy(&sender, CMSG_DATA(part), sizeof sender);
	return sender.pid;
}

int zs_session_await(int socket, pid_t *ret_sender, struct zs_error *error)
{
	struct zs_session_answer answer = { 0 };
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(struct ucred))];
	struct iovec part = { &answer, sizeof answer };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
	};
	ssize_t len;
	int r;

	do
		len = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (ret_sender)
		*ret_sender = len > 0 ? sender_of(&message) : 0;
	if (len == (ssize_t)sizeof answer.result || len == (ssize_t)sizeof answer)
		return read_answer(&answer, len, error);
	r = len > 0 ? -EBADMSG : -EPIPE;
	if (len < 0 && errno != ECONNRESET)
		r = -errno;
	/* The answer is lost, so the session ends. */
	shutdown(socket, SHUT_RDWR);
	return r == -EPIPE ? zs_error_say(error, step, "", EPIPE, "its session parent has ended")
			   : zs_error_errno(error, step, "", -r);
}
