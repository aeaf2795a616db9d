/* The proxy's process and its run: whether the proxy is ready, over a socket of AF_UNIX; and its end. */
#ifndef ZS_SANDBOX_PROXY_ANSWER_H
#define ZS_SANDBOX_PROXY_ANSWER_H

#include <sys/types.h>

#include "zs_sandbox.h"

/* cause: 0, or a positive errno; object: what failed, a few words. */
int zs_proxy_answer(int socket, int cause, const char *object);

/* Waits for that answer. */
int zs_proxy_await(int socket, struct zs_error *error);

/* Waits for its end, of which it knows by now: it has a moment to write its last lines, and then no more, since nobody
 * may read what they are written to. */
void zs_proxy_wait(pid_t proxy);

#endif
