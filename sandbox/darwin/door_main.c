/* The door, from its fork on: it leaves everything behind, confines itself, and serves (door/door_loop.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "darwin/mac_door.h"
#include "proxy/door_answer.h"
#include "proxy/door_loop.h"
#include "enforce/door_routes.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

static int fill_standard(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int r = null < 0 ? -errno : 0;

	for (int fd = 0; r == 0 && fd <= STDERR_FILENO; fd++)
		if (dup2(null, fd) < 0)
			r = -errno;
	if (null >= 0)
		close(null);
	return r;
}

static int close_others(const struct zs_door *door, const struct zs_run_door *own)
{
	const int kept[] = { door->run.fd, door->report.fd, own->listeners[0], own->listeners[1] };
	int r = zs_close_others(kept, ZS_COUNT(kept));

	return r < 0 ? r : fill_standard();
}

/* No child, no dump; and what the profile says. */
static int confine(uint16_t port)
{
	const struct rlimit none = { 0, 0 };
	struct zs_seatbelt_profile profile;
	struct zs_error error;
	int r;

	if (setrlimit(RLIMIT_NPROC, &none) < 0 || setrlimit(RLIMIT_CORE, &none) < 0)
		return -errno;
	r = zs_seatbelt_door_profile_new(port, &profile, &error);
	if (r < 0)
		return r;
	r = zs_seatbelt_apply(&profile, &error);
	zs_seatbelt_profile_free(&profile);
	return r;
}

static int open_door(struct zs_door *door, const struct zs_run_door *own, const char **ret_object)
{
	int r;

	*ret_object = "door: descriptors";
	r = close_others(door, own);
	if (r < 0)
		return r;
	*ret_object = "door: files";
	r = zs_door_count_connections(door);
	if (r < 0)
		return r;
	*ret_object = "door: routes";
	door->routes = zs_routes_open();
	if (door->routes < 0)
		return door->routes;
	*ret_object = "door: resolvers";
	r = zs_resolvers_read(&door->resolvers);
	if (r < 0)
		return r;
	*ret_object = "door: seatbelt";
	r = confine(own->port);
	if (r < 0)
		return r;
	*ret_object = "door: its sockets";
	r = zs_door_begin(door);
	for (int i = 0; r == 0 && i < ZS_DOOR_LOCAL_LISTENERS; i++)
		if (own->listeners[i] >= 0)
			zs_door_add_listener(door, own->listeners[i], ZS_VIA_PROXY, false);
	return r;
}

_Noreturn void zs_door_be(const struct zs_policy *policy, const struct zs_run_door *own, int socket, int report)
{
	const char *object = "door";
	struct zs_door *door = calloc(1, sizeof *door);
	int r = -ENOMEM;

	if (door) {
		door->policy = policy;
		door->report.fd = report;
		door->run.fd = socket;
		r = open_door(door, own, &object);
	}
	if (zs_door_answer(socket, -r, object) < 0 || r < 0)
		_exit(EXIT_FAILURE);
	zs_door_serve(door);
}
