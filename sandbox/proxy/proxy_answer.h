/* The proxy's answer to its run, over a socket of AF_UNIX: whether it is ready. */
#ifndef ZS_SANDBOX_PROXY_ANSWER_H
#define ZS_SANDBOX_PROXY_ANSWER_H

#include "zs_sandbox.h"

/* cause: 0, or a positive errno; object: what failed, a few words. */
int zs_proxy_answer(int socket, int cause, const char *object);

/* Waits for that answer. */
int zs_proxy_await(int socket, struct zs_error *error);

#endif
