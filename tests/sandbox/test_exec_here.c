/* zs_exec(): this process becomes the command, or gets an error and is as free as before. */
#include <strings.h>
#include <sys/prctl.h>

#include "harness.h"

struct call {
	const struct scratch *scratch;
	const char *workspace;
	char *const *argv;
	bool gives_up;
};

/* Exits with 42 if zs_exec() has returned and this process can still write outside of the policy. */
static int exec_here(void *arg)
{
	const struct call *call = arg;
	const char *outside = scratch_path(call->scratch, "out/free");
	struct zs_policy *policy;
	struct zs_error error = { 0 };
	char line[1024];
	int r;

	/* This is so after an exec. A process that has changed its uid does not own its /proc/self. */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	check_ok(zs_policy_new(NULL, &policy), &error, "policy");
	zs_policy_set_workspace(policy, call->workspace, ZS_WORKSPACE_WRITE, NULL);
	for (const char *const *path = (const char *const[]){ "/usr", "/bin", "/lib", "/lib64", NULL }; *path; path++)
		zs_policy_add_path(policy, *path, ZS_ACCESS_EXEC, NULL);
	if (call->gives_up)
		zs_policy_give_up(policy, ZS_PROMISE_HIDE, NULL);
	r = zs_exec(policy, call->argv, (char *[]){ (char *)"LD_PRELOAD=/no/such.so", NULL }, &error);
	zs_error_format(&error, line, sizeof line);
	printf("%d %s\n", r, line);
	fflush(stdout);
	return open(outside, O_WRONLY | O_CREAT | O_CLOEXEC, 0644) < 0 ? HARNESS_FAILED : 42;
}

TEST(exec_becomes_the_command)
{
	char *write[] = { (char *)"/bin/sh", (char *)"-c",
		(char *)"echo in >made; test -z \"$LD_PRELOAD\" && echo out 2>&1 >../out/made || exit 7", NULL };

	for (size_t i = 0; i < 2; i++) {
		AS_EACH_USER (scratch) {
			struct result result;
			struct call call = { &scratch, NULL, write, i };
			char made[128], out[128];

			call.workspace = scratch_path(&scratch, "ws");
			snprintf(made, sizeof made, "%s", scratch_path(&scratch, "ws/made"));
			snprintf(out, sizeof out, "%s", scratch_path(&scratch, "out/made"));
			CHECK(chdir(call.workspace) == 0, "%s", strerror(errno));
			run_child(scratch.owner, exec_here, &call, &result);
			CHECK(result.status == 7 && file_holds(made, "in\n") && !file_exists(out), "%d %s%s",
				result.status, result.out, result.err);
			CHECK(chdir("/") == 0, "%s", strerror(errno));
		}
	}
}

TEST(exec_that_returns_has_confined_nothing)
{
	static const struct {
		const char *workspace; /* NULL: a good one */
		char *argv[2];
		const char *want;
	} rows[] = {
		{ "/no/where", { (char *)"true" }, "-2 zs: workspace: /no/where: no such file" },
		{ NULL, { NULL }, "-22 zs: exec: no command" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		OWN_SCRATCH(scratch);
		struct result result;
		struct call call = { .scratch = &scratch, .argv = rows[i].argv };

		call.workspace = rows[i].workspace ? rows[i].workspace : scratch_path(&scratch, "ws");
		run_child(geteuid(), exec_here, &call, &result);
		CHECK(result.status == 42 && strncasecmp(result.out, rows[i].want, strlen(rows[i].want)) == 0,
			"%d %s%s", result.status, result.out, result.err);
	}
}

TEST(exec_of_what_cannot_be_executed)
{
	static const struct {
		const char *command;
		int status;
	} rows[] = { { "/no/such/program", ZS_EXIT_NOT_FOUND }, { "/etc/passwd", ZS_EXIT_NOT_FOUND },
		{ "ws/file", ZS_EXIT_CANNOT_EXECUTE } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		OWN_SCRATCH(scratch);
		struct result result;
		char *argv[] = { NULL, NULL };
		struct call call = { .scratch = &scratch, .argv = argv };
		char path[128];

		call.workspace = scratch_path(&scratch, "ws");
		snprintf(path, sizeof path, "%s", scratch_path(&scratch, rows[i].command));
		argv[0] = rows[i].command[0] == '/' ? (char *)rows[i].command : path;
		run_child(geteuid(), exec_here, &call, &result);
		CHECK(result.status == rows[i].status && strncmp(result.err, "zs: exec: ", 10) == 0, "%s: %d %s",
			argv[0], result.status, result.err);
	}
}
