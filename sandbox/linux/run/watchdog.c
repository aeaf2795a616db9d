/* The watchdog ends a run where there is no pid namespace to end: a process between the supervisor and the command.
 *
 * The watchdog is in the command's Landlock domain, and the command in one more below it. Signals are scoped, so all
 * that the watchdog can signal is what the command has started, and "everything that I may signal" is one call that no
 * fork storm outruns (man 2 kill, pid -1; a fork that meets it is restarted and dies). The command can signal neither
 * of the two. When the supervisor ends, however it ends, the watchdog reads the end of its pipe, and ends the run.
 *
 * Somebody outside may kill the watchdog. Then a child of its, the killer, which is in the same domain, makes that
 * call. The end of the killer is the end of the run, too.
 *
 * Where Landlock has no scopes (below ABI 6), or when both have been killed, the supervisor ends what is left child by
 * child. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/landlock_rights.h"
#include "base/scheduling.h"
#include "linux/limits/run_limits.h"
#include "linux/base/children.h"
#include "linux/locks/locks.h"
#include "linux/run/watchdog.h"
#include "linux/files/own_tmp.h"

/* The time that the killer gets to end the run before the supervisor does it child by child. */
enum { KILLER_MS = 400 };

int zs_lifeline_prepare(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (pipe2(run->lifeline, O_CLOEXEC) < 0)
		return zs_error_errno(error, "", "pipe", errno);
	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return 0;
	r = zs_children_find(&run->strangers);
	if (r < 0)
		return zs_error_errno(error, "", "children", -r);
	/* If the watchdog is killed, its children become the supervisor's. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "subreaper", errno);
	return 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void zs_lifeline_pass(struct zs_run *run)
{
	close_end(&run->lifeline[1]);
	run->own_tmp->made = false; /* the supervisor removes it */
}

void zs_lifeline_end(struct zs_run *run)
{
	close_end(&run->lifeline[1]);
}

static void watchdog_say(const char *what, int cause)
{
	struct zs_error error;
	char line[256];
	size_t len;

	zs_error_errno(&error, what, "", cause);
	len = zs_error_format(&error, line, sizeof line - 1);
	line[len++] = '\n';
	if (write(STDERR_FILENO, line, len) < 0) {
		/* Standard error is gone. */
	}
}

