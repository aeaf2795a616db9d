/* The guard stands in for pid 1 of a session where there is no pid namespace: a child of the session parent.
 *
 * Session parent and guard are in a Landlock domain that lets signals reach the session alone; of all that is in it
 * only the guard is not confined further, since it removes what TMPDIR names, a folder beside the caller's own
 * temporary files. So "everything that I may signal" is the session, as in watchdog.c, and one call that no fork
 * outruns. It ends all that is left when session parent and runner have ended; a session parent that does it itself has
 * the guard wait until it is so. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/files/own_tmp.h"
#include "base/scheduling.h"
#include "linux/session/session.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"

/* Returns when it has ended, if it is of the session; else, or if it has gone, at once. Not by its number alone, which
 * may be another's by now. */
static void end_process(pid_t pid)
{
	ZS_AUTO_FD int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd event = { fd, POLLIN, 0 };

	if (fd < 0 || syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) < 0)
		return;
	while (poll(&event, 1, -1) < 0 && errno == EINTR) {
	}
}

/* They have been killed, so that there will be no more of them; one that has ended and was not reaped has ended. */
static void await_killed(void)
{
	pid_t self = getpid(), session_parent = getppid();
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (isdigit((unsigned char)entry->d_name[0]) && pid != self && pid != session_parent)
			end_process(pid);
	}
	if (proc)
		closedir(proc);
}

static _Noreturn void session_guard_serve(const struct zs_run *run, int alive)
{
	bool asked;

	setsid();
	zs_use_short_slices();
	zs_session_next(run, alive, &asked);
	/* A process that asks has done so. */
	if (!asked)
		kill(-1, SIGKILL);
	await_killed();
	zs_own_tmp_remove(run->own_tmp);
	_exit(0);
}

static void be_guard(struct zs_run *run, int alive, struct zs_error *error)
{
	int r = run->pass(run, ZS_STAGES_OF_GUARD, error);

	if (zs_session_answer(alive, r, error) < 0 || r < 0)
		_exit(EXIT_FAILURE);
	session_guard_serve(run, alive);
}

int zs_stage_session_guard(struct zs_run *run, struct zs_error *error)
{
	pid_t host = getppid();
	int r;

	ZS_AUTO_FD int scope = zs_session_make_scope(error);

	if (scope < 0)
		return scope;
	if (host == 0)
		return zs_session_refuse_host(error);
	r = zs_landlock_restrict(scope);
	if (r < 0)
		return zs_error_errno(error, "", "restrict_self", -r);
	/* kill(-1) depends on it, so that it is not enough to have asked for it. */
	if (kill(host, 0) == 0 || errno != EPERM)
		return zs_error_say(error, "", "", ENOTSUP, "Landlock lets signals pass to the host");
	r = zs_session_start_init(run, be_guard, error);
	if (r >= 0)
		run->own_tmp->made = false; /* it is the guard's to remove */
	return r;
}
