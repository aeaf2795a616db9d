/* The watchdog ends a run where there is no pid namespace to end: a process between the supervisor and the command.
 *
 * The watchdog is in the command's Landlock domain, and the command in one more below it. Signals are scoped, so the
 * watchdog can signal only the processes that the command has started. One call signals all of them, and no fork storm
 * outruns it (man 2 kill, pid -1; a fork that meets it is restarted and dies). The command can signal neither of the
 * two. When the supervisor ends, however it ends, the watchdog reads end of file from its pipe, and ends the run.
 *
 * A process outside may kill the watchdog. Then the killer, a child of the watchdog in the same domain, makes that
 * call. When the killer ends, the watchdog ends the run.
 *
 * Where Landlock has no scopes (below ABI 6), or when both have been killed, the supervisor ends what is left child by
 * child. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/scheduling.h"
#include "linux/base/process_calls.h"
#include "linux/files/own_tmp.h"
#include "linux/locks/locks.h"
#include "linux/run/background.h"
#include "linux/run/lifeline.h"

/* Have all descendants of this process ended and been reaped? They have when it has no child: an orphan becomes a child
 * of this subreaper before its dead parent can be reaped (man 2 PR_SET_CHILD_SUBREAPER). */
static bool is_over(void)
{
	pid_t done;

	while ((done = waitpid(-1, NULL, WNOHANG | __WALL)) > 0) {
	}
	return done < 0 && errno == ECHILD;
}

/* Kills everything that was started here and exits. Without scopes the supervisor ends what is left. */
static _Noreturn void watchdog_end(const struct zs_run *run, pid_t killer, int status, bool killed)
{
	if (run->scoped) {
		kill(killer, SIGKILL);
		waitpid(killer, NULL, 0);
	}
	/* This reads the machine's /proc, so it is left out when no process is left. */
	if (!killed && !is_over())
		zs_background_tell(run, getpid());
	if (run->scoped) {
		/* This call looks at every process of the machine, so it is left out when no process is left. */
		if (!is_over())
			kill(-1, SIGKILL);
		while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {
		}
		/* The supervisor removes the folder itself, unless it was killed. */
		zs_own_tmp_empty(run->own_tmp);
	}
	_exit(status);
}

/* Passes on the signals that the supervisor sends. Signals from the terminal have reached the command directly. */
static bool watchdog_take_signal(struct zs_run *run, const struct signalfd_siginfo *signal, pid_t command)
{
	(void)run;
	if (signal->ssi_signo != SIGCHLD && signal->ssi_code <= 0 && (pid_t)signal->ssi_pid == getppid())
		kill(command, (int)signal->ssi_signo);
	return true;
}

/* kill(-1) would reach all processes of this user if the scope did not hold, so this checks that it does. */
static int check_scope(const struct zs_run *run, pid_t outside, const char *whom, struct zs_error *error)
{
	if (!run->scoped || (kill(outside, 0) < 0 && errno == EPERM))
		return 0;
	return zs_error_say(error, "", "", ENOTSUP, "Landlock lets signals pass to the %s", whom);
}

/* The killer's pid, when it is ready, or a negative errno. Without scopes it could signal too much, so there is none:
 * 0. */
static pid_t start_killer(const struct zs_run *run)
{
	pid_t watchdog = getpid(), killer;
	int ready[2];
	ssize_t len;
	char byte;

	if (!run->scoped)
		return 0;
	if (pipe2(ready, O_CLOEXEC) < 0)
		return -errno;
	killer = zs_fork(0, NULL);
	if (killer == 0) {
		close(ready[0]);
		zs_be_killer(watchdog, ready[1]);
	}
	close(ready[1]);
	len = killer < 0 ? 0 : read(ready[0], &byte, 1);
	close(ready[0]);
	return killer < 0 || len == 1 ? killer : -ESRCH;
}

/* In the child, which becomes the command. */
static int go_on(struct zs_run *run, pid_t watchdog, struct zs_error *error)
{
	int r;

	if (run->alone)
		setsid();
	/* If supervisor and watchdog are killed at once, this ends the command. The killer, which exists where Landlock
	 * has scopes, ends what the command has started. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "pdeathsig", errno);
	if (getppid() != watchdog)
		return zs_error_say(error, "", "", ESRCH, "the watchdog has ended");
	r = run->scoped ? zs_landlock_scope_signals() : 0;
	if (r < 0)
		return zs_error_errno(error, "", "landlock", -r);
	r = check_scope(run, watchdog, "watchdog", error);
	if (r < 0)
		return r;
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "dumpable", errno);
	if (sigprocmask(SIG_SETMASK, &run->signal_mask, NULL) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	return 0;
}

int zs_stage_watchdog(struct zs_run *run, struct zs_error *error)
{
	pid_t supervisor = getppid(), self = getpid(), killer, command;
	int signals, code, r;
	bool killed;

	if (zs_lifeline_is_cut(run))
		return zs_error_say(error, "", "", ESRCH, "the supervisor has ended");
	r = check_scope(run, supervisor, "supervisor", error);
	if (r < 0)
		return r;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "subreaper", errno);
	signals = zs_lifeline_signals(error);
	if (signals < 0)
		return signals;
	killer = start_killer(run);
	if (killer < 0)
		return zs_error_errno(error, "", "killer", -killer);
	command = zs_fork(0, NULL);
	if (command < 0)
		return zs_error_errno(error, "", "fork", -command);
	if (command > 0) {
		code = zs_lifeline_wait(run, command, killer, signals, watchdog_take_signal, &killed);
		watchdog_end(run, killer, code, killed);
	}
	close(signals);
	return go_on(run, self, error);
}
