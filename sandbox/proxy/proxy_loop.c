#include "proxy/proxy_loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "proxy/proxy_ready.h"

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void zs_proxy_watch(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	if (events == watched->events)
		return;
	/* A socket that cannot be waited for would never go on. */
	if (zs_ready_change(proxy, watched, events) < 0 && events)
		_exit(EXIT_FAILURE);
	watched->events = events;
}

void zs_proxy_tell(struct zs_proxy *proxy, const struct zs_proxy_line *line)
{
	if (!zs_proxy_report(&proxy->report, proxy->run.fd, line))
		_exit(EXIT_FAILURE);
}

void zs_proxy_forget(struct zs_proxy *proxy, struct zs_watched *watched)
{
	if (watched->fd < 0)
		return;
	zs_proxy_watch(proxy, watched, 0);
	close(watched->fd);
	watched->fd = -1;
}

/* The run has ended, or its supervisor has. */
static void leave(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	(void)watched;
	(void)events;
	for (size_t i = 0; i < proxy->count; i++)
		zs_connection_end(proxy, proxy->connections[i]);
	_exit(EXIT_SUCCESS);
}

static void bury(struct zs_proxy *proxy)
{
	for (size_t i = 0; proxy->dead > 0 && i < proxy->count;) {
		struct zs_connection *connection = proxy->connections[i];

		if (connection->state != ZS_STATE_DEAD) {
			i++;
			continue;
		}
		proxy->connections[i] = proxy->connections[--proxy->count];
		proxy->dead--;
		free(connection);
	}
}

/* How long until the next has to be; -1: there is none. */
static int expire(struct zs_proxy *proxy)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < proxy->count; i++) {
		struct zs_connection *connection = proxy->connections[i];

		if (connection->state != ZS_STATE_DEAD && connection->deadline <= proxy->now)
			zs_connection_expire(proxy, connection);
		if (connection->state != ZS_STATE_DEAD && connection->deadline < next)
			next = connection->deadline;
	}
	return next == INT64_MAX ? -1 : next <= proxy->now ? 0 : (int)(next - proxy->now);
}

_Noreturn void zs_proxy_serve(struct zs_proxy *proxy)
{
	struct zs_ready ready[ZS_READY_AT_ONCE];
	int timeout = -1;

	for (;;) {
		int count = zs_ready_wait(proxy, ready, timeout);

		if (count < 0 && count != -EINTR)
			_exit(EXIT_FAILURE);
		proxy->now = now_ms();
		for (int i = 0; i < count; i++) {
			struct zs_watched *watched = ready[i].watched;

			/* It may have been closed by what came before. */
			if (watched->fd >= 0)
				watched->ready(proxy, watched, ready[i].events);
		}
		timeout = expire(proxy);
		bury(proxy);
	}
}

int zs_proxy_begin(struct zs_proxy *proxy)
{
	int r = zs_ready_open(proxy);

	if (r < 0)
		return r;
	proxy->run.ready = leave;
	/* Nothing more is to come over it but its end. */
	zs_proxy_watch(proxy, &proxy->run, POLLIN);
	return 0;
}

void zs_proxy_add_listener(struct zs_proxy *proxy, int fd, enum zs_proxy_via via, bool datagrams)
{
	struct zs_listener *listener = &proxy->listeners[proxy->listener_count++];

	listener->watched =
		(struct zs_watched){ .fd = fd, .ready = datagrams ? zs_proxy_answer_names : zs_proxy_accept };
	listener->via = via;
	zs_proxy_watch(proxy, &listener->watched, POLLIN);
}
