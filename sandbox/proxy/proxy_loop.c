#include "proxy/proxy_loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "proxy/proxy_connection.h"
#include "proxy/proxy_system.h"

/* The run, its supervisor, or the reader of the report has ended. */
static void proxy_loop_leave(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	(void)watched;
	(void)events;
	for (size_t i = 0; i < proxy->count; i++)
		zs_connection_end(proxy, proxy->connections[i]);
	_exit(EXIT_SUCCESS);
}

/* The reader of the report has sent a byte, or has ended. */
static void hear_reader(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	struct zs_proxy_line line = { .via = "proxy", .allowed = true, .ms = -1 };
	char byte;

	if (recv(watched->fd, &byte, 1, MSG_DONTWAIT) != 1 || (byte != ZS_PROXY_PAUSE && byte != ZS_PROXY_RESUME))
		proxy_loop_leave(proxy, watched, events);
	proxy->paused = byte == ZS_PROXY_PAUSE;
	for (size_t i = 0; proxy->paused && i < proxy->count; i++)
		zs_connection_end(proxy, proxy->connections[i]);
	line.event = proxy->paused ? "paused" : "resumed";
	zs_proxy_tell(proxy, &line);
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

/* Ends what has taken too long. Returns the milliseconds until the next end; -1: there is none. */
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
	if (next == INT64_MAX)
		return -1;
	return next <= proxy->now ? 0 : (int)(next - proxy->now);
}

_Noreturn void zs_proxy_serve(struct zs_proxy *proxy)
{
	struct zs_ready ready[ZS_READY_AT_ONCE];
	int timeout = -1;

	for (;;) {
		int count = zs_ready_wait(proxy, ready, timeout);

		if (count < 0 && count != -EINTR)
			_exit(EXIT_FAILURE);
		proxy->now = zs_now_ms();
		for (int i = 0; i < count; i++) {
			struct zs_watched *watched = ready[i].watched;

			/* An event before it may have closed it. */
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
	proxy->run.ready = proxy_loop_leave;
	/* Only the end of the run can come over this socket now. */
	zs_proxy_watch(proxy, &proxy->run, POLLIN);
	proxy->reader = (struct zs_watched){ .fd = proxy->report.fd, .ready = hear_reader };
	if (proxy->has_reader)
		zs_proxy_watch(proxy, &proxy->reader, POLLIN);
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

/* Raises the limit of descriptors as far as allowed. */
static int raise_file_limit(size_t *ret_files)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	if (files.rlim_max > ZS_PROXY_FILES_MAX)
		files.rlim_max = ZS_PROXY_FILES_MAX;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	*ret_files = (size_t)files.rlim_cur;
	return 0;
}

/* A connection has two sockets and at most two pipes. */
int zs_proxy_count_connections(struct zs_proxy *proxy)
{
	enum { OWN = 64, EACH = 6 };
	size_t files;
	int r = raise_file_limit(&files);

	if (r < 0)
		return r;
	if (files < OWN + EACH)
		return -EMFILE;
	proxy->most = (files - OWN) / EACH;
	if (proxy->most > ZS_PROXY_CONNECTIONS_MAX)
		proxy->most = ZS_PROXY_CONNECTIONS_MAX;
	return 0;
}
