/* Which of the proxy's descriptors are ready: by epoll(7) on Linux (linux/), elsewhere by poll(2) (plain/), whose names
 * the events have. */
#ifndef ZS_SANDBOX_PROXY_READY_H
#define ZS_SANDBOX_PROXY_READY_H

#include <stdint.h>

struct zs_proxy;
struct zs_watched;

enum { ZS_READY_AT_ONCE = 64 };

struct zs_ready {
	struct zs_watched *watched;
	uint32_t events;
};

/* Before the proxy confines itself no more than after. 0, or a negative errno. */
int zs_ready_open(struct zs_proxy *proxy);

/* watched->events are what it waits for so far; 0: nothing, and it is not known here. */
int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);

/* Waits until some are, or for the milliseconds; -1: without end. How many, or a negative errno. */
int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms);

#endif
