/* Pid 1 of the pid namespace in which the command is. The watch starts it from outside of that namespace: the command
 * can name every process in its own namespace, and make it wait for a processor.
 *
 * The init mounts proc, which shows the namespace of the process that mounts it, and gives up all capabilities but one,
 * to mount. Then it waits: the kernel reaps its children, and drops each signal that comes from inside. When the watch
 * asks, the init protects a file again that a program outside has replaced. It ends when the watch closes the socket,
 * or with the watch's own pid namespace. When the init ends, the kernel ends all processes of its namespace
 * (zap_pid_ns_processes() in kernel/pid_namespace.c). */
#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/mount_calls.h"
#include "linux/base/fd_message.h"
#include "base/scheduling.h"
#include "linux/base/stage.h"
#include "linux/files/root_tree.h"
#include "linux/locks/locks.h"

/* Gives up all capabilities but the one to mount, which no process of the run can use through this one: it cannot be
 * traced, and only the watch has the other end of its socket. */
static int weaken(int watch)
{
	const struct sigaction reaped = { .sa_handler = SIG_IGN }; /* man 2 sigaction: no zombies */
	int r = zs_capabilities_keep(UINT32_C(1) << CAP_SYS_ADMIN);

	/* The command could otherwise read the host's environment in /proc/1/environ, and trace this process. */
	if (r == 0 && (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || sigaction(SIGCHLD, &reaped, NULL) < 0))
		r = -errno;
	return r < 0 ? r : zs_close_others(watch, -1);
}

/* A policy that grants no /proc can run on a machine where no proc can be mounted. */
static bool asks_for_proc(const struct zs_policy *policy)
{
	bool asks = policy->workspace && strcmp(policy->workspace, "/") == 0;

	for (size_t i = 0; i < policy->grant_count; i++)
		asks = asks || strcmp(policy->grants[i].path, "/") == 0 || strcmp(policy->grants[i].path, "/proc") == 0;
	return asks;
}

static void serve(int watch)
{
	char path[PATH_MAX];
	size_t none = 0;
	int flags;
	ssize_t len = zs_fds_receive(watch, path, sizeof path, NULL, &none, &flags);

	/* The watch ends the run if no answer comes. */
	if (len > 0 && path[len - 1] == '\0')
		zs_result_send(watch, zs_root_protect_again(path), -1);
}

static _Noreturn void be_init(const struct zs_run *run, int watch)
{
	struct pollfd event = { watch, POLLIN, 0 };
	int proc = asks_for_proc(run->policy) ? zs_proc_new() : -ENOENT, weak;

	if (zs_result_send(watch, proc < 0 ? proc : 0, proc) < 0)
		_exit(1);
	setsid(); /* for the reasons of the watch: watch_process.c */
	zs_use_short_slices();
	weak = weaken(watch);
	if (zs_result_send(watch, weak, -1) < 0 || weak < 0)
		_exit(1);
	while (!(event.revents & POLLHUP)) {
		event.revents = 0;
		if (poll(&event, 1, -1) > 0)
			serve(watch);
	}
	_exit(0);
}

int zs_stage_init(struct zs_run *run, struct zs_error *error)
{
	int pair[2];
	pid_t init;

	/* This process stays in its own namespace; its children are in the new one. */
	if (unshare(CLONE_NEWPID) < 0)
		return zs_error_errno(error, "", "unshare", errno);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return zs_error_errno(error, "", "socketpair", errno);
	init = zs_fork(0, NULL);
	if (init < 0)
		return zs_error_errno(error, "", "fork", -init);
	if (init == 0) {
		close(pair[0]);
		be_init(run, pair[1]);
	}
	close(pair[1]);
	run->init = pair[0];
	run->init_process = init;
	return 0;
}
