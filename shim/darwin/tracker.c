/* The host's side of a tracker: a fingerprint, and a watchdog that uses it when the host has ended. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "darwin/tracker_place.h"
#include "tracker_shim.h"

static const char step[] = "tracker";

/* Waits for the watchdog's message. The wait is bounded, since a program that does not call zs_exec_shim() sends
 * none. */
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

int zs_tracker_begin(struct zs_tracker *tracker, const char *executable, struct zs_error *error)
{
	char variable[sizeof ZS_TRACKER_VARIABLE + PATH_MAX];
	struct zs_fingerprint fingerprint = { .folder = "" };
	int pair[2], quiet = 1, r = zs_fingerprint_make(&fingerprint, error);

	tracker->kind = ZS_TRACKER_FINGERPRINT;
	/* After a failure, freeing the tracker removes the folder. */
	snprintf(tracker->value, sizeof tracker->value, "%s", fingerprint.folder);
	if (r < 0)
		return r;
	r = zs_tracker_place_open(&fingerprint);
	if (r < 0)
		return zs_error_errno(error, step, tracker->value, -r);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return zs_error_errno(error, step, "socketpair", errno);
	tracker->socket = pair[0];
	/* A watchdog that was killed must not end the host. */
	setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &quiet, sizeof quiet);
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	fcntl(pair[1], F_SETFD, FD_CLOEXEC);
	snprintf(variable, sizeof variable, ZS_TRACKER_VARIABLE "=%s", tracker->value);
	r = zs_tracker_start_watchdog(pair[1], (char *[]){ variable, NULL }, executable, error);
	close(pair[1]);
	return r < 0 ? r : greet(pair[0], error);
}

/* Without a value there is no fingerprint yet, and no process has it. */
int zs_tracker_end(struct zs_tracker *tracker, char ret_object[ZS_TRACKER_OBJECT])
{
	struct zs_fingerprint fingerprint;
	struct zs_scan_report report = { 0 };
	int r = *tracker->value ? zs_fingerprint_name(tracker->value, &fingerprint) : 0;

	if (r == 0 && *tracker->value)
		r = zs_tracker_place_end(&fingerprint, &report);
	if (r < 0 && report.pid)
		snprintf(ret_object, ZS_TRACKER_OBJECT, "process %d", (int)report.pid);
	return r;
}

void zs_tracker_dismiss(struct zs_tracker *tracker)
{
	struct zs_fingerprint fingerprint;

	if (*tracker->value && zs_fingerprint_name(tracker->value, &fingerprint) == 0)
		zs_fingerprint_remove(&fingerprint);
	if (tracker->socket >= 0 && write(tracker->socket, "d", 1) < 0) {
		/* The watchdog has been killed. */
	}
}
