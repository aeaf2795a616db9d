/* Rewriting and starting commands, for the files of the shim. */
#ifndef ZS_SHIM_WRAPPED_H
#define ZS_SHIM_WRAPPED_H

#include "zs_shim.h"

/* argv[0] of a process that becomes a session parent, in place of ZS_SHIM_ARGV0. Its standard input is the host's
 * socket (sandbox/enforce/session_request.h). */
#define ZS_SHIM_SESSION_PARENT "zs-sandbox-session-parent"
#define ZS_SHIM_SESSION_DENIALS "denials" /* its second word: runs may have denials */
/* argv[0] of a process that makes a box for its host. Its standard input is the host's socket. */
#define ZS_SHIM_BOX "zs-sandbox-box"

/* A variable of zs; value: NULL if it is not set. */
struct zs_wrap_own {
	const char *name, *value;
};

enum { ZS_WRAP_OWN = 4 };

struct zs_wrap_parts {
	const char *marker;
	const char *path; /* the word after the marker; NULL: none */
	char *const *argv;
	char *const *envp;                     /* NULL: empty */
	bool (*is_dropped)(const char *entry); /* for each entry of envp */
	const char *executable;                /* NULL: this program */
	struct zs_wrap_own own[ZS_WRAP_OWN];
};

/* The parts that zs_wrap() and zs_tracker_wrap() put together. Copies everything. */
int zs_wrap_parts(const struct zs_wrap_parts *parts, struct zs_wrapped *ret_wrapped, struct zs_error *error);

/* The part of zs_spawn() that starts a process. Frees wrapped in any case. options may be NULL. */
int zs_spawn_wrapped(
	struct zs_wrapped *wrapped, const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

#endif
