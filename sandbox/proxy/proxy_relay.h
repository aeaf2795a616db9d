/* Moves bytes from one socket to another, through a pipe or memory. */
#ifndef ZS_SANDBOX_PROXY_RELAY_H
#define ZS_SANDBOX_PROXY_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proxy/proxy_system.h"

enum {
	ZS_RELAY_IDLE_PIPES = 4, /* pipes kept for the next transfer */
	ZS_RELAY_ROUNDS = 16,    /* at a time, before other connections have their turn */
};

/* Pipes of the connections that transfer at the moment. An idle connection has none. */
struct zs_pipes {
	struct zs_pipe *idle[ZS_RELAY_IDLE_PIPES];
	size_t count;
	size_t large; /* the number of large pipes, and of all pipes in use */
};

void zs_pipes_close(struct zs_pipes *pipes);

/* One direction. A zeroed flow passes on everything and then the end. */
struct zs_flow {
	char *first; /* malloc'ed; sent before everything else */
	size_t first_len, first_done;
	struct zs_pipe *pipe; /* the bytes that `to` has not taken yet */
	uint64_t passed;
	bool limited;  /* the flow ends after `left` more bytes */
	uint64_t left; /* of the bytes from the socket */
	bool held;     /* no bytes are taken from the socket for now */
	bool ended;    /* no more bytes will come */
	bool shut;     /* and `to` has been told */
};

/* Passes on the bytes that are there. 0; or a negative errno: one of the sockets cannot be used any more. */
int zs_flow_pump(struct zs_flow *flow, struct zs_pipes *pipes, int from, int to);

/* The events for which the flow waits. */
bool zs_flow_wants_read(const struct zs_flow *flow);
bool zs_flow_wants_write(const struct zs_flow *flow);

void zs_flow_end(struct zs_flow *flow, struct zs_pipes *pipes);

#endif
