/* The part of the proxy that depends on the system: sockets, bytes on their way, and waiting. linux/, plain/. */
#ifndef ZS_SANDBOX_PROXY_SYSTEM_H
#define ZS_SANDBOX_PROXY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sockets: none of them blocks, and no program inherits one. */

/* Work as socket(2) and accept(2); return a negative errno. */
int zs_proxy_socket(int family, int type);
int zs_proxy_take(int listener);

/* Works as send(2). When the other end has gone it fails with EPIPE, without a signal. */
ssize_t zs_proxy_send(int socket, const void *bytes, size_t len);

/* Turns pacing off for a socket and those that it accepts. Nothing is congested on a loopback device. But a machine's
 * default may be bbr, which sends in small bursts with a timer for each (net/ipv4/tcp_bbr.c): that halves the proxy's
 * throughput and doubles its processor time. Every kernel has reno, and everybody may choose it (man 7 tcp). Without
 * reno the proxy works, but slower; macOS has neither. */
void zs_proxy_do_not_pace(int socket);

/* Bytes on their way from one socket to another. On Linux a pipe holds them, so that they are not copied (man 2
 * splice); on other systems memory holds them. */

enum {
	ZS_RELAY_PIPE_BYTES = 512 * 1024, /* of one pipe */
	/* A user has 16384 pages for pipes (man 7 pipe). When they are used up, all of the user's new pipes have only a
	 * page or two. A command that has many transfers and reads none must not use them up. Memory is limited in the
	 * same way. */
	ZS_RELAY_LARGE_PIPES = 16,
	ZS_RELAY_SMALL_PIPE_BYTES = 32 * 1024, /* for the other connections */
};

struct zs_pipe {
	size_t held; /* the number of bytes */
	bool large;
};

/* large: may the pipe be large? NULL, with errno: none is available. */
struct zs_pipe *zs_pipe_open(bool large);
void zs_pipe_close(struct zs_pipe *pipe);

/* Fills an empty pipe from a non-blocking socket. Returns the bytes; 0: the end; -1, with errno. */
ssize_t zs_pipe_fill(struct zs_pipe *pipe, int from, size_t most);
/* Sends some of the pipe's bytes to a non-blocking socket. */
ssize_t zs_pipe_empty(struct zs_pipe *pipe, int to);

/* Finds the proxy's descriptors that are ready: by epoll(7) on Linux, by poll(2) on other systems. The events have the
 * names of poll(2). */

struct zs_proxy;
struct zs_watched;

enum { ZS_READY_AT_ONCE = 64 };

struct zs_ready {
	struct zs_watched *watched;
	uint32_t events;
};

/* May be called before or after the proxy confines itself. 0 or a negative errno. */
int zs_ready_open(struct zs_proxy *proxy);

/* watched->events: the events for which it has waited so far; 0: none, and the descriptor is not registered. */
int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events);

/* Waits until some are ready, or for the milliseconds; -1: without limit. Returns their number or a negative errno. */
int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms);

#endif
