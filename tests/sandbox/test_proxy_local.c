/* The proxy's listeners on the machine's loopback: the port belongs to the proxy at each address of "localhost", or
 * another port is taken. Also the variables that name it. The tests use networks of their own. */
#include <arpa/inet.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "proxy/proxy_local.h"
#include "policy/environment.h"
#include "harness.h"
#include "linux/base/namespace_calls.h"

/* The ports among which the kernel can choose. */
enum { FIRST = 40000, PORTS = 4 };

/* False: it has printed why not. */
static bool enter_network(void)
{
	const char *object = "prctl";
	int r = prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;
	FILE *range;

	if (r == 0)
		r = zs_namespaces_enter(CLONE_NEWUSER | CLONE_NEWNET, geteuid(), getegid(), &object);
	if (r == 0)
		r = zs_loopback_up();
	if (r == 0) {
		object = "ip_local_port_range";
		range = fopen("/proc/sys/net/ipv4/ip_local_port_range", "w");
		if (!range || fprintf(range, "%d %d\n", FIRST, FIRST + PORTS - 1) < 0 || fclose(range) != 0)
			r = -errno;
	}
	if (r < 0)
		fprintf(stderr, "%s: %s\n", object, strerror(-r));
	return r == 0;
}

/* Starts another program's server. 0 or a negative errno. */
static int take_port(int port)
{
	const struct sockaddr_in6 at = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_port = htons((uint16_t)port)
	};
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 1) == 0 ? 0 : -errno;
}

static uint16_t port_of(int fd, int family)
{
	struct sockaddr_storage at = { 0 };
	socklen_t size = sizeof at;

	if (getsockname(fd, (struct sockaddr *)&at, &size) < 0 || at.ss_family != family)
		return 0;
	if (family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)&at)->sin6_port);
	return ((struct sockaddr_in *)&at)->sin_addr.s_addr == htonl(INADDR_LOOPBACK)
		       ? ntohs(((struct sockaddr_in *)&at)->sin_port)
		       : 0;
}

/* *arg ports of ::1 belong to another program, from the first on. */
static int listen_beside_others(void *arg)
{
	int taken = *(int *)arg, listeners[ZS_PROXY_LOCAL_LISTENERS], r;
	uint16_t port;

	if (!enter_network())
		return HARNESS_FAILED;
	/* The kernel has no IPv6, so no program has ::1. */
	r = take_port(FIRST + PORTS);
	if (r == -EADDRNOTAVAIL || r == -EAFNOSUPPORT)
		return zs_proxy_listen_local(listeners, &port) == 0 && listeners[1] == -1 &&
				       port_of(listeners[0], AF_INET) == port
			       ? 0
			       : 6;
	for (int i = 0; i < taken; i++) {
		r = take_port(FIRST + i);
		if (r < 0) {
			fprintf(stderr, "::1: %s\n", strerror(-r));
			return HARNESS_FAILED;
		}
	}
	r = zs_proxy_listen_local(listeners, &port);
	if (taken == PORTS)
		return r == -EADDRINUSE ? 0 : 1;
	if (r < 0)
		return 2;
	if (port < FIRST + taken || port_of(listeners[0], AF_INET) != port || port_of(listeners[1], AF_INET6) != port)
		return 3;
	/* No other program can take it now. */
	if (take_port(port) != -EADDRINUSE)
		return 4;
	for (int i = 0; i < ZS_PROXY_LOCAL_LISTENERS; i++)
		if (!(fcntl(listeners[i], F_GETFL) & O_NONBLOCK) || !(fcntl(listeners[i], F_GETFD) & FD_CLOEXEC))
			return 5;
	return 0;
}

TEST(proxy_local_port_is_nobody_elses)
{
	/* No port is taken; all but one are, so that most tries fail; all are. */
	static int taken[] = { 0, PORTS - 1, PORTS };

	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		AS_EACH_USER (scratch) {
			struct result result;

			run_child(scratch.owner, listen_beside_others, &taken[i], &result);
			CHECK(result.status == 0, "%d taken: %d %s", taken[i], result.status, result.err);
		}
}

TEST(proxy_variables_have_the_port_that_it_is)
{
	static const char set[] = "MINE=http://127.0.0.1:808";
	static char outside[] = "HTTPS_PROXY=http://out:808";
	char *given[] = { outside, NULL };
	AUTO_POLICY *policy = NULL;
	size_t moved = 0, others = 0;
	char **env = NULL;

	CHECK(zs_policy_new(given, &policy) == 0 && zs_policy_set_network(policy, ZS_NETWORK_HOSTS, NULL) == 0 &&
			zs_policy_set_env(policy, set, NULL) == 0 && zs_env_filter(policy, given, &env) == 0 &&
			zs_proxy_variables_move(env, 65535) == 0,
		"a policy");
	for (size_t i = 0; env && env[i]; i++) {
		const char *value = strchr(env[i], '=') + 1;

		if (strcmp(value, "http://127.0.0.1:65535") == 0)
			free(env[i]), moved++;
		else if (strcmp(env[i], set) == 0 || strcmp(value, "localhost,127.0.0.1,::1") == 0 ||
			 strncmp(env[i], "ZS_SANDBOX", 10) == 0)
			others++; /* the variable that the policy sets stays */
		else
			CHECK(false, "%s", env[i]);
	}
	CHECK(moved == 10 && others == 5, "%zu moved, %zu others", moved, others);
	free(env);
}
