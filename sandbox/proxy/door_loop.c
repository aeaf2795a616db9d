#include "proxy/door_loop.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "proxy/door_ready.h"

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void zs_door_watch(struct zs_door *door, struct zs_watched *watched, uint32_t events)
{
	if (events == watched->events)
		return;
	/* What cannot be waited for would never go on. */
	if (zs_ready_change(door, watched, events) < 0 && events)
		_exit(EXIT_FAILURE);
	watched->events = events;
}

void zs_door_tell(struct zs_door *door, const struct zs_door_line *line)
{
	if (!zs_door_report(&door->report, door->run.fd, line))
		_exit(EXIT_FAILURE);
}

void zs_door_forget(struct zs_door *door, struct zs_watched *watched)
{
	if (watched->fd < 0)
		return;
	zs_door_watch(door, watched, 0);
	close(watched->fd);
	watched->fd = -1;
}

/* The run has ended, or its supervisor has. */
static void leave(struct zs_door *door, struct zs_watched *watched, uint32_t events)
{
	(void)watched;
	(void)events;
	for (size_t i = 0; i < door->count; i++)
		zs_connection_end(door, door->connections[i]);
	_exit(EXIT_SUCCESS);
}

static void bury(struct zs_door *door)
{
	for (size_t i = 0; door->dead > 0 && i < door->count;) {
		struct zs_connection *connection = door->connections[i];

		if (connection->state != ZS_STATE_DEAD) {
			i++;
			continue;
		}
		door->connections[i] = door->connections[--door->count];
		door->dead--;
		free(connection);
	}
}

/* How long until the next has to be; -1: there is none. */
static int expire(struct zs_door *door)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < door->count; i++) {
		struct zs_connection *connection = door->connections[i];

		if (connection->state != ZS_STATE_DEAD && connection->deadline <= door->now)
			zs_connection_expire(door, connection);
		if (connection->state != ZS_STATE_DEAD && connection->deadline < next)
			next = connection->deadline;
	}
	return next == INT64_MAX ? -1 : next <= door->now ? 0 : (int)(next - door->now);
}

_Noreturn void zs_door_serve(struct zs_door *door)
{
	struct zs_ready ready[ZS_READY_AT_ONCE];
	int timeout = -1;

	for (;;) {
		int count = zs_ready_wait(door, ready, timeout);

		if (count < 0 && count != -EINTR)
			_exit(EXIT_FAILURE);
		door->now = now_ms();
		for (int i = 0; i < count; i++) {
			struct zs_watched *watched = ready[i].watched;

			/* It may have been closed by what came before. */
			if (watched->fd >= 0)
				watched->ready(door, watched, ready[i].events);
		}
		timeout = expire(door);
		bury(door);
	}
}

int zs_door_begin(struct zs_door *door)
{
	int r = zs_ready_open(door);

	if (r < 0)
		return r;
	door->run.ready = leave;
	/* Nothing more is to come over it but its end. */
	zs_door_watch(door, &door->run, POLLIN);
	return 0;
}

void zs_door_add_listener(struct zs_door *door, int fd, enum zs_door_via via, bool datagrams)
{
	struct zs_listener *listener = &door->listeners[door->listener_count++];

	listener->watched = (struct zs_watched){ .fd = fd, .ready = datagrams ? zs_door_answer_names : zs_door_accept };
	listener->via = via;
	zs_door_watch(door, &listener->watched, POLLIN);
}
