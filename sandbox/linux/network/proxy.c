/* Starts the run's proxy, passes it its listeners, and ends it. */
#include "linux/network/proxy.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "proxy/proxy_answer.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"

static bool asks_hosts(const struct zs_run *run)
{
	return run->policy->network == ZS_NETWORK_HOSTS;
}

/* Forks the proxy with all signals blocked. The terminal signals the whole process group, but the proxy must live as
 * long as the run. */
static int fork_proxy(struct zs_run *run, const int ends[2])
{
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &mask) < 0)
		return -errno;
	pid = zs_fork(0, NULL);
	if (pid == 0) {
		close(ends[0]);
		zs_proxy_be(run->policy, ends[1], run->report);
	}
	if (pid < 0)
		return pid;
	run->proxy.pid = pid;
	return sigprocmask(SIG_SETMASK, &mask, NULL) < 0 ? -errno : 0;
}

int zs_stage_proxy(struct zs_run *run, struct zs_error *error)
{
	int ends[2], r;

	if (!asks_hosts(run))
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	r = fork_proxy(run, ends);
	close(ends[1]);
	run->proxy.socket = ends[0];
	if (run->report >= 0)
		close(run->report);
	run->report = -1;
	return r < 0 ? zs_error_errno(error, "", "fork", -r) : 0;
}

int zs_stage_listeners(struct zs_run *run, struct zs_error *error)
{
	int listeners[ZS_PROXY_LISTENERS], count, r;
	const char *object;

	if (!asks_hosts(run))
		return 0;
	r = zs_proxy_listen(run->policy, listeners, &object);
	if (r < 0)
		return zs_error_errno(error, "", object, -r);
	count = zs_proxy_listener_count(run->policy);
	r = zs_proxy_pass(run->proxy.socket, listeners, count);
	for (int i = 0; i < count; i++)
		close(listeners[i]);
	return r < 0 ? zs_error_errno(error, "", "sendmsg", -r) : zs_proxy_await(run->proxy.socket, error);
}

void zs_proxy_lost(struct zs_run *run)
{
	run->proxy.pid = 0;
	zs_notice("zs: proxy: it has ended; no host is reached any more");
}

void zs_proxy_end(struct zs_run *run)
{
	if (run->proxy.pid <= 0)
		return;
	close(run->proxy.socket);
	zs_proxy_wait(run->proxy.pid);
}
