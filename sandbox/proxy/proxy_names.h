/* The addresses that the proxy's resolver gives to names: each has one of the pool, which is nobody's outside, for as
 * long as the run lasts. Pure. */
#ifndef ZS_SANDBOX_PROXY_NAMES_H
#define ZS_SANDBOX_PROXY_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* A network for benchmarks, 198.18.0.0/15 (RFC 2544). In the run's own network all of it is its own. */
#define ZS_PROXY_POOL UINT32_C(0xc6120000)
#define ZS_PROXY_POOL_MASK UINT32_C(0xfffe0000)

/* A wildcard allows more names than there is an end of: those after so many are refused. */
enum { ZS_PROXY_NAMES_MAX = 4096 };

struct zs_proxy_names {
	size_t count;
	char *names[ZS_PROXY_NAMES_MAX]; /* canonical */
};

/* The address of the name with this number, from 0 on, in host order. */
uint32_t zs_proxy_address_at(size_t number);

/* The name's own, by its number; 0: the table is full, or there is no memory. */
uint32_t zs_proxy_address_of(struct zs_proxy_names *names, const char *name);

/* NULL: nobody was given it. */
const char *zs_proxy_name_of(const struct zs_proxy_names *names, uint32_t address);

#endif
