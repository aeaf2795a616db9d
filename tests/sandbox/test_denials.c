/* The records that a host of the library gets of its runs: zs_denials_channel(), zs_spawn(), zs_denials_collect(). */
#include <stdlib.h>
#include <sys/wait.h>

#include "harness.h"
#include "zs_denials.h"

struct host {
	const char *workspace, *granted, *script;
	bool dead; /* the supervisor is killed before its run has ended */
};

/* Prints the records as lines, and then the ends: that of the collecting, of the run, and of its process. */
static int collect(void *arg)
{
	const struct host *host = arg;
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)(uintptr_t)host->script, NULL };
	char *envp[] = { (char *)"HOME=/nowhere", (char *)"PATH=/usr/bin:/bin", NULL };
	int ends[2], status = -1, waited, r;
	struct zs_spawn_options options = { .cwd = host->workspace };
	struct zs_denials *denials;
	struct zs_sandbox *sandbox;
	struct zs_policy *policy;
	struct zs_error error = { 0 };
	char line[1024];
	bool blind;
	pid_t pid;

	check_ok(zs_policy_default(host->workspace, envp, &policy, &error), &error, "policy");
	check_ok(zs_policy_add_path(policy, host->granted, ZS_ACCESS_READ, &error), &error, "path");
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "sandbox");
	check_ok(zs_denials_channel(ends), &error, "channel");
	options.denials = ends[1];
	check_ok(zs_spawn(sandbox, argv, envp, &options, &pid, &error), &error, "spawn");
	close(ends[1]);
	if (host->dead)
		kill(pid, SIGKILL);
	r = zs_denials_collect(policy, ends[0], &denials, &status, &blind, &error);
	close(ends[0]);
	for (size_t i = 0; denials && i < zs_denials_count(denials); i++) {
		const struct zs_denial *row = zs_denials_get(denials, i);

		zs_denial_format(row, NULL, line, sizeof line);
		printf("%s|%d|%d\n", line, row->error, row->decisive);
	}
	if (waitpid(pid, &waited, 0) < 0)
		return HARNESS_FAILED;
	printf("%d|%d|%d|%d\n", r, status, blind, WIFEXITED(waited) ? WEXITSTATUS(waited) : -WTERMSIG(waited));
	fflush(stdout);
	zs_denials_free(denials);
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
	return 0;
}

TEST(a_host_gets_the_denials_of_its_run)
{
	AS_EACH_USER (scratch) {
		static struct result result;
		static char want[1024];
		struct host host = { .script = "mkdir ../ro/new; unshare -U true; exit 7" };
		char workspace[128], granted[128];

		snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
		snprintf(granted, sizeof granted, "%s", scratch_path(&scratch, "ro"));
		host.workspace = workspace;
		host.granted = granted;
		run_child(scratch.owner, collect, &host, &result);
		snprintf(want, sizeof want,
			"write %s/new: granted only to read; --rw %s|%d|1\n"
			"system call unshare: refused by seccomp; no option grants it|%d|1\n0|7|0|7\n",
			granted, granted, EROFS, EPERM);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%d\n%s%s%s", result.status, result.out,
			want, result.err);
		/* No list is made for a run that succeeds and refuses nothing. */
		host.script = "echo x >made; cat made >/dev/null";
		run_child(scratch.owner, collect, &host, &result);
		CHECK(result.status == 0 && strcmp(result.out, "0|0|0|0\n") == 0, "%d\n%s%s", result.status, result.out,
			result.err);
		host.script = "sleep 1000";
		host.dead = true;
		run_child(scratch.owner, collect, &host, &result);
		snprintf(want, sizeof want, "%d|-1|0|%d\n", -ESRCH, -SIGKILL);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%d\n%s%s", result.status, result.out,
			result.err);
	}
}
