/* The door of a run whose policy names hosts: a process that stays in the caller's network, and has the listening
 * sockets of the run's own one.
 *
 *	run ──fork── door                     in the caller's network
 *	 │ namespaces
 *	 │ listeners ──SCM_RIGHTS──> door     checks them, confines itself, says that it is ready
 *	 └ supervisor                         the end of its socket is the door's end
 *
 * The run keeps no listener. So when the door has gone nobody listens, and what connects is refused. */
#ifndef ZS_SANDBOX_LINUX_DOOR_H
#define ZS_SANDBOX_LINUX_DOOR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "proxy/door_ports.h"
#include "policy/policy.h"

struct zs_run;

/* The run's sockets, in the order in which they are passed. Those of door_ports.h follow. */
enum zs_door_listener {
	ZS_DOOR_PROXY,   /* HTTP and SOCKS */
	ZS_DOOR_DNS_UDP, /* the resolver's */
	ZS_DOOR_DNS_TCP,
	ZS_DOOR_TLS, /* for programs blind to proxies: whatever address of the pool they connect to */
	ZS_DOOR_PLAIN,
	ZS_DOOR_FIXED,
	ZS_DOOR_LISTENERS = ZS_DOOR_FIXED + ZS_DOOR_PORTS_MAX
};

/* How many of them this policy has. */
int zs_door_listener_count(const struct zs_policy *policy);

/* Opens them in this network. On failure *ret_object says which, and none is left open. */
int zs_door_listen(const struct zs_policy *policy, int ret_listeners[ZS_DOOR_LISTENERS], const char **ret_object);

/* Are they what zs_door_listen() makes, and of another network than this process's? What came over a socket is judged,
 * not believed. */
int zs_door_check(const struct zs_policy *policy, const int listeners[ZS_DOOR_LISTENERS], int count);

/* The door, from its fork on. socket: to the run; report: -1, or where its lines go. */
_Noreturn void zs_door_be(const struct zs_policy *policy, int socket, int report);

/* The supervisor's: the door has ended by itself; waits for it to end, with its last lines written. */
void zs_door_lost(struct zs_run *run);
void zs_door_end(struct zs_run *run);

#endif
