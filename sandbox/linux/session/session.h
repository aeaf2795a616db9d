/* A session: namespaces, mounts and locks are made once, and then commands run in them, one after another or side by
 *side.
 *
 *	host ── session parent (outside the pid namespace; confined like the command)
 *	  │       ├─ proxy (if the policy names hosts; one for all runs: proxy.h)
 *	  │       └─ init (pid 1; makes the mounts; ends the session when session parent, runner or host has
 *	  │            │   ended, or when asked to; in the Landlock tier the guard does that: session_guard.c)
 *	  │            └─ observer (if hosts may collect denials: session_observer.c)
 *	  ├──── runner (in the pid namespace; confined like the command; one thread for each run, and one that
 *	  │             waits for a request)
 *	  └──── supervisor of a run (the pid that the host knows)
 *	          └─ command
 *
 * Runner and supervisors are the host's children by CLONE_PARENT. The session parent cannot serve requests itself: a
 * process whose children are in another pid namespace can start no threads (man 2 unshare, CLONE_NEWPID).
 *
 * A supervisor is a process that shares the runner's memory (CLONE_VM): copying that memory would cost more than the
 * whole run apart from the command's exec. It continues on behalf of the thread that has made it, which sleeps
 * meanwhile, so it may use that thread's errno and thread-local data. It may be killed at any moment, so it must hold
 *no lock that other threads want: neither it nor the process that becomes the command may call malloc().
 *
 * The supervisor ends its run. It is the subreaper of all that the command starts. Its thread has a Landlock domain of
 * its own, so kill(-1) of the supervisor reaches that run alone; the thread does it when the supervisor was killed. The
 * command is in one more domain below, so neither it nor what it starts can signal or trace a supervisor, the init or
 * another run. */
#ifndef ZS_SANDBOX_LINUX_SESSION_H
#define ZS_SANDBOX_LINUX_SESSION_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "enforce/backend.h"
#include "linux/limits/run_limits.h"
#include "linux/locks/seccomp_filter.h"
#include "enforce/session_request.h"
#include "linux/base/run_state.h"
#include "linux/files/standard_files.h"
#include "linux/watch/watch.h"

/* With denials. A program of classic BPF, as seccomp_filter.h makes it. */
struct zs_session_program {
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	size_t count;
};

struct zs_session_observer {
	int socket; /* to the observer; -1: no run tells what it refuses */
	struct zs_session_program refusing, observing;
};

/* One run, as its thread of the runner and its supervisor share it. */
struct zs_session_run {
	struct zs_policy *policy;
	zs_become *become;
	struct zs_watch watch; /* this run's copy */
	struct zs_standard_files standard;
	int scope;  /* a Landlock ruleset that only scopes signals */
	bool alone; /* the command leads a session (setsid(2)) of its own */
	struct zs_session_command words;
	int descriptors[ZS_SESSION_STDIO];
	int denials; /* the run's channel (denial_channel.h); -1: nobody collects */
	int over[2]; /* a pipe by which the observer says that it has told all, and how many records were lost */
	const struct zs_session_observer *observer;
	uint32_t reached; /* the limits that have ended the run: ZS_LIMIT_BIT() */
	int complaints;   /* the descriptor of the run's standard error */
	int requests;     /* the host's socket, for the answer */
	/* The command could not be started. The supervisor reports the error. */
	bool failed;
	struct zs_error error;
	/* The runner reads these when the supervisor was killed. */
	atomic_bool answers; /* the supervisor has begun to answer the host */
	atomic_int newborn;  /* the pid of the process that becomes the command, until its exec; or 0 */
	atomic_bool started; /* there may be a process that is or becomes the command */
	atomic_bool ended;   /* no process of the run is left */
	atomic_bool begun;   /* the backstop below counts the wall limit */
	int64_t backstop;
};

/* Becomes the session parent, which is confined already. Returns only on failure before the session is ready. */
int zs_session_parent(struct zs_run *run, int requests, zs_become *become, struct zs_error *error);

/* Becomes the runner, which ends with the host, with the session parent (both are pidfds) or when its socket is closed.
 * Returns only on failure before the session is ready. Uses the watch, the init's socket and the proxy's socket of run.
 */
int zs_session_runner(const struct zs_run *run, int requests, int host, int session_parent, zs_become *become,
	struct zs_error *error);

/* Becomes the supervisor of a run. run: a struct zs_session_run. */
int zs_session_supervise(void *run);

/* Ends the session after an answer that could not be sent or a request that could not be read, since the host cannot
 * know what became of that run. */
void zs_session_give_up(int requests);

/* Called by the process that becomes the command: lets the observer look at its calls. channel: -1: nobody collects.
 * over: the end of the pipe. 0, or a negative errno. */
int zs_session_observe(const struct zs_session_observer *observer, int channel, int over);

/* The stack that zs_session_supervise() needs. */
enum { ZS_SESSION_STACK_BYTES = 192 * 1024 };

/* The requests of session parent and runner to the init, each a message of one byte. Landlock's scope forbids them to
 * send the init a signal. */
enum {
	ZS_SESSION_END = 'e',         /* end the session, as the end of file of the socket does */
	ZS_SESSION_END_ORPHANS = 'o', /* a supervisor was killed: end the processes that it has left */
};

/* Opens pidfds of the host and of the session parent, which is the caller, and stores them in run. */
int zs_session_open_ends(struct zs_run *run, struct zs_error *error);

/* Waits for the next request to the init or the guard. It is ZS_SESSION_END as well when the session parent, the host,
 * or all processes that hold the other end of the socket have ended; then *ret_asked is false. */
char zs_session_next(const struct zs_run *run, int socket, bool *ret_asked);

/* Forks a process that passes these stages, answers over the other end of run->init, and calls `serve`, which never
 * returns and has that end as `alive`. Waits for the answer. */
int zs_session_start_init(struct zs_run *run, enum zs_stages stages, void (*serve)(struct zs_run *run, int alive),
	struct zs_error *error);

/* The error for a host in another pid namespace, to which the pids of runs would mean nothing. */
int zs_session_refuse_host(struct zs_error *error);

/* A Landlock ruleset that only scopes signals, or a negative errno. */
int zs_session_make_scope(struct zs_error *error);

#endif
