/* The proxy of a run whose policy allows hosts. It is a process of its own, and listens on the machine's loopback, at a
 * port that the kernel has chosen. The run's profile lets the command connect only there; the proxy's own profile lets
 * the proxy only connect. The run has no network of its own, so a program that ignores the proxy's variables reaches
 * nothing; on Linux it is led to the proxy.
 *
 *	run ──fork── proxy                 confines itself, says that it is ready, and serves
 *	 └ supervisor                     the end of its socket is the proxy's end; and the proxy's is the run's
 *
 * The supervisor keeps the listeners open without using them, so that no other program gets the port as long as a
 * process of the command may exist. */
#ifndef ZS_SANDBOX_DARWIN_PROXY_H
#define ZS_SANDBOX_DARWIN_PROXY_H

#include <stdint.h>
#include <sys/types.h>

#include "proxy/proxy_local.h"
#include "policy/policy.h"

struct zs_run_proxy {
	pid_t pid;  /* 0: there is none */
	int socket; /* a socket to the proxy */
	int listeners[ZS_PROXY_LOCAL_LISTENERS];
	uint16_t port;
};

/* Runs the proxy, from its fork on. socket: to the run; report: for its lines, or -1. */
_Noreturn void zs_proxy_be(const struct zs_policy *policy, const struct zs_run_proxy *proxy, int socket, int report);

/* Called in the process that becomes the command: leaves the proxy to the supervisor. */
void zs_proxy_leave(struct zs_run_proxy *proxy);
/* Called in the supervisor: ends the proxy, and waits until it has written its last lines. */
void zs_proxy_end(struct zs_run_proxy *proxy);

#endif
