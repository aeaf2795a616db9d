/* The proxy's process, as the run has it. */
#ifndef ZS_SANDBOX_PROXY_CHILD_H
#define ZS_SANDBOX_PROXY_CHILD_H

#include <sys/types.h>

/* Waits for its end, of which it knows by now: it has a moment to write its last lines, and then no more, since nobody
 * may read what they are written to. */
void zs_proxy_wait(pid_t proxy);

#endif
