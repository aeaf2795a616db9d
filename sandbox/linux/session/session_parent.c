/* The session parent: outside of the session's pid namespace it starts the runner, and ends the session when the runner
 * or the init has ended. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/network/proxy.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "base/scheduling.h"
#include "linux/session/session.h"
#include "linux/base/run_state.h"
#include "linux/watch/journal.h"

enum { RUNNER, INIT, PROXY, EVENTS };

/* How long the session parent waits for the end of an init that was killed. */
enum { LOOK_MS = 300 };

static int open_process(pid_t pid, const char *name, struct zs_error *error)
{
	int fd = zs_pidfd_open(pid);

	return fd < 0 ? zs_error_errno(error, "session", name, -fd) : fd;
}

static _Noreturn void be_runner(const struct zs_run *run, int requests, int host, int session_parent, zs_become *become)
{
	struct zs_error error;
	int r = zs_session_runner(run, requests, host, session_parent, become, &error);

	zs_session_answer(requests, r, &error);
	_exit(EXIT_FAILURE);
}

int zs_session_refuse_host(struct zs_error *error)
{
	return zs_error_say(error, "session", "host", EOPNOTSUPP, "its children are in another pid namespace");
}

int zs_session_open_ends(struct zs_run *run, struct zs_error *error)
{
	pid_t parent = getppid();

	if (parent == 0)
		return zs_session_refuse_host(error);
	run->host = open_process(parent, "host", error);
	if (run->host < 0)
		return run->host;
	run->session_parent = open_process(getpid(), "session parent", error);
	return run->session_parent < 0 ? run->session_parent : 0;
}

/* A pidfd of the runner, or a negative errno. The runner is a child of the host. */
static int start_runner(const struct zs_run *run, int requests, zs_become *become, struct zs_error *error)
{
	pid_t pid;
	int runner;

	pid = zs_fork(CLONE_PARENT | CLONE_PIDFD, &runner);
	if (pid < 0)
		return zs_error_errno(error, "session", "clone", -pid);
	if (pid == 0)
		be_runner(run, requests, run->host, run->session_parent, become);
	return runner;
}

/* The init has looked a last time at the protected names, unless it was killed. Then the session parent does it. All
 * processes of the session are dead when the killed init has ended, which the kernel delays until the host has reaped
 * the supervisors. When that takes long, the next start in the workspace looks once more. */
static void look(struct zs_run *run)
{
	struct pollfd event = { -1, POLLIN, 0 };

	if (!zs_journal_is_due(run->journal))
		return;
	event.fd = zs_pidfd_open(run->journal->watch);
	if (event.fd >= 0 && poll(&event, 1, LOOK_MS) > 0)
		zs_journal_settle(run->journal);
	else
		zs_journal_look(run->journal);
}

/* Ends the session. In the mount tier the runner ends first and with it the supervisors; what they leave becomes the
 * init's, which ends it and closes its socket when nothing is left. In the Landlock tier kill(-1) ends all processes of
 * this one's domain at once, and the guard waits for their end. Nobody waits for the end of the init itself: the kernel
 * may delay it until the host has reaped the supervisors (zap_pid_ns_processes() in kernel/pid_namespace.c). */
static _Noreturn void end_session(struct zs_run *run, int runner)
{
	const char request = ZS_SESSION_END;

	if (run->policy->tier == ZS_TIER_LANDLOCK)
		kill(-1, SIGKILL);
	zs_await_readable(runner);
	send(run->init, &request, 1, MSG_NOSIGNAL);
	zs_await_readable(run->init);
	look(run);
	if (run->proxy.pid > 0)
		zs_proxy_end(run);
	if (run->policy->tier == ZS_TIER_LANDLOCK)
		waitpid(-1, NULL, 0);
	_exit(0);
}

/* Returns when the runner or the init has ended. When the proxy has ended, the session goes on: the kernel refuses the
 * connections of present runs, since nobody listens, and the runner refuses new runs. */
static void session_parent_watch(struct zs_run *run, int runner)
{
	struct pollfd events[] = {
		[RUNNER] = { runner, POLLIN, 0 },
		[INIT] = { run->init, POLLIN, 0 },
		[PROXY] = { run->proxy.pid > 0 ? run->proxy.socket : -1, POLLIN, 0 },
	};

	while (!events[RUNNER].revents && !events[INIT].revents) {
		if (poll(events, EVENTS, -1) <= 0 || !events[PROXY].revents)
			continue;
		zs_proxy_end(run);
		run->proxy.pid = 0;
		events[PROXY] = (struct pollfd){ -1, POLLIN, 0 };
	}
}

int zs_session_parent(struct zs_run *run, int requests, zs_become *become, struct zs_error *error)
{
	int runner;

	/* The memory of this process, and of the runner and the supervisors, holds every run's input, so it must not be
	 * readable for the runs. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return zs_error_errno(error, "session", "dumpable", errno);
	runner = start_runner(run, requests, become, error);
	if (runner < 0)
		return runner;
	/* Only the runner holds this socket from here on, so its end of file tells the host that the runner has
	 * ended. */
	close(requests);
	/* The runner does not call this: beside a terminal its commands stay in the host's session and process group.
	 */
	setsid();
	zs_use_short_slices();
	session_parent_watch(run, runner);
	end_session(run, runner);
}
