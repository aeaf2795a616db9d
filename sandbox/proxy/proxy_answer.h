/* How the proxy tells its run, over a Unix socket, whether it is ready; and how the run waits for its end. */
#ifndef ZS_SANDBOX_PROXY_ANSWER_H
#define ZS_SANDBOX_PROXY_ANSWER_H

#include <sys/types.h>

#include "zs_sandbox.h"

/* cause: 0 or a positive errno. object: what failed, in a few words. */
int zs_proxy_answer(int socket, int cause, const char *object);

/* Waits for that answer. */
int zs_proxy_await(int socket, struct zs_error *error);

/* Waits for the end of the proxy, which knows that it must end: it has a moment to write its last lines, and is killed
 * then, since the reader of these lines may be gone. */
void zs_proxy_wait(pid_t proxy);

#endif
