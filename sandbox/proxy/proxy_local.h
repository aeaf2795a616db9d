/* The proxy's listeners where a run has no network of its own: on the machine's loopback, at a port that is free. */
#ifndef ZS_SANDBOX_PROXY_LOCAL_H
#define ZS_SANDBOX_PROXY_LOCAL_H

#include <stdint.h>

/* 127.0.0.1 and ::1: a command that may connect to the port of "localhost" can choose, and behind the other address may
 * be anybody's server. */
enum { ZS_PROXY_LOCAL_LISTENERS = 2 };

/* Both listen at *ret_port. Where there is no ::1 the second is -1: then nobody else has it either. */
int zs_proxy_listen_local(int ret_listeners[ZS_PROXY_LOCAL_LISTENERS], uint16_t *ret_port);

#endif
