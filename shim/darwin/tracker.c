/* A tracker, as its host has it: a fingerprint, and a watchdog that uses it when the host has gone. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "darwin/tracker_place.h"
#include "tracker_shim.h"

static const char step[] = "tracker";

struct zs_tracker {
	pid_t owner;  /* a child that it forks has a copy of this, and no say */
	int watchdog; /* a socket */
	bool ended;
	struct zs_fingerprint fingerprint;
};

enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker)
{
	(void)tracker;
	return ZS_TRACKER_FINGERPRINT;
}

int zs_tracker_cgroup(const struct zs_tracker *tracker)
{
	(void)tracker;
	return -1;
}

const char *zs_tracker_value(const struct zs_tracker *tracker)
{
	return tracker->fingerprint.folder;
}

/* In a bounded time: a program that does not call zs_exec_shim() says nothing. */
static int greet(int socket, struct zs_error *error)
{
	enum { HELLO_MS = 10000 };
	struct pollfd event = { socket, POLLIN, 0 };
	char byte;
	int r;

	do
		r = poll(&event, 1, HELLO_MS);
	while (r < 0 && errno == EINTR);
	if (r > 0 && read(socket, &byte, 1) == 1)
		return 0;
	return zs_error_hint(error, zs_error_say(error, step, "", ETIMEDOUT, "the watchdog did not start"),
		"call zs_exec_shim() first in main()");
}

static int tracker_start(struct zs_tracker *tracker, const char *executable, struct zs_error *error)
{
	char variable[sizeof ZS_TRACKER_VARIABLE + PATH_MAX];
	int pair[2], quiet = 1, r = zs_fingerprint_make(&tracker->fingerprint, error);

	if (r < 0)
		return r;
	r = zs_tracker_place_open(&tracker->fingerprint);
	if (r < 0)
		return zs_error_errno(error, step, tracker->fingerprint.folder, -r);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return zs_error_errno(error, step, "socketpair", errno);
	tracker->watchdog = pair[0];
	/* A watchdog that was killed must not end the host. */
	setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &quiet, sizeof quiet);
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	fcntl(pair[1], F_SETFD, FD_CLOEXEC);
	snprintf(variable, sizeof variable, ZS_TRACKER_VARIABLE "=%s", tracker->fingerprint.folder);
	r = zs_tracker_start_watchdog(pair[1], (char *[]){ variable, NULL }, executable, error);
	close(pair[1]);
	return r < 0 ? r : greet(pair[0], error);
}

int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error)
{
	struct zs_tracker *tracker = calloc(1, sizeof *tracker);
	int r;

	if (!tracker)
		return zs_error_errno(error, step, "", ENOMEM);
	tracker->owner = getpid();
	tracker->watchdog = -1;
	r = tracker_start(tracker, options ? options->executable : NULL, error);
	if (r < 0) {
		zs_tracker_free(tracker);
		return r;
	}
	*ret_tracker = tracker;
	return 0;
}

int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error)
{
	struct zs_scan_report report;
	char pid[32] = "kill";
	int r;

	if (tracker->ended)
		return 0;
	r = zs_tracker_place_end(&tracker->fingerprint, &report);
	tracker->ended = r == 0;
	if (r < 0 && report.pid)
		snprintf(pid, sizeof pid, "process %d", (int)report.pid);
	return r < 0 ? zs_error_errno(error, step, pid, -r) : 0;
}

/* Processes that could not be ended are left to the watchdog, which tries once more. */
void zs_tracker_free(struct zs_tracker *tracker)
{
	bool ours;

	if (!tracker)
		return;
	ours = tracker->owner == getpid() && tracker->fingerprint.folder[0];
	if (ours && zs_tracker_kill(tracker, NULL) == 0) {
		zs_fingerprint_remove(&tracker->fingerprint);
		if (tracker->watchdog >= 0 && write(tracker->watchdog, "d", 1) < 0) {
			/* It has been killed. */
		}
	}
	if (tracker->watchdog >= 0)
		close(tracker->watchdog);
	free(tracker);
}
