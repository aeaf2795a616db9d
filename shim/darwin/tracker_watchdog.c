/* The watchdog of a tracker ends all commands when the host has ended. It is not the host's child, and has left the
 * host's process group and terminal, so that no signal meant for the host ends it. */
#include "tracker_shim.h"

#include <errno.h>
#include <sys/event.h>
#include <unistd.h>

#include "darwin/mac_stage.h"
#include "base/error.h"
#include "darwin/tracker_place.h"

extern char **environ;

/* Watches the socket and the host's process, since a forked child of the host may keep the socket open. -ESRCH: the
 * host has ended. */
static int tracker_watchdog_watch(pid_t host)
{
	struct kevent events[2];
	int queue = kqueue();

	if (queue < 0)
		return -errno;
	EV_SET(&events[0], STDIN_FILENO, EVFILT_READ, EV_ADD, 0, 0, NULL);
	EV_SET(&events[1], (uintptr_t)host, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, NULL);
	return kevent(queue, events, 2, NULL, 0, NULL) < 0 ? -errno : queue;
}

/* True: the host has already ended all commands itself. */
static bool is_dismissed(int queue)
{
	struct kevent event;
	char byte;

	while (kevent(queue, NULL, 0, &event, 1, NULL) <= 0) {
	}
	return event.filter == EVFILT_READ && read(STDIN_FILENO, &byte, 1) == 1;
}

_Noreturn void zs_tracker_keep(void)
{
	pid_t host = getppid();
	struct zs_fingerprint fingerprint;
	struct zs_scan_report report;
	const char *folder = NULL;
	int r = zs_tracker_take_value(environ, &folder, NULL), queue;

	if (r == 0)
		r = zs_fingerprint_name(folder, &fingerprint);
	if (r == 0)
		r = zs_tracker_detach();
	if (r == 0)
		r = zs_close_others(NULL, 0);
	if (r < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	queue = tracker_watchdog_watch(host);
	if (queue < 0 && queue != -ESRCH)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	if (queue >= 0 && write(STDIN_FILENO, "k", 1) == 1 && is_dismissed(queue))
		_exit(0);
	zs_tracker_place_end(&fingerprint, &report);
	zs_fingerprint_remove(&fingerprint);
	_exit(0);
}
