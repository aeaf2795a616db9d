#include "proxy/proxy_system.h"

#include <stdlib.h>
#include <sys/socket.h>

struct memory {
	struct zs_pipe pipe; /* first: one stands for the other */
	size_t size, done;   /* done: bytes of what it was filled with that have gone */
	unsigned char bytes[];
};

struct zs_pipe *zs_pipe_open(bool large)
{
	size_t size = large ? ZS_RELAY_PIPE_BYTES : ZS_RELAY_SMALL_PIPE_BYTES;
	struct memory *memory = malloc(sizeof *memory + size);

	if (!memory)
		return NULL;
	memory->pipe = (struct zs_pipe){ .large = large };
	memory->size = size;
	memory->done = 0;
	return &memory->pipe;
}

void zs_pipe_close(struct zs_pipe *pipe)
{
	free(pipe);
}

ssize_t zs_pipe_fill(struct zs_pipe *pipe, int from, size_t most)
{
	struct memory *memory = (struct memory *)pipe;
	ssize_t len = recv(from, memory->bytes, most < memory->size ? most : memory->size, MSG_DONTWAIT);

	memory->done = 0;
	if (len > 0)
		pipe->held = (size_t)len;
	return len;
}

ssize_t zs_pipe_empty(struct zs_pipe *pipe, int to)
{
	struct memory *memory = (struct memory *)pipe;
	ssize_t len = zs_proxy_send(to, memory->bytes + memory->done, pipe->held);

	if (len > 0) {
		memory->done += (size_t)len;
		pipe->held -= (size_t)len;
	}
	return len;
}
