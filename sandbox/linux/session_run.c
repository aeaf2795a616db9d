/* A run of a session: its supervisor, and what becomes the command. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "run_limits.h"
#include "session.h"
#include "stage.h"

enum {
	SCOPE = STDERR_FILENO + 1, /* where the ruleset is in the end */
	CANNOT_ENFORCE = 125,      /* as of the shim */
	STACK_BYTES = 64 * 1024,   /* of the command's process until its exec */
};

struct command {
	const struct zs_session_run *run;
	struct zs_session_command words;
};

/* Never returns. */
static void refuse(const struct zs_session_run *run, struct zs_error *error)
{
	error->step = "session";
	run->calls->refuse(run->complaints, error);
	_exit(EXIT_FAILURE);
}

static void refuse_errno(const struct zs_session_run *run, const char *object, int cause)
{
	struct zs_error error;

	zs_error_errno(&error, "", object, cause);
	refuse(run, &error);
}

/* Ours are the host's three from here on. Standard input was the steward's socket. */
static void take_standard(struct zs_session_run *run)
{
	struct zs_error error;

	run->complaints = run->descriptors[STDERR_FILENO];
	for (int i = 0; i < ZS_SESSION_STDIO; i++)
		if (dup2(run->descriptors[i], i) < 0)
			refuse_errno(run, "dup2", errno);
	run->complaints = STDERR_FILENO;
	if (zs_standard_check(run->policy, &error) < 0)
		refuse(run, &error);
}

static int read_body(int fd, char *body, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = pread(fd, body + done, bytes - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EBADMSG;
		done += (size_t)got;
	}
	return 0;
}

/* What it points at lives as long as this process. */
static struct zs_session_command read_words(const struct zs_session_run *run)
{
	struct zs_session_command words = { 0 };
	const char *body = run->body;
	int r = 0;

	if (run->head.bytes > ZS_SESSION_BYTES_MAX)
		refuse_errno(run, "request", E2BIG);
	if (!zs_session_is_inline(&run->head)) {
		char *room = malloc(run->head.bytes);

		r = room ? read_body(run->descriptors[ZS_SESSION_STDIO], room, run->head.bytes) : -ENOMEM;
		body = room;
	}
	if (r == 0)
		r = zs_session_unpack(&run->head, body, run->body_bytes, &words);
	if (r < 0)
		refuse_errno(run, "request", -r);
	return words;
}

/* All that the steward has open stays behind, but the ruleset. */
static void close_others(const struct zs_session_run *run)
{
	if (run->scope != SCOPE && dup3(run->scope, SCOPE, O_CLOEXEC) < 0)
		refuse_errno(run, "dup3", errno);
	if (syscall(SYS_close_range, SCOPE + 1u, UINT_MAX, 0u) < 0)
		refuse_errno(run, "close_range", errno);
}

/* Until its exec this process shares the supervisor's memory, and the supervisor waits. */
static int become_command(void *arg)
{
	const struct command *command = arg;
	const struct zs_session_run *run = command->run;
	struct zs_run limited = { .policy = run->policy };
	pid_t supervisor = getppid();
	struct zs_error error;
	sigset_t none;
	int r = zs_landlock_restrict(SCOPE);

	if (r < 0)
		refuse_errno(run, "restrict_self", -r);
	/* It is what keeps the command from ending its supervisor, and by itself no other run: no mere promise. */
	if (kill(supervisor, 0) == 0 || errno != EPERM)
		refuse_errno(run, "Landlock lets signals pass", ENOTSUP);
	if (chdir(command->words.cwd) < 0) {
		zs_error_errno(&error, "", command->words.cwd, errno);
		zs_error_hint(
			&error, 0, "a working directory must be granted, or be the host's when the session was opened");
		refuse(run, &error);
	}
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		refuse_errno(run, "sigprocmask", errno);
	if (zs_stage_limits(&limited, &error) < 0)
		refuse(run, &error);
	run->calls->become(command->words.argv, command->words.envp);
	return EXIT_FAILURE;
}

static pid_t start(struct command *command)
{
	_Alignas(16) char stack[STACK_BYTES];

	return clone(become_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, command);
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
	struct zs_run of_tier = { .policy = run->policy, .watch = run->watch };
	struct zs_run_limits limits;
	struct rusage usage;
	int status, r;

	zs_run_limits_begin(&limits, run->policy, &cgroups);
	r = zs_supervise(&of_tier, child, -1, signals, &limits, &status, &usage);
	if (r < 0)
		refuse_errno(run, "wait4", -r);
	zs_run_limits_end(&limits, status, &usage);
	run->watch = of_tier.watch;
	return zs_exit_code(status);
}

_Noreturn void zs_session_supervise(struct zs_session_run *run)
{
	struct command command = { .run = run };
	struct zs_error error;
	sigset_t all;
	int r, signals, status;
	pid_t child;

	take_standard(run);
	command.words = read_words(run);
	close_others(run);
	/* As the steward's are; not to depend on that. */
	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, NULL) < 0)
		refuse_errno(run, "sigprocmask", errno);
	signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		refuse_errno(run, "signalfd", errno);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		refuse_errno(run, "subreaper", errno);
	r = zs_landlock_restrict(SCOPE);
	if (r < 0)
		refuse_errno(run, "restrict_self", -r);
	if (zs_watch_begin(&run->watch, &error) < 0)
		refuse(run, &error);
	child = start(&command);
	if (child < 0)
		refuse_errno(run, "clone", errno);
	close(SCOPE);
	status = await(run, child, signals);
	end_rest();
	if (!zs_watch_end(&run->watch))
		status = CANNOT_ENFORCE;
	atomic_store(run->ended, true);
	_exit(status);
}
