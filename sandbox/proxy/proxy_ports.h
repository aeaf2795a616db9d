/* The ports, besides 443 and 80, at which a program that knows no proxy can reach a name: the ports in the policy's
 * hosts. Pure. */
#ifndef ZS_SANDBOX_PROXY_PORTS_H
#define ZS_SANDBOX_PROXY_PORTS_H

#include "net/host_name.h"
#include "policy/policy.h"

/* The addresses that the proxy's resolver gives to names. Each name has one address of the pool as long as the run
 * lasts. The pool is in no real use outside. */

/* A network for benchmarks, 198.18.0.0/15 (RFC 2544). In the run's own network every address of it is local. */
#define ZS_PROXY_POOL UINT32_C(0xc6120000)
#define ZS_PROXY_POOL_MASK UINT32_C(0xfffe0000)

/* A wildcard allows any number of names. After this many, further names are refused. */
enum { ZS_PROXY_NAMES_MAX = 4096 };

struct zs_proxy_names {
	size_t count;
	char *names[ZS_PROXY_NAMES_MAX]; /* canonical */
};

/* Returns the address of the name with this number, which counts from 0, in host order. */
uint32_t zs_proxy_address_at(size_t number);

/* Returns the name's address, by its number. 0: the table is full, or there is no memory. */
uint32_t zs_proxy_address_of(struct zs_proxy_names *names, const char *name);

/* NULL: no name has this address. */
const char *zs_proxy_name_of(const struct zs_proxy_names *names, uint32_t address);

enum { ZS_PROXY_DNS_PORT = 53, ZS_PROXY_TLS_PORT = 443, ZS_PROXY_PLAIN_PORT = 80, ZS_PROXY_SSH_PORT = 22 };

/* The most listeners of one policy. Hosts that would need more are reached only through the proxy. */
enum { ZS_PROXY_PORTS_MAX = 32 };

struct zs_proxy_ports {
	size_t count;
	struct {
		uint32_t address; /* in host order; v6: ::1 instead */
		uint16_t port;
		bool v6;
	} rows[ZS_PROXY_PORTS_MAX];
	/* The names that have an address of the pool from the start, by number. */
	size_t named;
	char names[ZS_PROXY_PORTS_MAX][ZS_HOST_NAME_MAX + 1];
};

/* A port below 1024 has one listener for all names, since no command can listen there. At any other port a command may
 * have a server of its own. So only the policy's exact names have a listener there, each at its own address, and names
 * below "*." have none. A loopback address with a port has a listener at that address, and localhost at 127.0.0.1,
 * since clients use no proxy for these. */
void zs_proxy_ports_of(const struct zs_policy *policy, struct zs_proxy_ports *ret_ports);

#endif
