#include "proxy/proxy_relay.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "proxy/proxy_system.h"

static void close_pipe(struct zs_pipes *pipes, struct zs_pipe *pipe)
{
	pipes->large -= pipe->large;
	zs_pipe_close(pipe);
}

void zs_pipes_close(struct zs_pipes *pipes)
{
	while (pipes->count > 0)
		close_pipe(pipes, pipes->idle[--pipes->count]);
}

/* NULL, with errno: no pipe is available. */
static struct zs_pipe *take_pipe(struct zs_pipes *pipes)
{
	struct zs_pipe *pipe;

	if (pipes->count > 0)
		return pipes->idle[--pipes->count];
	pipe = zs_pipe_open(pipes->large < ZS_RELAY_LARGE_PIPES);
	if (pipe)
		pipes->large += pipe->large;
	return pipe;
}

/* Only an empty pipe can be used again. */
static void give_pipe(struct zs_pipes *pipes, struct zs_pipe *pipe)
{
	if (pipe->held == 0 && pipes->count < ZS_RELAY_IDLE_PIPES)
		pipes->idle[pipes->count++] = pipe;
	else
		close_pipe(pipes, pipe);
}

static bool is_for_later(int cause)
{
	return cause == EAGAIN || cause == EINTR;
}

/* Each step returns 1 when there may be more to do, 0 when it must wait. */

static int send_first(struct zs_flow *flow, int to)
{
	ssize_t len = zs_proxy_send(to, flow->first + flow->first_done, flow->first_len - flow->first_done);

	if (len < 0)
		return is_for_later(errno) ? 0 : -errno;
	flow->first_done += (size_t)len;
	flow->passed += (uint64_t)len;
	if (flow->first_done < flow->first_len)
		return 1;
	free(flow->first);
	flow->first = NULL;
	return 1;
}

static int empty_pipe(struct zs_flow *flow, int to)
{
	ssize_t len = zs_pipe_empty(flow->pipe, to);

	if (len < 0)
		return is_for_later(errno) ? 0 : -errno;
	flow->passed += (uint64_t)len;
	return 1;
}

static int fill_pipe(struct zs_flow *flow, int from)
{
	size_t most = ZS_RELAY_PIPE_BYTES;
	ssize_t len;

	if (flow->limited && flow->left < most)
		most = (size_t)flow->left;
	len = zs_pipe_fill(flow->pipe, from, most);
	if (len < 0)
		return is_for_later(errno) ? 0 : -errno;
	flow->ended = len == 0;
	if (flow->limited)
		flow->left -= (uint64_t)len;
	return 1;
}

static int pass_end(struct zs_flow *flow, int to)
{
	flow->shut = true;
	/* The other side may have gone, which the other direction will notice. A request is not ended in this way: some
	 * servers take the end for a change of mind, and do not answer. */
	if (!flow->limited)
		shutdown(to, SHUT_WR);
	return 0;
}

static int step(struct zs_flow *flow, struct zs_pipes *pipes, int from, int to)
{
	if (flow->first)
		return send_first(flow, to);
	if (flow->pipe && flow->pipe->held)
		return empty_pipe(flow, to);
	if (flow->limited && flow->left == 0)
		flow->ended = true;
	if (flow->ended)
		return flow->shut ? 0 : pass_end(flow, to);
	if (flow->held)
		return 0;
	if (!flow->pipe)
		flow->pipe = take_pipe(pipes);
	return flow->pipe ? fill_pipe(flow, from) : -errno;
}

int zs_flow_pump(struct zs_flow *flow, struct zs_pipes *pipes, int from, int to)
{
	int r = 1;

	for (int i = 0; r > 0 && i < 2 * ZS_RELAY_ROUNDS; i++)
		r = step(flow, pipes, from, to);
	if (flow->pipe && flow->pipe->held == 0) {
		give_pipe(pipes, flow->pipe);
		flow->pipe = NULL;
	}
	return r < 0 ? r : 0;
}

bool zs_flow_wants_write(const struct zs_flow *flow)
{
	return flow->first || flow->pipe;
}

bool zs_flow_wants_read(const struct zs_flow *flow)
{
	return !zs_flow_wants_write(flow) && !flow->ended && !flow->held;
}

void zs_flow_end(struct zs_flow *flow, struct zs_pipes *pipes)
{
	free(flow->first);
	if (flow->pipe)
		give_pipe(pipes, flow->pipe);
	*flow = (struct zs_flow){ .ended = true, .shut = true, .passed = flow->passed };
}
