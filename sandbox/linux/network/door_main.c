/* The door, from its fork on: it takes its listeners, confines itself and serves (door/door_loop.h). */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "linux/network/door.h"
#include "linux/network/door_confine.h"
#include "proxy/door_loop.h"
#include "linux/network/door_passing.h"
#include "enforce/door_routes.h"

_Static_assert((int)ZS_DOOR_LISTENERS == (int)ZS_DOOR_LISTENERS_MAX, "there is room for all listeners");

static const enum zs_door_via vias[ZS_DOOR_FIXED] = { [ZS_DOOR_PROXY] = ZS_VIA_PROXY,
	[ZS_DOOR_DNS_UDP] = ZS_VIA_DNS,
	[ZS_DOOR_DNS_TCP] = ZS_VIA_DNS,
	[ZS_DOOR_TLS] = ZS_VIA_TLS,
	[ZS_DOOR_PLAIN] = ZS_VIA_PLAIN };

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
	r = zs_door_count_connections(door);
	if (r < 0)
		return r;
	*ret_object = "door: routes";
	door->routes = zs_routes_open();
	if (door->routes < 0)
		return door->routes;
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

static int watch_all(struct zs_door *door, const int *listeners, int count)
{
	int r = zs_door_begin(door);

	for (int i = 0; r == 0 && i < count; i++)
		zs_door_add_listener(
			door, listeners[i], i < ZS_DOOR_FIXED ? vias[i] : ZS_VIA_PORT, i == ZS_DOOR_DNS_UDP);
	return r;
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
	zs_door_serve(door);
}
