/* examples/c/host.c does what it promises: this test includes it, with another name for its main. */
#include "harness.h"

int host_main(int argc, char **argv);
#define main host_main
#include "../../examples/c/host.c"
#undef main

static int host_in(void *arg)
{
	char *argv[] = { (char *)"host", arg, (char *)"touch made; cat ../out/file; exit 7", NULL };

	return chdir(arg) < 0 ? HARNESS_FAILED : host_main(3, argv);
}

static int host_of_a_blocked_line(void *arg)
{
	char *argv[] = { (char *)"host", arg, (char *)"cd .. && touch made-too", NULL };

	return chdir(arg) < 0 ? HARNESS_FAILED : host_main(3, argv);
}

static int host_without_a_workspace(void *arg)
{
	(void)arg;
	return host_main(3, (char *[]){ (char *)"host", (char *)"/no/where", (char *)"true", NULL });
}

TEST(example_host)
{
	OWN_SCRATCH(scratch);
	struct result result;
	char workspace[128];

	/* A place where the preset does not grant all of /tmp. */
	setenv("HOME", scratch.root, 1);
	snprintf(workspace, sizeof workspace, "%s", scratch_path(&scratch, "ws"));
	run_child(geteuid(), host_in, workspace, &result);
	CHECK(result.status == 7, "%d %s", result.status, result.err);
	CHECK(!*result.out && strstr(result.err, "o such file"), "out/file was read: %s %s", result.out, result.err);
	CHECK(file_holds(scratch_path(&scratch, "ws/made"), ""), "the workspace can be written");
	run_child(geteuid(), host_of_a_blocked_line, workspace, &result);
	CHECK(result.status == 2 && strncmp(result.err, "blocked (cd): ", 14) == 0, "%d %s", result.status, result.err);
	run_child(geteuid(), host_without_a_workspace, NULL, &result);
	CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && strncmp(result.err, "zs: workspace: /no/where: ", 26) == 0,
		"%d %s", result.status, result.err);
}
