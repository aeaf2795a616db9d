/* Runs the proxy, from its fork on: it closes what it inherited, confines itself, and serves (proxy/proxy_loop.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "darwin/mac_proxy.h"
#include "proxy/proxy_answer.h"
#include "proxy/proxy_loop.h"
#include "enforce/proxy_routes.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

static int proxy_main_fill_standard(void)
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

static int close_others(const struct zs_proxy *proxy, const struct zs_run_proxy *own)
{
	const int kept[] = { proxy->run.fd, proxy->report.fd, own->listeners[0], own->listeners[1] };
	int r = zs_close_others(kept, ZS_COUNT(kept));

	return r < 0 ? r : proxy_main_fill_standard();
}

/* Forbids children and core dumps, and applies the profile. */
static int proxy_main_confine(uint16_t port)
{
	const struct rlimit none = { 0, 0 };
	struct zs_seatbelt_profile profile;
	struct zs_error error;
	int r;

	if (setrlimit(RLIMIT_NPROC, &none) < 0 || setrlimit(RLIMIT_CORE, &none) < 0)
		return -errno;
	r = zs_seatbelt_proxy_profile_new(port, &profile, &error);
	if (r < 0)
		return r;
	r = zs_seatbelt_apply(&profile, &error);
	zs_seatbelt_profile_free(&profile);
	return r;
}

static int open_proxy(struct zs_proxy *proxy, const struct zs_run_proxy *own, const char **ret_object)
{
	int r;

	*ret_object = "proxy: descriptors";
	r = close_others(proxy, own);
	if (r < 0)
		return r;
	*ret_object = "proxy: files";
	r = zs_proxy_count_connections(proxy);
	if (r < 0)
		return r;
	*ret_object = "proxy: routes";
	proxy->routes = zs_routes_open();
	if (proxy->routes < 0)
		return proxy->routes;
	*ret_object = "proxy: resolvers";
	r = zs_resolvers_read(&proxy->resolvers);
	if (r < 0)
		return r;
	*ret_object = "proxy: seatbelt";
	r = proxy_main_confine(own->port);
	if (r < 0)
		return r;
	*ret_object = "proxy: its sockets";
	r = zs_proxy_begin(proxy);
	for (int i = 0; r == 0 && i < ZS_PROXY_LOCAL_LISTENERS; i++)
		if (own->listeners[i] >= 0)
			zs_proxy_add_listener(proxy, own->listeners[i], ZS_VIA_PROXY, false);
	return r;
}

_Noreturn void zs_proxy_be(const struct zs_policy *policy, const struct zs_run_proxy *own, int socket, int report)
{
	const char *object = "proxy";
	struct zs_proxy *proxy = calloc(1, sizeof *proxy);
	int r = -ENOMEM;

	if (proxy) {
		proxy->policy = policy;
		proxy->report.fd = report;
		proxy->run.fd = socket;
		r = open_proxy(proxy, own, &object);
	}
	if (zs_proxy_answer(socket, -r, object) < 0 || r < 0)
		_exit(EXIT_FAILURE);
	zs_proxy_serve(proxy);
}
