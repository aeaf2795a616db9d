/* Linux: sockets by newer system calls, pipes that splice(2) fills, and epoll(7). */
#include "proxy/proxy_system.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/linux/proxy_splice.h"
#include "proxy/proxy_state.h"

int zs_proxy_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

int zs_proxy_take(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

ssize_t zs_proxy_send(int socket, const void *bytes, size_t len)
{
	return send(socket, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void zs_proxy_do_not_pace(int socket)
{
	static const char reno[] = "reno";

	setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, reno, sizeof reno - 1);
}

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
	/* The pipe works with any size. */
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

_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLERR == EPOLLERR && POLLHUP == EPOLLHUP,
	"man 2 epoll_ctl: they are the same");

int zs_ready_open(struct zs_proxy *proxy)
{
	proxy->queue = epoll_create1(EPOLL_CLOEXEC);
	return proxy->queue < 0 ? -errno : 0;
}

int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watched };
	int operation = watched->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (!events)
		operation = EPOLL_CTL_DEL;
	return epoll_ctl(proxy->queue, operation, watched->fd, &event) < 0 ? -errno : 0;
}

int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms)
{
	struct epoll_event events[ZS_READY_AT_ONCE];
	int count = epoll_wait(proxy->queue, events, ZS_READY_AT_ONCE, timeout_ms);

	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++)
		ret_ready[i] = (struct zs_ready){ events[i].data.ptr, events[i].events };
	return count;
}
