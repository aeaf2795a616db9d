/* The proxy's loop. One thread; nothing in it waits.
 *
 * Its files, from the ground up: state, judge (may the command reach a host?), dns and greeting (words of the command),
 * connection (its end), hello (TLS in a tunnel), connect (lookup, connect, relay), accept (events of a client), loop.
 * greeting and hello return what comes next, and connect does it. */
#ifndef ZS_SANDBOX_PROXY_LOOP_H
#define ZS_SANDBOX_PROXY_LOOP_H

#include "proxy/proxy_state.h"

/* Begins to look after proxy->run, whose end is the proxy's. 0, or a negative errno. */
int zs_proxy_begin(struct zs_proxy *proxy);
/* Then: what comes to this one as well. datagrams: the resolver's. */
void zs_proxy_add_listener(struct zs_proxy *proxy, int fd, enum zs_proxy_via via, bool datagrams);
/* Takes as many descriptors as are allowed, and sets proxy->most by that. -EMFILE: they are too few. */
int zs_proxy_count_connections(struct zs_proxy *proxy);
_Noreturn void zs_proxy_serve(struct zs_proxy *proxy);

#endif
