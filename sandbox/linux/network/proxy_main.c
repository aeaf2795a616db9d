/* Runs the proxy's process: receives its listeners, confines itself and serves (proxy/proxy_loop.h). */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "linux/base/process_calls.h"
#include "linux/base/run_state.h"
#include "linux/network/proxy.h"
#include "proxy/proxy_answer.h"
#include "proxy/proxy_loop.h"
#include "enforce/proxy_routes.h"

_Static_assert((int)ZS_PROXY_LISTENERS == (int)ZS_PROXY_LISTENERS_MAX, "there is room for all listeners");

static const enum zs_proxy_via vias[ZS_PROXY_FIXED] = { [ZS_PROXY_HTTP] = ZS_VIA_PROXY,
	[ZS_PROXY_DNS_UDP] = ZS_VIA_DNS,
	[ZS_PROXY_DNS_TCP] = ZS_VIA_DNS,
	[ZS_PROXY_TLS] = ZS_VIA_TLS,
	[ZS_PROXY_PLAIN] = ZS_VIA_PLAIN };

/* Prepares the steps that need the caller's files, before the proxy confines itself. */
static int prepare(struct zs_proxy *proxy, const char **ret_object)
{
	int r;

	*ret_object = "proxy: descriptors";
	r = zs_proxy_close_others(proxy->run.fd, proxy->report.fd);
	if (r < 0)
		return r;
	/* The proxy ends when the run closes its end of the socket. The death signal is a second lock. */
	*ret_object = "proxy: pdeathsig";
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "proxy: files";
	r = zs_proxy_count_connections(proxy);
	if (r < 0)
		return r;
	*ret_object = "proxy: routes";
	proxy->routes = zs_routes_open();
	if (proxy->routes < 0)
		return proxy->routes;
	*ret_object = "proxy: resolvers";
	return zs_resolvers_read(&proxy->resolvers);
}

/* Gives each name with a listener of its own the address of that listener. */
static int name_ports(struct zs_proxy *proxy)
{
	struct zs_proxy_ports ports;

	zs_proxy_ports_of(proxy->policy, &ports);
	for (size_t i = 0; i < ports.named; i++)
		if (zs_proxy_address_of(&proxy->names, ports.names[i]) != zs_proxy_address_at(i))
			return -ENOMEM;
	return 0;
}

static int watch_all(struct zs_proxy *proxy, const int *listeners, int count)
{
	int r = zs_proxy_begin(proxy);

	for (int i = 0; r == 0 && i < count; i++)
		zs_proxy_add_listener(
			proxy, listeners[i], i < ZS_PROXY_FIXED ? vias[i] : ZS_VIA_PORT, i == ZS_PROXY_DNS_UDP);
	return r;
}

static int watch_names(struct zs_proxy *proxy, int listener)
{
	int r = zs_proxy_begin(proxy);

	if (r == 0)
		zs_proxy_add_listener(proxy, listener, ZS_VIA_DNS, true);
	return r;
}

static int open_proxy(struct zs_proxy *proxy, const char **ret_object)
{
	int listeners[ZS_PROXY_LISTENERS], count = zs_proxy_listener_count(proxy->policy), r;

	r = prepare(proxy, ret_object);
	if (r < 0)
		return r;
	*ret_object = "proxy: its listeners";
	r = zs_proxy_receive(proxy->run.fd, listeners, count);
	/* The run has failed and has reported why. */
	if (r == -EPIPE)
		_exit(EXIT_SUCCESS);
	if (r == 0)
		r = zs_proxy_check(proxy->policy, listeners, count);
	if (r == 0)
		r = name_ports(proxy);
	if (r == 0)
		r = zs_proxy_confine(ret_object);
	if (r < 0)
		return r;
	*ret_object = "proxy: epoll";
	return watch_all(proxy, listeners, count);
}

/* The listener takes the places of the standard descriptors: this process is in the run's mounts and opens no path. */
static int open_resolver(struct zs_proxy *proxy, int listener, const char **ret_object)
{
	int r = 0;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (dup2(listener, fd) < 0)
			return -errno;
	if (zs_close_others((const int[]){ proxy->run.fd, proxy->report.fd }, 2) < 0 ||
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return -EPERM;
	r = zs_proxy_confine(ret_object);
	return r < 0 ? r : watch_names(proxy, STDIN_FILENO);
}

static struct zs_proxy *make_proxy(const struct zs_run *run, int socket)
{
	struct zs_proxy *proxy = calloc(1, sizeof *proxy);
	int type;
	socklen_t size = sizeof type;

	if (!proxy)
		return NULL;
	proxy->policy = run->policy;
	proxy->report.fd = run->report;
	/* A host that gives a socket ends the proxy, and with it every connection, by ending its side. */
	proxy->has_reader = run->report >= 0 && getsockopt(run->report, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
	proxy->denials = run->proxy.denials;
	proxy->run.fd = socket;
	return proxy;
}

_Noreturn void zs_resolver_be(const struct zs_run *run, int socket)
{
	struct zs_proxy *proxy = make_proxy(run, socket);
	const char *object;

	if (!proxy || open_resolver(proxy, run->proxy.names, &object) < 0)
		_exit(EXIT_FAILURE);
	zs_proxy_serve(proxy);
}

_Noreturn void zs_proxy_be(const struct zs_run *run, int socket)
{
	const char *object = "proxy";
	struct zs_proxy *proxy = make_proxy(run, socket);
	int r = proxy ? open_proxy(proxy, &object) : -ENOMEM;

	if (zs_proxy_answer(socket, -r, object) < 0 || r < 0)
		_exit(EXIT_FAILURE);
	zs_proxy_serve(proxy);
}
