#include "proxy/proxy_system.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "proxy/linux/proxy_splice.h"

struct zs_pipe *zs_pipe_open(bool large)
{
	struct zs_splice *own;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return NULL;
	own = calloc(1, sizeof *own);
	if (!own) {
		close(ends[0]);
		close(ends[1]);
		return NULL;
	}
	*own = (struct zs_splice){ .out = ends[0], .in = ends[1] };
	/* It works with any size. */
	own->pipe.large = large && fcntl(own->in, F_SETPIPE_SZ, ZS_RELAY_PIPE_BYTES) >= 0;
	if (!own->pipe.large)
		fcntl(own->in, F_SETPIPE_SZ, ZS_RELAY_SMALL_PIPE_BYTES);
	return &own->pipe;
}

void zs_pipe_close(struct zs_pipe *pipe)
{
	struct zs_splice *own = (struct zs_splice *)pipe;

	close(own->out);
	close(own->in);
	free(own);
}

ssize_t zs_pipe_fill(struct zs_pipe *pipe, int from, size_t most)
{
	const struct zs_splice *own = (const struct zs_splice *)pipe;
	ssize_t len = splice(from, NULL, own->in, NULL, most, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);

	if (len > 0)
		pipe->held = (size_t)len;
	return len;
}

ssize_t zs_pipe_empty(struct zs_pipe *pipe, int to)
{
	const struct zs_splice *own = (const struct zs_splice *)pipe;
	ssize_t len = splice(own->out, NULL, to, NULL, pipe->held, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);

	if (len > 0)
		pipe->held -= (size_t)len;
	return len;
}
