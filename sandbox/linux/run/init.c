/* Pid 1 of the pid namespace in which the command is. The watch starts it, from outside: whatever is in the same
 * namespace can be named by the command, and made to wait for a processor.
 *
 * The init mounts proc, which shows the namespace of whoever mounts it, and gives up all capabilities. Then it does
 * nothing: the kernel reaps what is left to it, and drops each signal that comes from inside. It ends when the watch
 * closes the socket, or with the watch's own pid namespace. With the init everything in its namespace ends
 * (zap_pid_ns_processes() in kernel/pid_namespace.c). */
#include <errno.h>
#include <linux/mount.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/base/fork.h"
#include "linux/base/mount_calls.h"
#include "base/prompt.h"
#include "linux/base/stage.h"

int zs_proc_new(void)
{
	return zs_mount_new("proc", NULL, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
}

/* One that executes nothing gets nothing back. */
static int weaken(int watch)
{
	const struct sigaction reaped = { .sa_handler = SIG_IGN }; /* man 2 sigaction: no zombies */
	int r = zs_capabilities_keep(0);

	/* The command could read the host's whole environment in our /proc/1/environ, and trace us. */
	if (r == 0 && (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || sigaction(SIGCHLD, &reaped, NULL) < 0))
		r = -errno;
	return r < 0 ? r : zs_close_others(watch, -1);
}

/* A message: 0 and perhaps a descriptor, or a negative errno. */
static int tell(int watch, int result, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)] = { 0 };
	struct iovec part = { &result, sizeof result };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *rights;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof control;
		rights = CMSG_FIRSTHDR(&message);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(rights), &fd, sizeof fd);
	}
	while (sendmsg(watch, &message, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* A machine on which none can be mounted may run what asks for none. */
static bool asks_for_proc(const struct zs_policy *policy)
{
	bool asks = policy->workspace && strcmp(policy->workspace, "/") == 0;

	for (size_t i = 0; i < policy->grant_count; i++)
		asks = asks || strcmp(policy->grants[i].path, "/") == 0 || strcmp(policy->grants[i].path, "/proc") == 0;
	return asks;
}

static _Noreturn void be_init(const struct zs_run *run, int watch)
{
	struct pollfd event = { watch, 0, 0 };
	int proc = asks_for_proc(run->policy) ? zs_proc_new() : -ENOENT, weak;

	if (tell(watch, proc < 0 ? proc : 0, proc) < 0)
		_exit(1);
	setsid(); /* as the watch */
	zs_be_prompt();
	weak = weaken(watch);
	if (tell(watch, weak, -1) < 0 || weak < 0)
		_exit(1);
	while (poll(&event, 1, -1) <= 0) {
	}
	_exit(0);
}

int zs_stage_init(struct zs_run *run, struct zs_error *error)
{
	int pair[2];
	pid_t init;

	/* From here on our children are in a namespace below our own, and we are not. */
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

/* A message: *ret_fd is -1 when none came with it. */
static int hear(int init, int *ret_fd)
{
	int result, fd = -1;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)];
	struct iovec part = { &result, sizeof result };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
	};
	const struct cmsghdr *rights;
	ssize_t len;

	do
		len = recvmsg(init, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len != sizeof result)
		return len < 0 ? -errno : -ESRCH; /* it has ended */
	rights = CMSG_FIRSTHDR(&message);
	if (rights && rights->cmsg_len == CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(rights), sizeof fd);
	*ret_fd = fd;
	return result;
}

int zs_init_take_proc(const struct zs_run *run)
{
	int proc, r = hear(run->init, &proc);

	return r == 0 && proc < 0 ? -EBADMSG : r < 0 ? r : proc;
}

int zs_init_await(const struct zs_run *run)
{
	int none;

	return hear(run->init, &none);
}
