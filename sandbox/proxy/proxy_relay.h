/* Bytes from one socket to another, by way of what holds them meanwhile. */
#ifndef ZS_SANDBOX_PROXY_RELAY_H
#define ZS_SANDBOX_PROXY_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proxy/proxy_system.h"

enum {
	ZS_RELAY_IDLE_PIPES = 4, /* kept for the next transfer */
	ZS_RELAY_ROUNDS = 16,    /* at a time, before others have their turn */
};

/* A connection that transfers at the moment has a pipe; an idle one has none. */
struct zs_pipes {
	struct zs_pipe *idle[ZS_RELAY_IDLE_PIPES];
	size_t count;
	size_t large; /* of them, and of those in use */
};

void zs_pipes_close(struct zs_pipes *pipes);

/* One direction. Zeroed, it passes on everything there is, and then the end. */
struct zs_flow {
	char *first; /* malloc'ed; goes before all else */
	size_t first_len, first_done;
	struct zs_pipe *pipe; /* holds something that `to` has not taken yet */
	uint64_t passed;
	bool limited;  /* ends after `left` bytes more */
	uint64_t left; /* of what comes from the socket */
	bool held;     /* nothing is taken from the socket for now */
	bool ended;    /* there is no more to come */
	bool shut;     /* and `to` knows it */
};

/* Passes on what there is. 0, or a negative errno: one of the sockets is of no use any more. */
int zs_flow_pump(struct zs_flow *flow, struct zs_pipes *pipes, int from, int to);

/* The events that it waits for. */
bool zs_flow_wants_read(const struct zs_flow *flow);
bool zs_flow_wants_write(const struct zs_flow *flow);

void zs_flow_end(struct zs_flow *flow, struct zs_pipes *pipes);

#endif
