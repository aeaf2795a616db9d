/* Other systems: POSIX only. Bytes on their way are kept in memory, and each poll(2) asks for all descriptors, of which
 * the proxy has some hundreds at most. */
#include "proxy/proxy_system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_state.h"

/* Two calls are safe here: the proxy has one thread, and starts no program. */
static int proxy_socket_set_up(int fd)
{
	int flags = fcntl(fd, F_GETFL), cause;

	if (flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) >= 0)
		return fd;
	cause = errno;
	close(fd);
	return -cause;
}

int zs_proxy_socket(int family, int type)
{
	int fd = socket(family, type, 0);

	return fd < 0 ? -errno : proxy_socket_set_up(fd);
}

int zs_proxy_take(int listener)
{
	int fd = accept(listener, NULL, NULL);

	return fd < 0 ? -errno : proxy_socket_set_up(fd);
}

/* The proxy has blocked all signals, including SIGPIPE. */
ssize_t zs_proxy_send(int socket, const void *bytes, size_t len)
{
	return send(socket, bytes, len, MSG_DONTWAIT);
}

void zs_proxy_do_not_pace(int socket)
{
	(void)socket;
}

struct memory {
	struct zs_pipe pipe; /* the first member, so that a pointer to it is a pointer to the struct */
	size_t size, done;   /* done: how many of the `size` bytes have been sent on */
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

enum { MOST = 1 + ZS_PROXY_LISTENERS_MAX + 2 * ZS_PROXY_CONNECTIONS_MAX };

struct list {
	struct pollfd events[MOST];
	struct zs_watched *watched[MOST];
	nfds_t count;
};

static void proxy_ready_add(struct list *list, struct zs_watched *watched)
{
	if (watched->fd < 0 || !watched->events)
		return;
	list->events[list->count] = (struct pollfd){ .fd = watched->fd, .events = (short)watched->events };
	list->watched[list->count++] = watched;
}

static void add_all(struct list *list, struct zs_proxy *proxy)
{
	proxy_ready_add(list, &proxy->run);
	for (size_t i = 0; i < proxy->listener_count; i++)
		proxy_ready_add(list, &proxy->listeners[i].watched);
	for (size_t i = 0; i < proxy->count; i++) {
		proxy_ready_add(list, &proxy->connections[i]->client);
		proxy_ready_add(list, &proxy->connections[i]->server);
	}
}

int zs_ready_open(struct zs_proxy *proxy)
{
	(void)proxy;
	return 0;
}

int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	(void)proxy;
	(void)watched;
	(void)events;
	return 0;
}

int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms)
{
	struct list list = { .count = 0 };
	int taken = 0;

	add_all(&list, proxy);
	if (poll(list.events, list.count, timeout_ms) < 0)
		return -errno;
	/* The end of the run comes first. Descriptors for which there is no room are still ready next time. */
	for (nfds_t i = 0; i < list.count && taken < ZS_READY_AT_ONCE; i++)
		if (list.events[i].revents)
			ret_ready[taken++] =
				(struct zs_ready){ list.watched[i], (uint32_t)(unsigned short)list.events[i].revents };
	return taken;
}
