/* Pid 1 of the pid namespace in which the command is. The watch starts it from outside of that namespace: the command
 * can name every process in its own namespace, and make it wait for a processor.
 *
 * The init mounts proc, which shows the namespace of the process that mounts it, and gives up all capabilities but
 * four. Then it waits: the kernel reaps its children, and drops each signal that comes from inside. When the watch
 * asks, the init protects a file again that a program outside has replaced. It connects the run's sockets (broker.h):
 * the kernel ends the run with this process, so no request stays unanswered. It ends when the watch closes the socket,
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

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/base/users.h"
#include "linux/base/mount_calls.h"
#include "linux/base/fd_message.h"
#include "base/scheduling.h"
#include "linux/base/stage.h"
#include "linux/files/disk_tmp.h"
#include "linux/files/root_tree.h"
#include "linux/locks/locks.h"
#include "linux/locks/seccomp_filter.h"
#include "linux/run/broker.h"
#include "linux/trace/denial_channel.h"
#include "policy/tier.h"

/* Gives up all capabilities but the one to mount and those of the broker: to enter the run's root directory, to take
 * sockets from processes that cannot be traced, and to ask for a socket's network and inode. No process of the run can
 * use these through this one: it cannot be traced, and only the watch has the other end of its socket. */
static int weaken(const struct zs_run *run, int watch, int proc)
{
	/* Where there are several users, the broker connects as the one who asks, and reads of all. */
	const uint32_t users = UINT32_C(1) << CAP_SETUID | UINT32_C(1) << CAP_SETGID | UINT32_C(1) << CAP_DAC_OVERRIDE;
	const uint32_t kept = UINT32_C(1) << CAP_SYS_ADMIN | UINT32_C(1) << CAP_SYS_CHROOT |
			      UINT32_C(1) << CAP_SYS_PTRACE | UINT32_C(1) << CAP_NET_ADMIN |
			      (run->policy->users ? users : 0);
	const struct sigaction reaped = { .sa_handler = SIG_IGN }; /* man 2 sigaction: no zombies */
	int r = run->policy->users ? zs_users_drop_groups() : 0;

	if (r == 0)
		r = zs_capabilities_keep(kept);

	/* The command could otherwise read the host's environment in /proc/1/environ, and trace this process. */
	if (r == 0 && (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || sigaction(SIGCHLD, &reaped, NULL) < 0))
		r = -errno;
	return r < 0 ? r : zs_close_others((const int[]){ watch, proc, run->denials }, 3);
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

/* Receives the listener of the seccomp filter, from the watch or from the process that becomes the command; before it,
 * with denials, the program of the filter that refuses. *ret_broker: NULL: the filter has no listener. */
static int broker_begin(const struct zs_run *run, int watch, int proc, struct zs_broker **ret_broker)
{
	static struct sock_filter refusing[ZS_SECCOMP_FILTER_MAX];
	size_t none = 0;
	ssize_t size = 0;
	int listener, flags, r = 0;

	*ret_broker = NULL;
	if (zs_observes(run)) {
		size = zs_fds_receive(watch, refusing, sizeof refusing, NULL, &none, &flags);
		r = size < 0 ? (int)size : size == 0 ? -ESRCH : 0;
	}
	if (r == 0)
		r = zs_result_receive(watch, &listener);
	if (r == 0 && listener < 0 && run->denials >= 0)
		zs_denial_send_blind(run->denials);
	if (r < 0 || listener < 0)
		return r;
	return zs_broker_begin(run, listener, proc, refusing, (size_t)size / sizeof *refusing, ret_broker);
}

static _Noreturn void be_init(const struct zs_run *run, int watch)
{
	struct pollfd events[] = { { watch, POLLIN, 0 }, { 0 } };
	/* A policy that grants no /proc can run on a machine where no proc can be mounted. */
	int proc = zs_policy_shows_proc(run->policy) ? zs_proc_new() : -ENOENT, weak;
	struct zs_broker *broker = NULL;

	if (zs_result_send(watch, proc < 0 ? proc : 0, proc) < 0)
		_exit(1);
	setsid(); /* for the reasons of the watch: watch_process.c */
	zs_use_short_slices();
	weak = weaken(run, watch, proc);
	if (weak == 0 && zs_policy_has_broker(run->policy) && !zs_observes(run))
		weak = broker_begin(run, watch, proc, &broker);
	if (zs_result_send(watch, weak, -1) < 0 || weak < 0)
		_exit(1);
	if (zs_observes(run)) {
		weak = broker_begin(run, watch, proc, &broker);
		if (zs_result_send(watch, weak, -1) < 0 || weak < 0)
			_exit(1);
	}
	while (!(events[0].revents & POLLHUP)) {
		int timeout = zs_broker_events(broker, &events[1]);

		events[0].revents = 0;
		if (poll(events, ZS_COUNT(events), timeout) < 0)
			continue;
		if (events[0].revents & POLLIN)
			serve(watch);
		else if (broker)
			zs_broker_serve(broker, &events[1]);
	}
	zs_disk_tmp_unmount(run);
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
	/* zs_observes() must stay true. The command's exec closes it. */
	run->init = pair[0];
	run->init_process = init;
	return 0;
}
