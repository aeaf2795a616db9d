/* The host's side of a tracker: a socket to the watchdog, and the variable by which a command joins. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/limits/cgroup.h"
#include "tracker_shim.h"

static const char step[] = "tracker";

struct zs_tracker {
	pid_t owner; /* the host; a forked child's copy must not end the tracker */
	int socket;  /* to the watchdog */
	int cgroup;  /* a descriptor of the cgroup's folder; -1: there is none */
	enum zs_tracker_kind kind;
	bool ended;                                                /* all tracked processes have ended */
	char variable[ZS_TRACKER_NAME + 1 + ZS_TRACKER_TOKEN + 1]; /* the value of ZS_TRACKER_VARIABLE */
};

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

enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker)
{
	return tracker->kind;
}

int zs_tracker_cgroup(const struct zs_tracker *tracker)
{
	return tracker->cgroup;
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
	snprintf(tracker->variable, sizeof tracker->variable, "%.*s %.*s", ZS_TRACKER_NAME - 1, hello.name,
		ZS_TRACKER_TOKEN, hello.token);
	return 0;
}

int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error)
{
	struct zs_tracker *tracker = calloc(1, sizeof *tracker);
	int pair[2], r;

	if (!tracker)
		return zs_error_errno(error, step, "", ENOMEM);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		r = errno;
		free(tracker);
		return zs_error_errno(error, step, "socketpair", r);
	}
	tracker->owner = getpid();
	tracker->socket = pair[0];
	tracker->cgroup = -1;
	r = zs_tracker_start_watchdog(pair[1], (char *[]){ NULL }, options ? options->executable : NULL, error);
	close(pair[1]);
	if (r == 0)
		r = greet(tracker, error);
	if (r < 0) {
		/* The watchdog ends when the socket is closed. */
		tracker->ended = true;
		zs_tracker_free(tracker);
		return r;
	}
	*ret_tracker = tracker;
	return 0;
}

const char *zs_tracker_value(const struct zs_tracker *tracker)
{
	return tracker->variable;
}

/* Ends the tracked processes when the watchdog has been killed. Subreapers end theirs by themselves. */
static int end_without_watchdog(const struct zs_tracker *tracker)
{
	struct zs_cgroup cgroup = { .parent = -1, .fd = tracker->cgroup };
	int r = tracker->kind == ZS_TRACKER_CGROUP ? zs_cgroup_kill(&cgroup) : 0;

	return r == -ENOENT ? 0 : r; /* a cgroup that has been removed was empty */
}

int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error)
{
	enum { ANSWER_MS = 30000 }; /* the watchdog's own timeouts are shorter */
	struct zs_tracker_answer answer = { 0, 0 };
	int r;

	if (tracker->ended)
		return 0;
	r = zs_tracker_send(tracker->socket, "", 1, -1);
	if (r == 0)
		r = tracker_receive(tracker->socket, &answer, sizeof answer, NULL, ANSWER_MS);
	if (r == -EPIPE)
		r = end_without_watchdog(tracker);
	if (r == 0)
		r = answer.result;
	if (r < 0)
		return zs_error_errno(error, step, "kill", -r);
	tracker->ended = true;
	return 0;
}

void zs_tracker_free(struct zs_tracker *tracker)
{
	if (!tracker)
		return;
	if (tracker->owner == getpid())
		zs_tracker_kill(tracker, NULL);
	close(tracker->socket);
	if (tracker->cgroup >= 0)
		close(tracker->cgroup);
	free(tracker);
}
