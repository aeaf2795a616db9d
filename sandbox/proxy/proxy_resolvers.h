/* The names and resolvers in the caller's files, read before the proxy confines itself. */
#ifndef ZS_SANDBOX_PROXY_RESOLVERS_H
#define ZS_SANDBOX_PROXY_RESOLVERS_H

#include <stddef.h>

#include "net/address.h"

enum { ZS_LOOKUP_SERVERS = 3 }; /* as many as the C library asks (man 5 resolv.conf, MAXNS) */

struct zs_resolvers {
	struct zs_address servers[ZS_LOOKUP_SERVERS];
	size_t count;
	char *hosts; /* the text of /etc/hosts; NULL: there is none */
};

/* -ENOMEM and the like. A missing file counts as empty, and then 127.0.0.1 is asked, as the C library does. */
int zs_resolvers_read(struct zs_resolvers *ret_resolvers);

/* Finds a canonical name's addresses in /etc/hosts. Returns their number. */
size_t zs_resolvers_find(
	const struct zs_resolvers *resolvers, const char *name, struct zs_address *ret_addresses, size_t most);

#endif
