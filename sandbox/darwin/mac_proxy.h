/* The proxy of a run whose policy names hosts, on the machine's loopback, at a port that the kernel has chosen, in a
 * process of its own. The run's profile lets its command connect there and nowhere else; the proxy's own profile lets
 * the proxy do nothing but connect. The run has no network of its own, so a program that ignores the proxy's variables
 * reaches nothing: on Linux it is led to the proxy.
 *
 *	run ──fork── proxy                 confines itself, says that it is ready, and serves
 *	 └ supervisor                     the end of its socket is the proxy's end; and the proxy's is the run's
 *
 * The supervisor keeps the listeners, without using them: as long as a process of the command's may be there, nobody
 * else can have the port. */
#ifndef ZS_SANDBOX_DARWIN_PROXY_H
#define ZS_SANDBOX_DARWIN_PROXY_H

#include <stdint.h>
#include <sys/types.h>

#include "proxy/proxy_local.h"
#include "policy/policy.h"

struct zs_run_proxy {
	pid_t pid;  /* 0: there is none */
	int socket; /* to it */
	int listeners[ZS_PROXY_LOCAL_LISTENERS];
	uint16_t port;
};

/* The proxy, from its fork on. socket: to the run; report: -1, or where its lines go. */
_Noreturn void zs_proxy_be(const struct zs_policy *policy, const struct zs_run_proxy *proxy, int socket, int report);

/* In the process that becomes the command: it is the supervisor's. */
void zs_proxy_leave(struct zs_run_proxy *proxy);
/* The supervisor's: waits for it to end, with its last lines written. */
void zs_proxy_end(struct zs_run_proxy *proxy);

#endif
