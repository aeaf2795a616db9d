/* A run of a session: its supervisor, and what becomes the command. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/any_stack.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/limits/run_limits.h"
#include "linux/session/session.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"
#include "linux/files/standard_files.h"
#include "linux/locks/locks.h"
#include "linux/run/supervisor.h"
#include "linux/watch/watch.h"

enum {
	CANNOT_ENFORCE = 125,    /* as of the shim */
	STACK_BYTES = 64 * 1024, /* of the command's process until its exec */
};

static const char step[] = "session";

/* Once. The message says who it is from (man 7 unix, SO_PASSCRED), by the pid that the host knows. */
ZS_ON_ANY_STACK static void answer(struct zs_session_run *run)
{
	/* Before: the host may kill us as soon as it knows our pid, and is to have one answer. */
	atomic_store(&run->answers, true);
	if (zs_session_answer(run->requests, ZS_SESSION_STARTED, NULL) < 0) {
		zs_session_give_up(run->requests);
		_exit(EXIT_FAILURE);
	}
	close(run->requests);
}

/* The host waits for a run that has not begun as for any other. Never returns. */
ZS_ON_ANY_STACK static void refuse(struct zs_session_run *run, struct zs_error *error)
{
	if (!atomic_load(&run->answers))
		answer(run);
	error->step = step;
	run->calls->say(run->complaints, error);
	_exit(CANNOT_ENFORCE);
}

static void refuse_errno(struct zs_session_run *run, const char *object, int cause)
{
	struct zs_error error;

	zs_error_errno(&error, "", object, cause);
	refuse(run, &error);
}

/* Ours are the host's three from here on. */
static void take_standard(struct zs_session_run *run)
{
	struct zs_error error;
	int r;

	run->complaints = run->descriptors[STDERR_FILENO];
	for (int i = 0; i < ZS_SESSION_STDIO; i++)
		if (dup2(run->descriptors[i], i) < 0)
			refuse_errno(run, "dup2", errno);
	run->complaints = STDERR_FILENO;
	if (zs_standard_check(run->policy, &error) < 0)
		refuse(run, &error);
	r = zs_standard_note(&run->standard);
	if (r == 0 && run->policy->tier == ZS_TIER_MOUNTS)
		r = zs_standard_reopen(-1);
	if (r < 0)
		refuse_errno(run, "standard descriptors", -r);
}

/* Up to the exec. */
static int confine_command(struct zs_session_run *run, pid_t supervisor)
{
	struct zs_run limited = { .policy = run->policy };
	struct zs_error *error = &run->error;
	sigset_t none;
	int r = zs_landlock_restrict(run->scope);

	if (r < 0)
		return zs_error_errno(error, step, "restrict_self", -r);
	/* It is what keeps the command from ending its supervisor, and by itself no other run: no mere promise. */
	if (kill(supervisor, 0) == 0 || errno != EPERM)
		return zs_error_errno(error, step, "Landlock lets signals pass", ENOTSUP);
	if (chdir(run->words.cwd) < 0) {
		r = zs_error_errno(error, step, run->words.cwd, errno);
		return zs_error_hint(
			error, r, "a working directory must be granted, or be the host's when the session was opened");
	}
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return zs_error_errno(error, step, "sigprocmask", errno);
	r = zs_stage_limits(&limited, error);
	if (r < 0)
		error->step = step;
	return r;
}

/* Until its exec this process shares the supervisor's memory, and the supervisor waits; so does the host for its
 * answer, and reads nothing. The supervisor reports instead. */
static int become_command(void *arg)
{
	struct zs_session_run *run = arg;
	int status = CANNOT_ENFORCE;

	if (confine_command(run, getppid()) == 0)
		status = run->calls->become(run->words.argv, run->words.envp, &run->error);
	run->failed = true;
	return status;
}

static pid_t session_run_start(struct zs_session_run *run)
{
	_Alignas(16) char stack[STACK_BYTES];
	pid_t child;

	atomic_store(&run->started, true);
	child = clone(become_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD, run,
		(pid_t *)(void *)&run->newborn);
	atomic_store(&run->newborn, 0);
	return child;
}

/* As subreaper we are the parent of each orphan of the run's, so that no child is no process. The kill reaches those of
 * our Landlock domain and below, which is the run, and all of them at once: fork(2) fails in a process that has been
 * killed (copy_process() in kernel/fork.c), so none is missed. */
static void end_rest(void)
{
	pid_t done;

	while ((done = waitpid(-1, NULL, WNOHANG)) >= 0 || errno == EINTR) {
		if (done != 0)
			continue;
		kill(-1, SIGKILL);
		waitpid(-1, NULL, 0);
	}
}

/* Waits for the command, and says its status. */
static int await(struct zs_session_run *run, pid_t child, int signals)
{
	const struct zs_run_cgroups cgroups = zs_run_cgroups_none();
	struct zs_standard_files none = { 0 };
	struct zs_run of_tier = { .policy = run->policy, .watch = &run->watch, .standard = &none, .shared = true };
	struct zs_run_limits limits;
	struct rusage usage;
	int status, r;

	zs_run_limits_begin(&limits, run->policy, &cgroups);
	zs_run_backstop_begin(&run->backstop, run->policy);
	atomic_store(&run->begun, true);
	r = zs_supervise(&of_tier, child, -1, signals, &limits, &status, &usage);
	if (r < 0)
		refuse_errno(run, "wait4", -r);
	zs_run_limits_end(&limits, status, &usage);
	return zs_exit_code(status);
}

ZS_ON_ANY_STACK int zs_session_supervise(void *arg)
{
	struct zs_session_run *run = arg;
	struct zs_error error;
	sigset_t all;
	int signals, status, r;
	pid_t child;

	take_standard(run);
	r = zs_close_range_but(run->scope, run->requests);
	if (r < 0)
		refuse_errno(run, "close_range", -r);
	/* As the runner's are; not to depend on that. */
	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, NULL) < 0)
		refuse_errno(run, "sigprocmask", errno);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		refuse_errno(run, "signalfd", errno);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		refuse_errno(run, "subreaper", errno);
	if (zs_watch_begin(&run->watch, &error) < 0)
		refuse(run, &error);
	child = session_run_start(run);
	if (child < 0)
		refuse_errno(run, "clone", errno);
	/* Only now: the host's awakening costs us more than all of the above, and the command goes on meanwhile. */
	answer(run);
	if (run->failed)
		run->calls->say(run->complaints, &run->error);
	close(run->scope);
	/* The command stays in the host's, and with it what competes for a processor (watch_process.c). */
	setsid();
	status = await(run, child, signals);
	end_rest();
	zs_standard_put_back(&run->standard);
	if (!zs_watch_end(&run->watch))
		status = CANNOT_ENFORCE;
	atomic_store(&run->ended, true);
	_exit(status);
}
