/* The messages from a run to its proxy, over a socket of AF_UNIX that keeps messages apart: it passes its listeners.
 * The proxy answers (proxy_answer.h). */
#ifndef ZS_SANDBOX_LINUX_PROXY_PASSING_H
#define ZS_SANDBOX_LINUX_PROXY_PASSING_H

#include "linux/network/proxy.h"
#include "proxy/proxy_answer.h"

int zs_proxy_pass(int socket, const int *listeners, int count);

/* -EBADMSG unless exactly `count` descriptors come, in one message; then none is left open. */
int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count);

#endif
