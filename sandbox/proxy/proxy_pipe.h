/* Holds bytes on their way from one socket to another. On Linux a pipe, so that they are not copied (linux/, man 2
 * splice); elsewhere memory (plain/). */
#ifndef ZS_SANDBOX_PROXY_PIPE_H
#define ZS_SANDBOX_PROXY_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	ZS_RELAY_PIPE_BYTES = 512 * 1024, /* of one pipe */
	/* A user has 16384 pages for pipes (man 7 pipe); beyond, all of his processes get pipes of a page or two. The
	 * proxy is the caller's, and a command that has many transfers and reads none of them must not take his. Memory
	 * is as scarce. */
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

#endif
