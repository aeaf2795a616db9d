/* The host's side of a tracker: it asks the watchdog, over a socket. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/limits/cgroup.h"
#include "tracker_shim.h"

static const char step[] = "tracker";

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

/* Receives a message. The wait is bounded, since a program that does not call zs_exec_shim() sends none. */
static int tracker_receive(int socket, void *message, size_t size, int *ret_fd, int milliseconds)
{
	struct pollfd event = { socket, POLLIN, 0 };
	int r;

	do
		r = poll(&event, 1, milliseconds);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return -errno;
	return r == 0 ? -ETIMEDOUT : zs_tracker_receive(socket, message, size, ret_fd);
}

static int greet(struct zs_tracker *tracker, struct zs_error *error)
{
	enum { HELLO_MS = 10000 };
	struct zs_tracker_hello hello;
	int r = tracker_receive(tracker->socket, &hello, sizeof hello, &tracker->cgroup, HELLO_MS);

	if (r == -EPIPE || r == -EPROTO || r == -ETIMEDOUT)
		return zs_error_hint(error, zs_error_say(error, step, "", -r, "the watchdog did not start"),
			"call zs_exec_shim() first in main()");
	if (r < 0)
		return zs_error_errno(error, step, "", -r);
	hello.object[sizeof hello.object - 1] = '\0';
	if (hello.result < 0)
		return zs_error_errno(error, step, hello.object, -hello.result);
	tracker->kind = tracker->cgroup >= 0 ? ZS_TRACKER_CGROUP : ZS_TRACKER_SUBREAPER;
	snprintf(tracker->value, sizeof tracker->value, "%.*s %.*s", ZS_TRACKER_NAME - 1, hello.name, ZS_TRACKER_TOKEN,
		hello.token);
	return 0;
}

int zs_tracker_begin(struct zs_tracker *tracker, const char *executable, struct zs_error *error)
{
	int pair[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return zs_error_errno(error, step, "socketpair", errno);
	tracker->socket = pair[0];
	r = zs_tracker_start_watchdog(pair[1], (char *[]){ NULL }, executable, error);
	close(pair[1]);
	if (r == 0)
		r = greet(tracker, error);
	tracker->ended = r < 0; /* the watchdog ends when the socket is closed */
	return r;
}

/* Ends the tracked processes when the watchdog has been killed. Subreapers end theirs by themselves. */
static int end_without_watchdog(const struct zs_tracker *tracker)
{
	struct zs_cgroup cgroup = { .parent = -1, .fd = tracker->cgroup };
	int r = tracker->kind == ZS_TRACKER_CGROUP ? zs_cgroup_kill(&cgroup) : 0;

	return r == -ENOENT ? 0 : r; /* a cgroup that has been removed was empty */
}

int zs_tracker_end(struct zs_tracker *tracker, char ret_object[ZS_TRACKER_OBJECT])
{
	enum { ANSWER_MS = 30000 }; /* the watchdog's own timeouts are shorter */
	struct zs_tracker_answer answer = { 0, 0 };
	int r = zs_tracker_send(tracker->socket, "", 1, -1);

	(void)ret_object;
	if (r == 0)
		r = tracker_receive(tracker->socket, &answer, sizeof answer, NULL, ANSWER_MS);
	if (r == -EPIPE)
		r = end_without_watchdog(tracker);
	return r < 0 ? r : answer.result;
}

void zs_tracker_dismiss(struct zs_tracker *tracker)
{
	(void)tracker; /* it has ended with its processes */
}
