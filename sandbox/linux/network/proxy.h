/* The proxy of a run whose policy allows hosts: a process that stays in the caller's network namespace and holds
 * listening sockets of the run's.
 *
 *	run ──fork── proxy                     in the caller's network
 *	 │ namespaces
 *	 │ listeners ──SCM_RIGHTS──> proxy     checks them, confines itself, says that it is ready
 *	 └ supervisor                         the end of its socket is the proxy's end
 *
 * The run keeps no listener, so when the proxy has ended, connections are refused.
 *
 * A run without a network has the proxy's resolver alone, so that names fail at once and zs knows them. */
#ifndef ZS_SANDBOX_LINUX_PROXY_H
#define ZS_SANDBOX_LINUX_PROXY_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "proxy/proxy_ports.h"
#include "policy/policy.h"

struct zs_run;

/* The listeners, in the order in which they are passed. Those of proxy_ports.h begin at ZS_PROXY_FIXED. */
enum zs_proxy_listener {
	ZS_PROXY_HTTP,    /* HTTP and SOCKS */
	ZS_PROXY_DNS_UDP, /* the resolver */
	ZS_PROXY_DNS_TCP,
	ZS_PROXY_TLS,   /* port 443 of every address, for programs that know no proxy */
	ZS_PROXY_PLAIN, /* port 80, for the same */
	ZS_PROXY_FIXED,
	ZS_PROXY_LISTENERS = ZS_PROXY_FIXED + ZS_PROXY_PORTS_MAX
};

/* The number of listeners for this policy. */
int zs_proxy_listener_count(const struct zs_policy *policy);

/* Opens the resolver's listener alone, in this process's network namespace. */
int zs_proxy_listen_names(void);

/* Opens the listeners in this process's network namespace. On failure *ret_object names the one at fault, and none is
 * left open. */
int zs_proxy_listen(const struct zs_policy *policy, int ret_listeners[ZS_PROXY_LISTENERS], const char **ret_object);

/* Checks that received listeners are as zs_proxy_listen() makes them, and of another network namespace than this
 * process's. */
int zs_proxy_check(const struct zs_policy *policy, const int listeners[ZS_PROXY_LISTENERS], int count);

/* Passes the listeners from a run to its proxy, over a SOCK_SEQPACKET socket. The proxy answers (proxy_answer.h). */
int zs_proxy_pass(int socket, const int *listeners, int count);

/* -EBADMSG: not exactly `count` descriptors came in one message; all of them are closed. */
int zs_proxy_receive(int socket, int ret_listeners[ZS_PROXY_LISTENERS], int count);

/* The proxy confines itself, since it parses bytes from hostile commands and servers. */

/* Closes all descriptors but these two, and opens /dev/null as the standard ones. */
int zs_proxy_close_others(int socket, int report);

/* Takes away files, exec, fork, signals, capabilities, and all sockets but TCP and UDP. *ret_object names the step that
 * failed. */
int zs_proxy_confine(const char **ret_object);

/* Runs the proxy, from its fork on. socket: to the run. */
_Noreturn void zs_proxy_be(const struct zs_run *run, int socket);

/* Runs the resolver of a run without a network: no name has an address. It starts when the command asks for the first
 * name, as a child of the supervisor, in the run's network. */
_Noreturn void zs_resolver_be(const struct zs_run *run, int socket);

/* For the supervisor. Starts that resolver. When it cannot start, nobody answers: the run has no network anyway. */
void zs_resolver_start(struct zs_run *run);
/* Reports that the proxy has ended by itself. */
void zs_proxy_lost(struct zs_run *run);
/* Ends the proxy, waits until it has written its last lines, and prints what it has refused to a run. */
void zs_proxy_end(struct zs_run *run);

#endif
