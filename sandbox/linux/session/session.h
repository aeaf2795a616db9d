/* A session: namespaces, mounts and locks made once, and commands run in them one after another or side by side.
 *
 *	host ── session parent (outside the pid namespace; confined like the command)
 *	  │       ├─ proxy (if the policy names hosts; for all runs: proxy.h)
 *	  │       └─ init (pid 1; makes the mounts; ends all, when parent or runner has ended or says so;
 *	  │                in the Landlock tier: session_guard.c)
 *	  ├──── runner (in it, the same; a thread for each run, and one that waits for a request)
 *	  └──── supervisor of a run (the pid that the host knows)
 *	          └─ command
 *
 * Runner and supervisors are the host's children by CLONE_PARENT. The runner is there because a process that has left
 * its children another pid namespace can start no threads. A supervisor is a process of its own in the runner's memory:
 * a copy of that would cost more than all the rest of a run but the command's exec. It goes on as if it were the thread
 * that has made it, which sleeps meanwhile, so that errno and the C library's other notes about a thread are its own.
 * Since it may be killed at any moment it takes no lock that others want: neither it, nor what becomes the command, may
 * call malloc().
 *
 * A run's end is its supervisor's: subreaper of all that the command starts, and in a Landlock domain of its thread's
 * own, which is what its kill(-1) reaches, and the thread's when the supervisor was killed. The command is in a domain
 * below that one, so neither it nor what it starts can signal or trace a supervisor, the init, or another run. */
#ifndef ZS_SANDBOX_LINUX_SESSION_H
#define ZS_SANDBOX_LINUX_SESSION_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "enforce/backend.h"
#include "linux/limits/run_limits.h"
#include "enforce/session_request.h"
#include "linux/base/run_state.h"
#include "linux/files/standard_files.h"
#include "linux/watch/watch.h"

/* The parts that a run takes over from the runner. */
struct zs_session_run {
	const struct zs_policy *policy;
	const struct zs_run_calls *calls;
	struct zs_watch watch; /* this run's copy */
	struct zs_standard_files standard;
	int scope; /* a ruleset of Landlock's with nothing but the scope of signals */
	struct zs_session_command words;
	int descriptors[ZS_SESSION_STDIO];
	int complaints; /* where the run's standard error is */
	int requests;   /* the host's socket, for the answer */
	/* No command has begun, for a reason that its supervisor says. */
	bool failed;
	struct zs_error error;
	/* For the runner: */
	atomic_bool answers; /* the supervisor has come as far as to answer the host */
	atomic_int newborn;  /* the pid of what is to be the command, while that is in our memory; or 0 */
	atomic_bool started; /* there may be a process that is, or is to be, the command */
	atomic_bool ended;   /* nothing of the run is left */
	atomic_bool begun;   /* and the wall limit counts, by this: */
	struct zs_run_backstop backstop;
};

/* The session parent, confined; returns only on failure before the session is ready. */
int zs_session_parent(struct zs_run *run, int requests, const struct zs_run_calls *calls, struct zs_error *error);

/* The runner, which ends with the host, the session parent (pidfds) and its socket; returns only on failure before the
 * session is ready. It takes the run's watch, and the sockets to the init and to the proxy. */
int zs_session_runner(const struct zs_run *run, int requests, int host, int session_parent,
	const struct zs_run_calls *calls, struct zs_error *error);

/* The supervisor of a run, in a process of its own: struct zs_session_run. */
int zs_session_supervise(void *run);

/* After an answer that could not be sent, or a request that could not be read: nobody knows what has become of it, so
 * that the session ends. */
void zs_session_give_up(int requests);

/* So many bytes it takes of a stack. */
enum { ZS_SESSION_STACK_BYTES = 192 * 1024 };

/* The requests of session parent and runner to the init, in a message of one byte: Landlock's scope does not let them
 * send a signal.
 */
enum {
	ZS_SESSION_END = 'e',         /* end everything; so does the end of the socket */
	ZS_SESSION_END_ORPHANS = 'o', /* a supervisor was killed: end what it has left behind */
};

/* The session parent's own number, and the host's, as pidfds of run. */
int zs_session_open_ends(struct zs_run *run, struct zs_error *error);

/* The next request to the init, or to the process that stands in for it: by a message, or ZS_SESSION_END by the end of
 * session parent, host, or of session parent and runner. */
char zs_session_next(const struct zs_run *run, int socket, bool *ret_asked);

/* Starts what is at the other end of run->init, and waits until it has answered there. `be` never returns. */
int zs_session_start_init(
	struct zs_run *run, void (*be)(struct zs_run *run, int alive, struct zs_error *error), struct zs_error *error);

/* One of another namespace would be told of processes that it cannot name. */
int zs_session_refuse_host(struct zs_error *error);

/* A ruleset of Landlock's with nothing but the scope of signals, or a negative errno. */
int zs_session_make_scope(struct zs_error *error);

#endif
