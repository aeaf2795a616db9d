/* Starts the run's proxy, passes it its listeners, and ends it. */
#include "linux/network/proxy.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "proxy/proxy_answer.h"
#include "proxy/proxy_denials.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"

static bool asks_hosts(const struct zs_run *run)
{
	return run->policy->network == ZS_NETWORK_HOSTS;
}

/* Forks the proxy, or the resolver alone, with all signals blocked. The terminal signals the whole process group, but
 * the proxy must live as long as the run. */
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
		if (run->proxy.names >= 0)
			zs_resolver_be(run, ends[1]);
		zs_proxy_be(run, ends[1]);
	}
	if (pid < 0)
		return pid;
	run->proxy.pid = pid;
	return sigprocmask(SIG_SETMASK, &mask, NULL) < 0 ? -errno : 0;
}

/* A session's proxy serves many runs, and its report tells of them. */
static int share_denials(struct zs_run *run)
{
	void *memory;

	if (run->shared)
		return 0;
	memory = mmap(NULL, sizeof *run->proxy.denials, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	run->proxy.denials = memory;
	return 0;
}

static int proxy_start(struct zs_run *run, struct zs_error *error)
{
	int ends[2], r = share_denials(run);

	if (r < 0)
		return zs_error_errno(error, "", "mmap", -r);
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

int zs_stage_proxy(struct zs_run *run, struct zs_error *error)
{
	return asks_hosts(run) ? proxy_start(run, error) : 0;
}

void zs_resolver_start(struct zs_run *run)
{
	proxy_start(run, NULL);
	close(run->proxy.names);
	run->proxy.names = -1;
}

int zs_stage_listeners(struct zs_run *run, struct zs_error *error)
{
	int listeners[ZS_PROXY_LISTENERS], count, r;
	const char *object;

	if (run->policy->network == ZS_NETWORK_NONE && !run->shared) {
		r = run->proxy.names = zs_proxy_listen_names();
		return r < 0 ? zs_error_errno(error, "", "resolver", -r) : 0;
	}
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
	if (asks_hosts(run))
		zs_notice("zs: proxy: it has ended; no host is reached any more");
}

void zs_proxy_end(struct zs_run *run)
{
	if (run->proxy.pid > 0) {
		close(run->proxy.socket);
		zs_proxy_wait(run->proxy.pid);
	}
	if (run->proxy.denials && run->denials < 0)
		zs_proxy_denials_print(run->proxy.denials);
}
