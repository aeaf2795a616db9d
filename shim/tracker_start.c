/* Starts a tracker's watchdog, in the same way on every system. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "self.h"
#include "tracker_shim.h"
#include "wrapped.h"

int zs_tracker_start_watchdog(int socket, char *const envp[], const char *executable, struct zs_error *error)
{
	char self[PATH_MAX], *argv[] = { (char *)ZS_TRACKER_WATCHDOG, NULL };
	struct zs_wrapped wrapped = { .path = self, .argv = argv, .envp = (char **)envp };
	const struct zs_spawn_options options = { .executable = executable,
		.stdio = (int[]){ socket, socket, socket } };
	pid_t pid;
	int r = zs_self_path(self, sizeof self);

	if (r < 0)
		return zs_error_errno(error, "tracker", "this program's path", -r);
	r = zs_spawn_wrapped(&wrapped, &options, &pid, error);
	if (r < 0)
		return r;
	/* ECHILD: a host that ignores SIGCHLD, or waits for any child, may have reaped it. */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	return 0;
}

int zs_tracker_detach(void)
{
	pid_t pid = fork();
	sigset_t all;
	int null;

	if (pid > 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	sigfillset(&all);
	if (setsid() < 0 || sigprocmask(SIG_BLOCK, &all, NULL) < 0 || chdir("/") < 0)
		return -errno;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	return null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ? -errno : 0;
}
