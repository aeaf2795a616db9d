/* The proxy's loop. It has one thread, and no step of it blocks.
 *
 * Its files, from the ground up: state, judge (may the command reach a host?), dns and greeting (words of the command),
 * connection (its end), hello (TLS in a tunnel), connect (lookup, connect, relay), accept (events of a client), loop.
 * greeting and hello return what comes next, and connect does it. */
#ifndef ZS_SANDBOX_PROXY_LOOP_H
#define ZS_SANDBOX_PROXY_LOOP_H

#include "proxy/proxy_state.h"

/* The reader of the report can send one of these, where the report is a socket. The proxy answers with a line:
 * {"event":"paused"}, when every connection has ended, or {"event":"resumed"}. Anything else ends the proxy. */
#define ZS_PROXY_PAUSE 'p'
#define ZS_PROXY_RESUME 'r'

/* Starts to watch proxy->run, whose end ends the proxy. 0 or a negative errno. */
int zs_proxy_begin(struct zs_proxy *proxy);
/* Adds a listener after that. datagrams: it is the resolver's. */
void zs_proxy_add_listener(struct zs_proxy *proxy, int fd, enum zs_proxy_via via, bool datagrams);
/* Raises the limit of descriptors as far as allowed, and sets proxy->most accordingly. -EMFILE: there are too few. */
int zs_proxy_count_connections(struct zs_proxy *proxy);
_Noreturn void zs_proxy_serve(struct zs_proxy *proxy);

#endif
