/* The part of zs_spawn() that starts a process. */
#ifndef ZS_SHIM_SPAWN_WRAPPED_H
#define ZS_SHIM_SPAWN_WRAPPED_H

#include "zs_shim.h"

/* argv[0] of a process that is to be a session's session parent, in place of ZS_SHIM_ARGV0. Its standard input is the
 * host's socket (sandbox/enforce/session_request.h). */
#define ZS_SHIM_SESSION_PARENT "zs-sandbox-session-parent"

/* options may be NULL. */
int zs_spawn_wrapped(
	struct zs_wrapped *wrapped, const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

#endif
