/* The start of a tracker's watchdog: the same on every system. */
#include <errno.h>
#include <limits.h>
#include <sys/wait.h>

#include "base/error.h"
#include "self.h"
#include "spawn_wrapped.h"
#include "tracker_shim.h"

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