void zs_lifeline_finish(struct zs_run *run)
{
	int r;

	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return;
	r = zs_children_end(&run->strangers, zs_landlock_abi() >= ZS_LANDLOCK_ABI_SCOPES ? KILLER_MS : 0);
	if (r < 0)
		watchdog_say("processes of the run are left", -r);
	r = zs_own_tmp_remove(run->own_tmp);
	if (r < 0)
		watchdog_say("files of the run are left in TMPDIR", -r);
}

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
static _Noreturn void end(const struct zs_run *run, pid_t killer, int status)
{
	if (run->scoped) {
		kill(killer, SIGKILL);
		waitpid(killer, NULL, 0);
		/* This call looks at every process of the machine, so it is left out where nothing is left. */
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
static void watchdog_take_signal(int fd, pid_t supervisor, pid_t command)
{
	struct signalfd_siginfo signal;

	if (read(fd, &signal, sizeof signal) != (ssize_t)sizeof signal)
		return;
	if (signal.ssi_signo != SIGCHLD && signal.ssi_code <= 0 && (pid_t)signal.ssi_pid == supervisor)
		kill(command, (int)signal.ssi_signo);
}

static _Noreturn void keep(const struct zs_run *run, pid_t supervisor, pid_t killer, pid_t command, int signals)
{
	struct pollfd events[] = { { signals, POLLIN, 0 }, { run->lifeline[0], POLLIN, 0 } };
	struct zs_run_backstop backstop;

	zs_run_backstop_begin(&backstop, run->policy);
	/* For the same reasons as the mount tier's watch: watch_process.c. */
	setsid();
	zs_use_short_slices();
	for (;;) {
		bool lost = false;
		int status;
		pid_t done;

		while ((done = waitpid(-1, &status, WNOHANG)) > 0)
			if (done == command)
				end(run, killer, zs_exit_code(status));
			else if (done == killer)
				lost = true;
		if (!lost && poll(events, ZS_COUNT(events), zs_run_backstop_timeout(&backstop)) < 0)
			continue;
		if (events[0].revents)
			watchdog_take_signal(signals, supervisor, command);
		if (lost || events[1].revents || zs_run_backstop_timeout(&backstop) == 0) {
			kill(command, SIGKILL);
			end(run, killer, 128 + SIGKILL);
		}
	}
}

bool zs_lifeline_is_cut(const struct zs_run *run)
{
	struct pollfd event = { run->lifeline[0], POLLIN, 0 };

	return poll(&event, 1, 0) != 0;
}

/* kill(-1) would reach all processes of this user if the scope did not hold, so this checks that it does. */
static int check_scope(const struct zs_run *run, pid_t supervisor, struct zs_error *error)
{
	if (!run->scoped || (kill(supervisor, 0) < 0 && errno == EPERM))
		return 0;
	return zs_error_say(error, "", "", ENOTSUP, "Landlock lets signals pass to the supervisor");
}

/* The killer waits for the signal that its parent's end sends. Other signals may come from outside, so it checks. */
_Noreturn void zs_be_killer(pid_t parent, int ready)
{
	sigset_t all;

	sigfillset(&all);
	setsid();
	zs_use_short_slices();
	if (prctl(PR_SET_PDEATHSIG, SIGHUP, 0, 0, 0) < 0 || zs_close_others(ready, -1) < 0 ||
		(ready >= 0 && write(ready, "", 1) != 1))
		_exit(EXIT_FAILURE);
	if (ready >= 0)
		close(ready);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (getppid() == parent)
		sigwaitinfo(&all, NULL);
	kill(-1, SIGKILL);
	_exit(EXIT_SUCCESS);
}

/* The killer's pid, when it is ready, or a negative errno. 0: without scopes it could signal too much, so there is
 * none.
 */
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
	/* If supervisor and watchdog are killed at once, this ends the command. The killer, which there is where
	 * Landlock has scopes, ends what the command has started. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "pdeathsig", errno);
	if (getppid() != watchdog)
		return zs_error_say(error, "", "", ESRCH, "the watchdog has gone");
	r = run->scoped ? zs_landlock_scope_signals() : 0;
	if (r < 0)
		return zs_error_errno(error, "", "landlock", -r);
	if (run->scoped && (kill(watchdog, 0) == 0 || errno != EPERM))
		return zs_error_say(error, "", "", ENOTSUP, "Landlock lets signals pass to the watchdog");
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "dumpable", errno);
	if (sigprocmask(SIG_SETMASK, &run->signal_mask, NULL) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	return 0;
}

int zs_stage_watchdog(struct zs_run *run, struct zs_error *error)
{
	pid_t supervisor = getppid(), self = getpid(), killer, command;
	int signals, r;
	sigset_t all;

	if (zs_lifeline_is_cut(run))
		return zs_error_say(error, "", "", ESRCH, "the supervisor has gone");
	r = check_scope(run, supervisor, error);
	if (r < 0)
		return r;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "subreaper", errno);
	/* As the mount tier's init: the command could otherwise trace it. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return zs_error_errno(error, "", "dumpable", errno);
	sigfillset(&all);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return zs_error_errno(error, "", "signalfd", errno);
	killer = start_killer(run);
	if (killer < 0)
		return zs_error_errno(error, "", "killer", -killer);
	command = zs_fork(0, NULL);
	if (command < 0)
		return zs_error_errno(error, "", "fork", -command);
	if (command > 0)
		keep(run, supervisor, killer, command, signals);
	close(signals);
	return go_on(run, self, error);
}
