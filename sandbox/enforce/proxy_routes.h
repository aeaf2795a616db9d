/* Where the machine's routes lead. A public address may be the machine's own, or lie in a network of the machine. Both
 * can change while a run lasts, so the kernel is asked for each connection. Implemented in linux/ and darwin/ of the
 * sandbox. */
#ifndef ZS_SANDBOX_PROXY_ROUTES_H
#define ZS_SANDBOX_PROXY_ROUTES_H

#include "net/address.h"

enum zs_route {
	ZS_ROUTE_UNKNOWN, /* the kernel's answer is not understood */
	ZS_ROUTE_OWN,     /* to the machine itself */
	ZS_ROUTE_LINK,    /* to a network of the machine, without a gateway */
	ZS_ROUTE_AWAY,    /* through a gateway, or into a tunnel; or there is no route */
};

/* Opens a descriptor for the questions, before the proxy confines itself. Returns it or a negative errno. */
int zs_routes_open(void);

/* This call does not wait. */
enum zs_route zs_route_of(int routes, const struct zs_address *address);

#endif
