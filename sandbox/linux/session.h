/* A session: namespaces, mounts and locks made once, and commands run in them one after another or side by side.
 *
 *	host ── steward (outside the pid namespace; confined like the command)
 *	  │       ├─ door (if the policy names hosts; for all runs: door.h)
 *	  │       └─ init (pid 1, which makes the mounts; ends all, when the steward has ended or says so)
 *	  └──── supervisor of a run (the pid that the host knows; the steward's child in all but name: CLONE_PARENT)
 *	          └─ command
 *
 * A run's end is its supervisor's: subreaper of all that the command starts, and in a Landlock domain of the run's own,
 * which is what its kill(-1) reaches. The command is in a domain below that one, so neither it nor what it starts can
 * signal or trace a supervisor, the init, or another run. */
#ifndef ZS_SANDBOX_LINUX_SESSION_H
#define ZS_SANDBOX_LINUX_SESSION_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "backend.h"
#include "session_request.h"
#include "stage.h"

/* What a run takes over from the steward. */
struct zs_session_run {
	const struct zs_policy *policy;
	const struct zs_run_calls *calls;
	struct zs_watch watch; /* the steward's list; this run's from here on */
	int scope;             /* a ruleset of Landlock's with nothing but the scope of signals */
	struct zs_session_head head;
	const char *body; /* if it is inline */
	size_t body_bytes;
	int descriptors[ZS_SESSION_DESCRIPTORS];
	int complaints;     /* where the run's standard error is */
	atomic_bool *ended; /* shared with the steward: nothing of the run is left */
};

/* The steward, confined; returns only on failure before the session is ready. */
int zs_session_steward(
	const struct zs_run *run, int requests, const struct zs_run_calls *calls, struct zs_error *error);

/* The supervisor of a run, in a process of its own. */
_Noreturn void zs_session_supervise(struct zs_session_run *run);

/* What the steward asks of the init, in a message of one byte: Landlock's scope does not let it send a signal. */
enum {
	ZS_SESSION_END = 'e',         /* end everything; so does the end of the socket */
	ZS_SESSION_END_ORPHANS = 'o', /* a supervisor was killed: end what it has left behind */
};

/* The stages of the init. */
int zs_session_confine_init(struct zs_run *run, struct zs_error *error);

#endif
