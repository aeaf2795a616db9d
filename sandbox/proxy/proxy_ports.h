/* The ports, beside 443 and 80, at which a program that is blind to proxies reaches a name: those that the policy's
 * hosts name. Pure. */
#ifndef ZS_SANDBOX_PROXY_PORTS_H
#define ZS_SANDBOX_PROXY_PORTS_H

#include "net/host_name.h"
#include "policy/policy.h"

/* The addresses that the proxy's resolver gives to names: each has one of the pool, which is nobody's outside, for as
 * long as the run lasts. */

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

enum { ZS_PROXY_DNS_PORT = 53, ZS_PROXY_TLS_PORT = 443, ZS_PROXY_PLAIN_PORT = 80, ZS_PROXY_SSH_PORT = 22 };

/* Listeners of one policy; those hosts that would need more are reached by the proxy alone. */
enum { ZS_PROXY_PORTS_MAX = 32 };

struct zs_proxy_ports {
	size_t count;
	struct {
		uint32_t address; /* in host order */
		uint16_t port;
	} rows[ZS_PROXY_PORTS_MAX];
	/* Those that have an address of the pool from the beginning, by number. */
	size_t named;
	char names[ZS_PROXY_PORTS_MAX][ZS_HOST_NAME_MAX + 1];
};

/* A port below 1024 has one listener for all names, since no command can listen there. At any other one a command may
 * have a server of its own, so that only the very names of the policy have a listener, each at its own address; names
 * below "*." have none. */
void zs_proxy_ports_of(const struct zs_policy *policy, struct zs_proxy_ports *ret_ports);

#endif
