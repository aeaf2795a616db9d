/* Starts the daemon of a named session or of a box. */
#ifndef ZS_SHIM_NAMED_START_H
#define ZS_SHIM_NAMED_START_H

#include "linux/named_daemon.h"
#include "zs_sandbox.h"

/* Returns a pidfd of the process that owns what this command starts: the agent, which has started a shell for this one
 * command, or the shell at whose terminal a person sits. -1: there is none that this process sees. */
int zs_named_owner(void);

/* Starts the daemon, which takes the owner. Returns when it listens. The caller holds the folder's lock. */
int zs_named_start(struct zs_named_daemon *daemon, struct zs_error *error);

#endif
