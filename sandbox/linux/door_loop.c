#include "door_loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "door_confine.h"
#include "door_passing.h"

enum { EVENTS = 64 };

static int64_t now_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void zs_door_watch(struct zs_door *door, struct zs_watched *watched, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watched };
	int operation = !events ? EPOLL_CTL_DEL : watched->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (events == watched->events)
		return;
	/* What cannot be waited for would never go on. */
	if (epoll_ctl(door->epoll, operation, watched->fd, &event) < 0 && events)
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

static _Noreturn void serve(struct zs_door *door)
{
	struct epoll_event events[EVENTS];
	int timeout = -1;

	for (;;) {
		int count = epoll_wait(door->epoll, events, EVENTS, timeout);

		if (count < 0 && errno != EINTR)
			_exit(EXIT_FAILURE);
		door->now = now_ms();
		for (int i = 0; i < count; i++) {
			struct zs_watched *watched = events[i].data.ptr;

			/* It may have been closed by what came before. */
			if (watched->fd >= 0)
				watched->ready(door, watched, events[i].events);
		}
		timeout = expire(door);
		bury(door);
	}
}

static int watch_all(struct zs_door *door, const int *listeners, int count)
{
	door->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (door->epoll < 0)
		return -errno;
	for (int i = 0; i < count; i++) {
		door->listeners[i] = (struct zs_watched){ .fd = listeners[i],
			.ready = i == ZS_DOOR_DNS_UDP ? zs_door_answer_names : zs_door_accept };
		zs_door_watch(door, &door->listeners[i], EPOLLIN);
	}
	door->run.ready = leave;
	/* Nothing more is to come over it but its end. */
	zs_door_watch(door, &door->run, EPOLLIN);
	return 0;
}

/* A connection has two sockets and at most two pipes. */
static int count_connections(struct zs_door *door)
{
	enum { OWN = 64, EACH = 6 };
	size_t files;
	int r = zs_door_open_files(&files);

	if (r < 0)
		return r;
	if (files < OWN + EACH)
		return -EMFILE;
	door->most = (files - OWN) / EACH;
	if (door->most > ZS_DOOR_CONNECTIONS_MAX)
		door->most = ZS_DOOR_CONNECTIONS_MAX;
	return 0;
}

/* In the caller's mounts, and with its rights. */
static int prepare(struct zs_door *door, const char **ret_object)
{
	int r;

	*ret_object = "door: descriptors";
	r = zs_door_close_others(door->run.fd, door->report.fd);
	if (r < 0)
		return r;
	/* The run's end is the end of the socket; this is a second lock on it. */
	*ret_object = "door: pdeathsig";
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "door: files";
	r = count_connections(door);
	if (r < 0)
		return r;
	*ret_object = "door: resolvers";
	return zs_resolvers_read(&door->resolvers);
}

/* Names that have a listener at their own address have that address from the beginning. */
static int name_ports(struct zs_door *door)
{
	struct zs_door_ports ports;

	zs_door_ports_of(door->policy, &ports);
	for (size_t i = 0; i < ports.named; i++)
		if (zs_door_address_of(&door->names, ports.names[i]) != zs_door_address_at(i))
			return -ENOMEM;
	return 0;
}

static int open_door(struct zs_door *door, const char **ret_object)
{
	int listeners[ZS_DOOR_LISTENERS], count = zs_door_listener_count(door->policy), r;

	r = prepare(door, ret_object);
	if (r < 0)
		return r;
	*ret_object = "door: its listeners";
	r = zs_door_receive(door->run.fd, listeners, count);
	/* The run has failed, and has said why. */
	if (r == -EPIPE)
		_exit(EXIT_SUCCESS);
	if (r == 0)
		r = zs_door_check(door->policy, listeners, count);
	if (r == 0)
		r = name_ports(door);
	if (r == 0)
		r = zs_door_confine(ret_object);
	if (r < 0)
		return r;
	*ret_object = "door: epoll";
	return watch_all(door, listeners, count);
}

_Noreturn void zs_door_be(const struct zs_policy *policy, int socket, int report)
{
	const char *object = "door";
	struct zs_door *door = calloc(1, sizeof *door);
	int r = -ENOMEM;

	if (door) {
		door->policy = policy;
		door->report.fd = report;
		door->run.fd = socket;
		r = open_door(door, &object);
	}
	if (zs_door_answer(socket, -r, object) < 0 || r < 0)
		_exit(EXIT_FAILURE);
	serve(door);
}
