/* A host: vets a command line of bash, and runs it confined to a workspace. It is its own shim.
 *
 *	host /path/to/workspace 'make test 2>&1 | tail'
 *
 * cc host.c $(pkg-config --cflags --libs zs) -o host
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "zs_shellpolicy.h"
#include "zs_shim.h"

extern char **environ;

static int complain(const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "%s\n", line);
	return ZS_EXIT_CANNOT_ENFORCE;
}

static int is_blocked(const char *text)
{
	struct zs_vetter *vetter = zs_vetter_new();
	const struct zs_vet_options options = { .profile = ZS_PROFILE_STRICT };
	const struct zs_report *report = zs_vet(vetter, text, strlen(text), &options);
	int blocked = report->verdict != ZS_ALLOW;

	if (blocked)
		fprintf(stderr, "blocked (%s): %s\nhint: %s\n", zs_risk_name(report->code), report->reason,
			report->hint);
	zs_vetter_free(vetter);
	return blocked;
}

int main(int argc, char **argv)
{
	char bash[] = "bash", option[] = "-c";
	struct zs_policy *policy = NULL;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	pid_t pid;
	int status, r;

	zs_exec_shim(argc, argv);
	if (argc != 3)
		return fprintf(stderr, "usage: host WORKSPACE COMMAND-LINE\n"), 64;
	if (is_blocked(argv[2]))
		return 2;
	r = zs_policy_default(argv[1], environ, &policy, &error);
	if (r == 0)
		r = zs_sandbox_new(policy, &sandbox, &error);
	zs_policy_free(policy);
	if (r < 0)
		return complain(&error);
	r = zs_spawn(sandbox, (char *[]){ bash, option, argv[2], NULL }, environ, NULL, &pid, &error);
	zs_sandbox_free(sandbox);
	if (r < 0)
		return complain(&error);
	if (waitpid(pid, &status, 0) < 0)
		return perror("waitpid"), 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
