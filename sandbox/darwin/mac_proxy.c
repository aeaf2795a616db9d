/* The run's side of its proxy. */
#include "darwin/mac_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/proxy_answer.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

/* The proxy blocks all signals from its start on, SIGPIPE too: the terminal signals the whole group, and the proxy must
 * not end before the run. */
static int fork_proxy(struct zs_run *run, const int ends[2])
{
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	if (sigprocmask(SIG_BLOCK, &all, &mask) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		zs_proxy_be(run->policy, &run->proxy, ends[1], run->report);
	}
	if (pid < 0)
		return -errno;
	run->proxy.pid = pid;
	return sigprocmask(SIG_SETMASK, &mask, NULL) < 0 ? -errno : 0;
}

int zs_stage_proxy(struct zs_run *run, struct zs_error *error)
{
	int ends[2], r;

	if (run->policy->network != ZS_NETWORK_HOSTS)
		return 0;
	r = zs_proxy_listen_local(run->proxy.listeners, &run->proxy.port);
	if (r < 0)
		return zs_error_errno(error, "", "a port of the loopback", -r);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	r = fork_proxy(run, ends);
	close(ends[1]);
	run->proxy.socket = ends[0];
	if (run->report >= 0)
		close(run->report);
	run->report = -1;
	return r < 0 ? zs_error_errno(error, "", "fork", -r) : zs_proxy_await(run->proxy.socket, error);
}

void zs_proxy_leave(struct zs_run_proxy *proxy)
{
	if (proxy->pid <= 0)
		return;
	close(proxy->socket);
	for (int i = 0; i < ZS_PROXY_LOCAL_LISTENERS; i++)
		if (proxy->listeners[i] >= 0)
			close(proxy->listeners[i]);
	proxy->pid = 0;
}

void zs_proxy_end(struct zs_run_proxy *proxy)
{
	pid_t pid = proxy->pid;

	zs_proxy_leave(proxy);
	if (pid > 0)
		zs_proxy_wait(pid);
}
