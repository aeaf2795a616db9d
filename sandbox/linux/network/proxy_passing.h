/* Passes the listeners from a run to its proxy, over a SOCK_SEQPACKET socket. The proxy answers (proxy_answer.h). */
#ifndef ZS_SANDBOX_LINUX_PROXY_PASSING_H
#define ZS_SANDBOX_LINUX_PROXY_PASSING_H

#include "linux/network/proxy.h"
#include "proxy/proxy_answer.h"

int zs_proxy_pass(int socket, const int *listeners, int count);

/* -EBADMSG: not exactly `count` descriptors came in one message; all of them are closed. */
int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count);

#endif
