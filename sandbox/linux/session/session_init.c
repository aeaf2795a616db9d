/* The init of a session: pid 1 of its pid namespace. It makes the mounts, reaps orphans, ends them when the runner
 * asks, and ends the session. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "base/scheduling.h"
#include "linux/session/session.h"
#include "linux/base/stage.h"
#include "linux/base/mount_calls.h"
#include "linux/files/cache_layers.h"
#include "linux/files/public.h"
#include "linux/watch/journal.h"

/* Orphans that are left after this many rounds fork faster than they are found. Then the init ends the session. */
enum { ROUNDS_MAX = 100 };

/* Mounts a proc for the init alone, since the policy may grant no /proc. No path leads to it. */
int zs_stage_processes(struct zs_run *run, struct zs_error *error)
{
	ZS_AUTO_FD int mount = zs_proc_new();

	if (mount < 0)
		return zs_error_errno(error, "", "/proc", -mount);
	/* A descriptor of the root directory and not of the mount: closing the last one of a detached mount waits for
	 * the kernel (namespace_unlock() in fs/namespace.c), which takes seconds beside a command that keeps all
	 * processors busy. */
	run->processes = openat(mount, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return run->processes < 0 ? zs_error_errno(error, "", "/proc", errno) : 0;
}

static int await_process(pid_t pid, void *arg)
{
	ZS_AUTO_FD int process = pid <= 1 ? -1 : zs_pidfd_open(pid);

	(void)arg;
	if (process >= 0)
		zs_await_readable(process);
	return 0;
}

static _Noreturn void end_all(struct zs_run *run)
{
	/* No fork escapes this kill: fork(2) fails in a process that has been killed (copy_process() in kernel/fork.c).
	 */
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {
	}
	/* The host reaps the runner and the supervisors. Until they are dead, they are the parents of what they have
	 * started, so this process waits for all of these by their pidfds. */
	zs_proc_each(run->processes, await_process, NULL);
	zs_journal_settle(run->journal);
	_exit(0);
}

/* A process of a run becomes a child of the init when its supervisor was killed. */
static bool is_child(pid_t pid)
{
	siginfo_t ignored;

	return waitid(P_PID, (id_t)pid, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static int kill_child(pid_t pid, void *arg)
{
	int *count = arg;

	if (pid > 1 && is_child(pid)) {
		kill(pid, SIGKILL);
		++*count;
	}
	return 0;
}

/* When a child is killed, its own children become children of the init, so one round may not be enough. */
static void end_orphans(struct zs_run *run)
{
	for (int round = 0; round < ROUNDS_MAX; round++) {
		int count = 0;

		if (zs_proc_each(run->processes, kill_child, &count) < 0)
			break;
		/* At least the killed ones end. */
		for (int i = 0; i < count; i++)
			waitpid(-1, NULL, 0);
		if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
			return;
	}
	end_all(run);
}

char zs_session_next(const struct zs_run *run, int socket, bool *ret_asked)
{
	struct pollfd events[] = { { run->session_parent, POLLIN, 0 }, { run->host, POLLIN, 0 },
		{ socket, POLLIN, 0 } };
	char request;

	*ret_asked = false;
	for (;;) {
		if (poll(events, ZS_COUNT(events), -1) < 0)
			continue;
		if (events[0].revents || events[1].revents)
			return ZS_SESSION_END;
		*ret_asked = recv(socket, &request, 1, 0) == 1;
		return *ret_asked ? request : ZS_SESSION_END;
	}
}

/* Only processes that a killed supervisor has left become children of the init, so it reaps when the runner asks. Such
 * a supervisor has not looked a last time at the protected names, so the init does. The init learns from the socket
 * that the runner and the session parent have ended: Landlock's scope forbids a signal from their domain
 * (PR_SET_PDEATHSIG). */
static void session_init_serve(struct zs_run *run, int session_parent)
{
	bool asked;

	/* For the reasons of the watch of a run: watch_process.c. */
	setsid();
	zs_use_short_slices();
	while (zs_session_next(run, session_parent, &asked) == ZS_SESSION_END_ORPHANS) {
		end_orphans(run);
		zs_journal_look(run->journal);
	}
	end_all(run);
}

/* Closes the host's socket here (standard input), so that only the runner holds it, and its end of file says that the
 * runner has ended. */
static int session_init_set_up(struct zs_error *error)
{
	if (dup2(STDOUT_FILENO, STDIN_FILENO) < 0)
		return zs_error_errno(error, "init", "dup2", errno);
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return zs_error_errno(error, "init", "dumpable", errno);
	return 0;
}

int zs_session_start_init(
	struct zs_run *run, enum zs_stages stages, void (*serve)(struct zs_run *run, int alive), struct zs_error *error)
{
	int alive[2], r;
	sigset_t all;
	pid_t init;

	r = zs_session_open_ends(run, error);
	if (r < 0)
		return r;
	/* As in zs_stage_supervisor(); the runner stays in the host's session. */
	run->alone = !zs_has_terminal();
	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, NULL) < 0)
		return zs_error_errno(error, "", "sigprocmask", errno);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, alive) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	init = zs_fork(0, NULL);
	if (init < 0)
		return zs_error_errno(error, "", "fork", -init);
	if (init == 0) {
		close(alive[0]);
		if (run->observer >= 0)
			close(run->observer);
		if (run->proxy.pid > 0)
			close(run->proxy.socket);
		r = session_init_set_up(error);
		if (r == 0)
			r = run->pass(run, stages, error);
		if (zs_session_answer(alive[1], r, error) == 0 && r == 0)
			serve(run, alive[1]);
		_exit(EXIT_FAILURE);
	}
	/* Otherwise this process would hold the init's end open. */
	if (close(alive[1]) < 0)
		return zs_error_errno(error, "", "close", errno);
	run->init = alive[0];
	run->init_process = init;
	run->journal->watch = init;
	return zs_session_await(alive[0], NULL, error);
}

int zs_stage_session_init(struct zs_run *run, struct zs_error *error)
{
	static const char own_mounts[] = "/proc/self/ns/mnt";
	ZS_AUTO_FD int mounts = open(own_mounts, O_RDONLY | O_CLOEXEC);
	int pair[2] = { -1, -1 }, r;

	if (mounts < 0)
		return zs_error_errno(error, "", own_mounts, errno);
	if (run->collects && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	run->observer = pair[0];
	run->observed = pair[1];
	r = zs_session_start_init(run, ZS_STAGES_OF_INIT, session_init_serve, error);
	if (run->observed >= 0)
		close(run->observed);
	run->observed = -1;
	zs_cache_layers_end(run->caches);
	zs_public_end(&run->public);
	/* The init has changed this mount namespace. Entering it again makes its new root directory this process's root
	 * and working directory (mntns_install() in fs/namespace.c). */
	if (r == 0 && setns(mounts, CLONE_NEWNS) < 0)
		return zs_error_errno(error, "", "setns", errno);
	return r;
}
