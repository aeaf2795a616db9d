#include "proxy/proxy_answer.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "proxy/proxy_system.h"
#include "base/error.h"

struct answer {
	int32_t cause;
	char object[60];
};

int zs_proxy_answer(int socket, int cause, const char *object)
{
	struct answer answer = { .cause = cause };

	snprintf(answer.object, sizeof answer.object, "%s", object);
	return zs_proxy_send(socket, &answer, sizeof answer) < 0 ? -errno : 0;
}

int zs_proxy_await(int socket, struct zs_error *error)
{
	struct answer answer = { 0 };
	ssize_t len;

	do
		len = recv(socket, &answer, sizeof answer, MSG_WAITALL);
	while (len < 0 && errno == EINTR);
	if (len < 0 && errno != ECONNRESET)
		return zs_error_errno(error, "", "recv", errno);
	if (len <= 0)
		return zs_error_say(error, "", "proxy", EPIPE, "it has ended");
	if (len != (ssize_t)sizeof answer)
		return zs_error_errno(error, "", "proxy", EBADMSG);
	answer.object[sizeof answer.object - 1] = '\0';
	return answer.cause ? zs_error_errno(error, "", answer.object, answer.cause) : 0;
}

void zs_proxy_wait(pid_t proxy)
{
	enum { TRIES = 500, PAUSE_MS = 10 };

	for (int i = 0; i < TRIES; i++) {
		/* Usually the proxy has ended already. */
		struct timespec pause = { .tv_nsec = i < PAUSE_MS ? 100 * 1000 : PAUSE_MS * 1000 * 1000 };

		if (waitpid(proxy, NULL, WNOHANG) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	/* A session parent may not signal the proxy, which is not in its Landlock domain. */
	if (kill(proxy, SIGKILL) == 0)
		waitpid(proxy, NULL, 0);
}
