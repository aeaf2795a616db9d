/* The watch of a run in the mount tier: the process that starts the command, ends the run, and looks after names that
 * must not appear or change (watch.h).
 *
 *	supervisor (the pid that the caller knows)
 *	  └─ watch, pid 1 of a pid namespace of its own
 *	       ├─ init, pid 1 of the namespace below it (init.c)
 *	       └─ command, pid 2 there, with all that it starts
 *
 * The command can name only processes of the lower namespace. So it cannot signal the watch, nor change its scheduling
 * or its limits. The watch can signal all processes of the run by one call that no fork outruns, and none of them needs
 * to get a processor first. When the watch ends, however it ends, the kernel ends both namespaces. When the supervisor
 * ends, however it ends, the watch reads end of file from a pipe, ends the run, and looks a last time. */
#include "linux/base/stage.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/files/disk_tmp.h"
#include "linux/run/background.h"
#include "linux/run/lifeline.h"
#include "linux/trace/denial_channel.h"
#include "linux/watch/watch.h"

enum {
	CANNOT_ENFORCE = 125,    /* as in supervisor.c */
	STACK_BYTES = 64 * 1024, /* of the command's process until its exec */
	LOG_AFTER_MS = 250,      /* a shorter run keeps no log, which takes long to close */
};

/* The init is the last process of its namespace, so when it has been reaped nothing is left there. */
static _Noreturn void end_run(struct zs_run *run, int code, bool killed)
{
	if (run->killed)
		*run->killed = killed;
	if (!killed)
		zs_background_tell(run, 0);
	close(run->init);
	do
		kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
	if (zs_disk_tmp_tell_full(run->policy, code) && run->denials >= 0)
		zs_denial_send_limit(run->denials, ZS_LIMIT_TMP);
	_exit(zs_watch_end(run->watch, code));
}

static bool watch_take_signal(struct zs_run *run, const struct signalfd_siginfo *signal, pid_t command)
{
	/* From dnotify. Standard signals are not queued (man 7 signal), so a SIGIO that the supervisor has passed on
	 * may stand for one from dnotify as well. */
	if (signal->ssi_signo == SIGIO && !zs_watch_look(run->watch))
		return false;
	/* From begin_log_later(), or the watch waits for git's index. */
	if (signal->ssi_signo == SIGALRM && signal->ssi_code == SI_KERNEL) {
		zs_watch_log_begin(run->watch);
		return zs_watch_look(run->watch);
	}
	/* A signal from outside: its sender has no pid in this namespace. */
	if (signal->ssi_signo != SIGCHLD && signal->ssi_code <= 0 && signal->ssi_pid == 0)
		kill(command, (int)signal->ssi_signo);
	return true;
}

/* Until its exec this process shares the watch's memory, and like the watch it cannot be traced. The exec makes it
 * traceable again (man 2 PR_SET_DUMPABLE). */
static int become_command(void *arg)
{
	struct zs_run *run = arg;
	struct zs_error error;
	int status = CANNOT_ENFORCE, r = 0;

	if (run->alone)
		setsid();
	if (sigprocmask(SIG_SETMASK, &run->signal_mask, NULL) < 0)
		r = zs_error_errno(&error, "command", "sigprocmask", errno);
	if (r == 0)
		r = run->pass(run, ZS_STAGES_OF_COMMAND, &error);
	if (r == 0)
		status = run->become(run->argv, run->env, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	return status;
}

/* Works as vfork(2): the kernel copies no memory that the exec would throw away. */
static pid_t command_start(struct zs_run *run)
{
	_Alignas(16) char stack[STACK_BYTES];

	return clone(become_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, run);
}

/* Without a timer there is no log. */
static void begin_log_later(void)
{
	const struct itimerval later = { .it_value.tv_usec = LOG_AFTER_MS * 1000 };

	setitimer(ITIMER_REAL, &later, NULL);
}

int zs_stage_command(struct zs_run *run, struct zs_error *error)
{
	int signals, none, code, r;
	pid_t command;
	bool killed;

	if (zs_lifeline_is_cut(run))
		return zs_error_say(error, "", "", ESRCH, "the supervisor has ended");
	close(run->supervisor);
	r = zs_result_receive(run->init, &none);
	if (r < 0)
		return zs_error_errno(error, "", "init", -r);
	signals = zs_lifeline_signals(error);
	if (signals < 0)
		return signals;
	run->watch->mounter = run->init;
	command = command_start(run);
	if (command < 0)
		return zs_error_errno(error, "", "clone", errno);
	begin_log_later();
	/* When the init ends, the kernel kills the command. */
	code = zs_lifeline_wait(run, command, 0, signals, watch_take_signal, &killed);
	end_run(run, code, killed);
}
