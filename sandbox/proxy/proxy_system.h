/* The system's part of the proxy: sockets, bytes on their way, and waiting. linux/, plain/. */
#ifndef ZS_SANDBOX_PROXY_SYSTEM_H
#define ZS_SANDBOX_PROXY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sockets: nothing waits for one, and no program inherits one. */

/* As socket(2) and accept(2); a negative errno. */
int zs_proxy_socket(int family, int type);
int zs_proxy_take(int listener);

/* As send(2). EPIPE says that the other end has gone, and no signal does. */
ssize_t zs_proxy_send(int socket, const void *bytes, size_t len);

/* A socket and those that it accepts are not paced over a loopback device. Nothing is congested there, but
 * a machine's default may be bbr, which sends in small bursts with a timer for each (net/ipv4/tcp_bbr.c): through the
 * proxy that costs half of the throughput and twice the processor's time. Reno is in every kernel and anybody's to
 * choose (man 7 tcp). Where it cannot be had all works, slower; macOS has neither. */
void zs_proxy_do_not_pace(int socket);

/* Bytes on their way from one socket to another. On Linux a pipe holds them, so that they are not copied (man 2
 * splice); elsewhere memory does. */

enum {
	ZS_RELAY_PIPE_BYTES = 512 * 1024, /* of one pipe */
	/* A user has 16384 pages for pipes (man 7 pipe); beyond, all of the user's processes get pipes of a page or
	 * two. A command that has many transfers and reads none of them must not use them up. Memory is as scarce. */
	ZS_RELAY_LARGE_PIPES = 16,
	ZS_RELAY_SMALL_PIPE_BYTES = 32 * 1024, /* of the others */
};

struct zs_pipe {
	size_t held; /* bytes */
	bool large;
};

/* large: may it be? NULL, with errno: none can be had. */
struct zs_pipe *zs_pipe_open(bool large);
void zs_pipe_close(struct zs_pipe *pipe);

/* Into an empty one, from a socket that does not wait: how many bytes; 0: its end; -1, with errno. */
ssize_t zs_pipe_fill(struct zs_pipe *pipe, int from, size_t most);
/* Some of what is held, to such a socket. */
ssize_t zs_pipe_empty(struct zs_pipe *pipe, int to);

/* The proxy's descriptors that are ready: by epoll(7) on Linux, elsewhere by poll(2), whose names the events have. */

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
