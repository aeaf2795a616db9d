/* The proxy's listeners for a run without a network of its own: on the machine's loopback, at a free port. */
#ifndef ZS_SANDBOX_PROXY_LOCAL_H
#define ZS_SANDBOX_PROXY_LOCAL_H

#include <stdint.h>

/* 127.0.0.1 and ::1: a command that may connect to the port of "localhost" can choose either, and another program's
 * server may be at the second. */
enum { ZS_PROXY_LOCAL_LISTENERS = 2 };

/* Both listen at *ret_port. If the machine has no ::1, the second is -1, and no other program can listen there
 * either. */
int zs_proxy_listen_local(int ret_listeners[ZS_PROXY_LOCAL_LISTENERS], uint16_t *ret_port);

#endif
