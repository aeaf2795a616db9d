/* Looks a name up at the caller's resolvers, once for each connection, with A and AAAA side by side. The entries of
 * /etc/hosts come first. */
#ifndef ZS_SANDBOX_PROXY_LOOKUP_H
#define ZS_SANDBOX_PROXY_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proxy/proxy_resolvers.h"

enum {
	ZS_LOOKUP_ROUNDS = 2,
	ZS_LOOKUP_TRY_MS = 2000,
	ZS_LOOKUP_OTHER_MS = 50, /* the wait for the other family, once one has answered (RFC 8305, section 3) */
	ZS_LOOKUP_ADDRESSES = 16,
};

struct zs_lookup {
	const char *name;
	int fd; /* a socket to the server that is asked; -1: none */
	int tries;
	size_t server;    /* the index of the server that is asked */
	int64_t deadline; /* the end of this try */
	uint16_t ids[2];
	bool asked, answered[2], truncated;
	uint8_t *stream; /* the bytes that have come by TCP; NULL: the lookup uses UDP */
	size_t stream_len;
	size_t count;
	struct zs_address addresses[ZS_LOOKUP_ADDRESSES];
};

/* 1: it is done. 0: wait for lookup->fd to be readable, or, as long as it waits to ask, writable, or for the deadline.
 * A negative errno: nothing was found. */
int zs_lookup_begin(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, const char *name, int64_t now);
int zs_lookup_continue(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, int64_t now);
bool zs_lookup_waits_to_ask(const struct zs_lookup *lookup);
void zs_lookup_end(struct zs_lookup *lookup);

#endif
