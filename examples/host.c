/* A host in forty lines: runs a command confined to a workspace, and is its own shim.
 *
 *	host /path/to/workspace make test
 */
#include <stdio.h>
#include <sys/wait.h>

#include "zs_shim.h"

extern char **environ;

static int complain(const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "%s\n", line);
	return ZS_EXIT_CANNOT_ENFORCE;
}

int main(int argc, char **argv)
{
	struct zs_policy *policy = NULL;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	pid_t pid;
	int status, r;

	zs_exec_shim(argc, argv);
	if (argc < 3)
		return fprintf(stderr, "usage: host WORKSPACE COMMAND…\n"), 64;
	r = zs_policy_default(argv[1], environ, &policy, &error);
	if (r == 0)
		r = zs_sandbox_new(policy, &sandbox, &error);
	zs_policy_free(policy);
	if (r < 0)
		return complain(&error);
	r = zs_spawn(sandbox, argv + 2, environ, NULL, &pid, &error);
	zs_sandbox_free(sandbox);
	if (r < 0)
		return complain(&error);
	if (waitpid(pid, &status, 0) < 0)
		return perror("waitpid"), 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
