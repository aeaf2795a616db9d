/* The proxy of a run whose policy names hosts: a process that stays in the caller's network, and has the listening
 * sockets of the run's own one.
 *
 *	run ──fork── proxy                     in the caller's network
 *	 │ namespaces
 *	 │ listeners ──SCM_RIGHTS──> proxy     checks them, confines itself, says that it is ready
 *	 └ supervisor                         the end of its socket is the proxy's end
 *
 * The run keeps no listener. So when the proxy has gone nobody listens, and what connects is refused. */
#ifndef ZS_SANDBOX_LINUX_PROXY_H
#define ZS_SANDBOX_LINUX_PROXY_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "proxy/proxy_ports.h"
#include "policy/policy.h"

struct zs_run;

/* The run's sockets, in the order in which they are passed. Those of proxy_ports.h follow. */
enum zs_proxy_listener {
	ZS_PROXY_HTTP,    /* HTTP and SOCKS */
	ZS_PROXY_DNS_UDP, /* the resolver's */
	ZS_PROXY_DNS_TCP,
	ZS_PROXY_TLS, /* for programs blind to proxies: whatever address of the pool they connect to */
	ZS_PROXY_PLAIN,
	ZS_PROXY_FIXED,
	ZS_PROXY_LISTENERS = ZS_PROXY_FIXED + ZS_PROXY_PORTS_MAX
};

/* How many of them this policy has. */
int zs_proxy_listener_count(const struct zs_policy *policy);

/* Opens them in this network. On failure *ret_object says which, and none is left open. */
int zs_proxy_listen(const struct zs_policy *policy, int ret_listeners[ZS_PROXY_LISTENERS], const char **ret_object);

/* Are they what zs_proxy_listen() makes, and of another network than this process's? Sockets that came over a socket
 * are judged, not believed. */
int zs_proxy_check(const struct zs_policy *policy, const int listeners[ZS_PROXY_LISTENERS], int count);

/* The proxy, from its fork on. socket: to the run; report: -1, or where its lines go. */
_Noreturn void zs_proxy_be(const struct zs_policy *policy, int socket, int report);

/* The supervisor's: the proxy has ended by itself; waits for it to end, with its last lines written. */
void zs_proxy_lost(struct zs_run *run);
void zs_proxy_end(struct zs_run *run);

#endif
