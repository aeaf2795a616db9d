/* A host with a tracker, for tests/macos/run: starts a command, and when that has ended, ends what it has left ("end");
 * or waits to be killed ("wait"). */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "zs_shim.h"
#include "zs_tracker.h"

extern char **environ;

static int fail(const struct zs_error *error)
{
	char line[1536];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "%s\n", line);
	return 1;
}

int main(int argc, char **argv)
{
	struct zs_tracker *tracker;
	struct zs_error error;
	int status;
	pid_t pid;

	zs_exec_shim(argc, argv);
	if (argc < 3)
		return 64;
	if (zs_tracker_new(NULL, &tracker, &error) < 0)
		return fail(&error);
	if (zs_tracker_spawn(tracker, NULL, argv + 2, environ, NULL, &pid, &error) < 0)
		return fail(&error);
	if (waitpid(pid, &status, 0) < 0)
		return 1;
	if (strcmp(argv[1], "wait") == 0)
		pause();
	if (zs_tracker_kill(tracker, &error) < 0)
		return fail(&error);
	zs_tracker_free(tracker);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
