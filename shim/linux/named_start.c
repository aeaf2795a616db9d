#include "linux/named_start.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/named_place.h"
#include "named_session.h"

static const char step[] = "session";

int zs_named_owner(void)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env", "timeout",
		"zs" };
	enum { TERMINAL = 7, MOST = 32 };
	pid_t pid = getppid();

	for (int i = 0; i < MOST && pid > 1; i++) {
		uint64_t parent, terminal;

		if (!zs_named_runs(pid, shells, ZS_COUNT(shells)) ||
			(getsid(pid) == pid && zs_proc_stat(pid, (enum zs_proc_field)TERMINAL, &terminal) == 0 &&
				terminal != 0))
			return zs_pidfd_open(pid);
		if (zs_proc_stat(pid, ZS_PROC_PARENT, &parent) < 0)
			return -1;
		pid = (pid_t)parent;
	}
	return -1;
}

/* The server is zs itself, so the policy grants this program. */
static int grant_self(struct zs_policy *policy, char program[PATH_MAX], struct zs_error *error)
{
	ssize_t len = readlink("/proc/self/exe", program, PATH_MAX - 1);

	if (len < 0)
		return zs_error_errno(error, step, "/proc/self/exe", errno);
	program[len] = '\0';
	return zs_policy_add_exec(policy, program, error);
}

/* Moves the daemon's descriptors to the first numbers, and closes all others. */
static bool daemon_descriptors(struct zs_named_daemon *daemon)
{
	int *const kept[] = { &daemon->folder, &daemon->listener, &daemon->owner };
	int next = STDERR_FILENO + 1, high[ZS_COUNT(kept)];

	for (size_t i = 0; i < ZS_COUNT(kept); i++)
		high[i] = *kept[i] < 0 ? -1 : fcntl(*kept[i], F_DUPFD_CLOEXEC, next + (int)ZS_COUNT(kept));
	for (size_t i = 0; i < ZS_COUNT(kept); i++) {
		if (*kept[i] >= 0 && (high[i] < 0 || dup3(high[i], next, O_CLOEXEC) < 0))
			return false;
		*kept[i] = *kept[i] >= 0 ? next++ : -1;
	}
	return syscall(SYS_close_range, next, ~0u, 0) == 0;
}

/* The daemon is in a POSIX session of its own, and has none of this process's descriptors. Its parent need not wait for
 * it: it ends before, or with the daemon's last client. */
static _Noreturn void become_daemon(struct zs_named_daemon *daemon)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	setsid();
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			_exit(EXIT_FAILURE);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* From now on the socket's credentials are this process's (man 7 unix, SO_PEERCRED). */
	if (listen(daemon->listener, ZS_NAMED_CLIENTS_MAX) < 0 || !daemon_descriptors(daemon))
		_exit(EXIT_FAILURE);
	zs_named_be_daemon(daemon);
}

int zs_named_start(struct zs_named_daemon *daemon, struct zs_error *error)
{
	char program[PATH_MAX];
	int r = grant_self(daemon->policy, program, error);
	int ready[2];
	pid_t child;
	char none;

	if (r < 0)
		return r;
	if (pipe2(ready, O_CLOEXEC) < 0)
		return zs_error_errno(error, step, "pipe", errno);
	daemon->program = program;
	daemon->listener = zs_named_listen(daemon->folder, daemon->file);
	if (daemon->listener < 0)
		return zs_error_errno(error, step, daemon->file, -daemon->listener);
	child = zs_fork(0, NULL);
	if (child == 0)
		become_daemon(daemon);
	close(daemon->listener);
	if (daemon->owner >= 0)
		close(daemon->owner);
	if (child < 0)
		return zs_error_errno(error, step, "fork", -child);
	/* The daemon closes its copies when it listens. */
	close(ready[1]);
	while (read(ready[0], &none, 1) < 0 && errno == EINTR) {
	}
	close(ready[0]);
	return 0;
}
