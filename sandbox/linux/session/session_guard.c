/* The guard replaces the init of a session in the Landlock tier, where there is no pid namespace. It is a child of the
 * session parent.
 *
 * Session parent and guard are in a Landlock domain that confines signals to the session. So kill(-1) reaches exactly
 * the session, by one call that no fork outruns, as in watchdog.c. The guard is the only process of the session that is
 * not confined further: it removes the run's folder in the caller's TMPDIR at the end.
 *
 * When session parent and runner have ended, the guard ends all that is left. When the session parent ends the session
 * itself, it asks the guard to wait until all is dead. */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/scheduling.h"
#include "linux/base/process_calls.h"
#include "linux/files/own_tmp.h"
#include "linux/session/session.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"

/* Returns when the process has ended, if it belongs to the session: this process's signals reach only there. Uses a
 * pidfd, since the pid of a process that has ended may be another process's by now. */
static int await_killed(pid_t pid, void *arg)
{
	ZS_AUTO_FD int process = pid == getpid() || pid == getppid() ? -1 : zs_pidfd_open(pid);

	(void)arg;
	if (process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0) == 0)
		zs_await_readable(process);
	return 0;
}

static void guard(struct zs_run *run, int alive)
{
	ZS_AUTO_FD int proc = -1;
	bool asked;

	setsid();
	zs_use_short_slices();
	zs_session_next(run, alive, &asked);
	/* The session parent, which asks, has already done this. */
	if (!asked)
		kill(-1, SIGKILL);
	/* All of the session has been killed, so no new processes of it appear while this waits for each. */
	proc = zs_folder_open("/proc");
	if (proc >= 0)
		zs_proc_each(proc, await_killed, NULL);
	zs_own_tmp_remove(run->own_tmp);
	_exit(0);
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
	/* kill(-1) would reach all processes of this user if the scope did not hold, so this checks that it does. */
	if (kill(host, 0) == 0 || errno != EPERM)
		return zs_error_say(error, "", "", ENOTSUP, "Landlock lets signals pass to the host");
	r = zs_session_start_init(run, ZS_STAGES_OF_GUARD, guard, error);
	if (r >= 0)
		run->own_tmp->made = false; /* the guard removes it */
	return r;
}
