/* A run of a session: its supervisor, and the process that becomes the command. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
#include "linux/files/disk_tmp.h"
#include "linux/files/standard_files.h"
#include "linux/locks/locks.h"
#include "linux/run/supervisor.h"
#include "linux/trace/denial_channel.h"
#include "linux/watch/watch.h"

enum {
	CANNOT_ENFORCE = 125,    /* as in supervisor.c */
	STACK_BYTES = 64 * 1024, /* of the command's process until its exec */
};

static const char step[] = "session";

/* Answers the request, once. The kernel adds this process's pid, as the host sees it (man 7 unix, SO_PASSCRED). */
ZS_ON_ANY_STACK static void answer(struct zs_session_run *run)
{
	/* Noted before it is sent: the host may kill this process as soon as it knows the pid, and the runner must not
	 * answer again. */
	atomic_store(&run->answers, true);
	if (zs_session_answer(run->requests, ZS_SESSION_STARTED, NULL) < 0) {
		zs_session_give_up(run->requests);
		_exit(EXIT_FAILURE);
	}
	close(run->requests);
}

/* Reports the error as the run's own, and exits with 125. The host waits for this run as for any other. */
ZS_ON_ANY_STACK static void refuse(struct zs_session_run *run, struct zs_error *error)
{
	if (!atomic_load(&run->answers))
		answer(run);
	error->step = step;
	zs_error_write_last(run->complaints, error);
	_exit(CANNOT_ENFORCE);
}

static void refuse_errno(struct zs_session_run *run, const char *object, int cause)
{
	struct zs_error error;

	zs_error_errno(&error, "", object, cause);
	refuse(run, &error);
}

/* Makes the host's three descriptors this process's standard ones. */
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

/* Takes all steps before the exec. */
static int confine_command(struct zs_session_run *run, pid_t supervisor)
{
	struct zs_run limited = { .policy = run->policy };
	struct zs_error *error = &run->error;
	sigset_t none;
	int r;

	if (run->alone)
		setsid();
	r = zs_landlock_restrict(run->scope);
	if (r < 0)
		return zs_error_errno(error, step, "restrict_self", -r);
	/* The domain alone keeps the command from signalling its supervisor and other runs, so this checks that it
	 * holds. */
	if (kill(supervisor, 0) == 0 || errno != EPERM)
		return zs_error_errno(error, step, "Landlock lets signals pass", ENOTSUP);
	if (chdir(run->words.cwd) < 0) {
		r = zs_error_errno(error, step, run->words.cwd, errno);
		return zs_error_hint(error, r,
			"the working directory must be granted, or be the one in which the host opened the session");
	}
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return zs_error_errno(error, step, "sigprocmask", errno);
	/* Before limits: it takes a descriptor. */
	r = zs_session_observe(run->observer, run->denials, run->over[1]);
	if (r < 0)
		return zs_error_errno(error, step, "denials", -r);
	r = zs_stage_limits(&limited, error);
	if (r < 0)
		error->step = step;
	return r;
}

/* Until its exec this process shares the supervisor's memory, and the supervisor waits. An error is left in run for the
 * supervisor to report: the host does not read the run's standard error before it has its answer. */
static int become_command(void *arg)
{
	struct zs_session_run *run = arg;
	int status = CANNOT_ENFORCE;

	if (confine_command(run, getppid()) == 0)
		status = run->become(run->words.argv, run->words.envp, &run->error);
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

/* Ends what is left of the run. This process is the subreaper of the run, so when it has no child, no process of the
 * run is left. The kill reaches all processes of its Landlock domain and below, which are the run's. None escapes by a
 * fork: fork(2) fails in a process that has been killed (copy_process() in kernel/fork.c). */
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

/* Waits for the command. Returns its exit code. */
static int await(struct zs_session_run *run, pid_t child, int signals)
{
	const struct zs_run_cgroups cgroups = zs_run_cgroups_none();
	struct zs_standard_files none = { 0 };
	struct zs_run of_tier = { .policy = run->policy,
		.watch = &run->watch,
		.standard = &none,
		.proxy.names = -1,
		.shared = true,
		.alone = run->alone };
	struct zs_run_limits limits;
	struct rusage usage;
	int status, r;

	zs_run_limits_begin(&limits, run->policy, &cgroups);
	run->backstop = zs_run_backstop(run->policy);
	atomic_store(&run->begun, true);
	r = zs_supervise(&of_tier, child, -1, signals, &limits, &status, &usage);
	if (r < 0)
		refuse_errno(run, "wait4", -r);
	zs_run_limits_end(&limits, status, &usage);
	run->reached = limits.said;
	return zs_exit_code(status);
}

/* The host's collector gets the end behind all records. */
static void tell_denials(const struct zs_session_run *run, int status)
{
	struct pollfd event = { run->over[0], POLLIN, 0 };
	unsigned untold = 0;

	if (run->denials < 0)
		return;
	/* The observer has ended if nothing comes. */
	if (poll(&event, 1, ZS_DENIAL_WAIT_MS) <= 0 || read(run->over[0], &untold, sizeof untold) < 0)
		untold = 0;
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		if (run->reached & ZS_LIMIT_BIT(limit))
			zs_denial_send_limit(run->denials, limit);
	zs_denial_send_end(run->denials, status, untold);
}

ZS_ON_ANY_STACK int zs_session_supervise(void *arg)
{
	struct zs_session_run *run = arg;
	struct zs_error error;
	sigset_t all;
	int signals, status, r;
	pid_t child;

	take_standard(run);
	r = zs_close_range_but((const int[]){ run->scope, run->requests, run->observer->socket, run->denials }, 4);
	if (r < 0)
		refuse_errno(run, "close_range", -r);
	/* The runner has blocked them already; this does not depend on it. */
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
	run->over[0] = run->over[1] = -1;
	if (run->denials >= 0 && pipe2(run->over, O_CLOEXEC) < 0)
		refuse_errno(run, "pipe", errno);
	child = session_run_start(run);
	if (child < 0)
		refuse_errno(run, "clone", errno);
	/* The answer comes only now, while the command already runs: waking the host takes longer than all of the
	 * above. */
	answer(run);
	if (run->failed)
		zs_error_write_last(run->complaints, &run->error);
	close(run->scope);
	if (run->denials >= 0)
		close(run->over[1]);
	/* This process leaves the host's session, in which the command may be: zs_lifeline_wait() says why. */
	setsid();
	status = await(run, child, signals);
	end_rest();
	zs_standard_put_back(&run->standard);
	if (zs_disk_tmp_tell_full(run->policy, status))
		run->reached |= ZS_LIMIT_BIT(ZS_LIMIT_TMP);
	status = zs_watch_end(&run->watch, status);
	tell_denials(run, status);
	atomic_store(&run->ended, true);
	_exit(status);
}
