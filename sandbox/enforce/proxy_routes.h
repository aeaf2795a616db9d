/* Where the machine's routes lead. A public address may be the machine's own, or one of a network that it is part of;
 * both change while a run lasts, so the kernel is asked for each connection. linux/, darwin/ of the sandbox. */
#ifndef ZS_SANDBOX_PROXY_ROUTES_H
#define ZS_SANDBOX_PROXY_ROUTES_H

#include "net/address.h"

enum zs_route {
	ZS_ROUTE_UNKNOWN, /* the kernel gives no answer that is understood */
	ZS_ROUTE_OWN,     /* to the machine itself */
	ZS_ROUTE_LINK,    /* to a network that it is part of, without a gateway */
	ZS_ROUTE_AWAY,    /* by a gateway, or into a tunnel; or there is none */
};

/* A descriptor to ask by, before the proxy confines itself; or a negative errno. */
int zs_routes_open(void);

/* Does not wait. */
enum zs_route zs_route_of(int routes, const struct zs_address *address);

#endif
