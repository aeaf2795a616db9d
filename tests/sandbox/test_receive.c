/* A host receives the overlay of a run that it has spawned; and what becomes of the run if the host does not. */
#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "harness.h"
#include "linux/base/fd_message.h"
#include "zs_overlay.h"

/* A run, and the host's end of its channel. */
struct run {
	pid_t pid;
	int end;
};

static int fail(const char *what, int r, const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "host: %s: %d %s\n", what, r, line);
	return -1;
}

static int start(const char *workspace, enum zs_workspace access, const char *script, struct run *ret_run)
{
	char *envp[] = { (char *)"PATH=/usr/bin:/bin", NULL };
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	struct zs_sandbox *sandbox = NULL;
	struct zs_policy *policy = NULL;
	struct zs_error error = { 0 };
	int ends[2], r;

	/* A process that has changed its uid owns none of its /proc/self. */
	prctl(PR_SET_DUMPABLE, 1);
	r = zs_policy_verify(workspace, envp, &policy, &error);
	if (r == 0)
		r = zs_policy_set_workspace(policy, workspace, access, &error);
	if (r == 0)
		r = zs_sandbox_new(policy, &sandbox, &error);
	if (r == 0)
		r = zs_overlay_channel(ends);
	if (r == 0) {
		const struct zs_spawn_options options = { .overlay = ends[1], .cwd = workspace };

		r = zs_spawn(sandbox, argv, envp, &options, &ret_run->pid, &error);
		close(ends[1]);
		ret_run->end = ends[0];
	}
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
	return r < 0 ? fail("start", r, &error) : 0;
}

static int end(const struct run *run)
{
	int status;

	close(run->end);
	if (waitpid(run->pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static size_t count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		closedir(folder);
	return count;
}

/* The action of a host with a run. 0; negative: it did not work. */
typedef int host_part(const struct run *run);

static int apply(const struct run *run)
{
	const struct zs_change *changes;
	struct zs_error error = { 0 };
	struct zs_overlay *overlay;
	size_t count;
	bool right;
	int status, r = zs_overlay_receive(run->end, &overlay, &status, &error);

	if (r < 0)
		return fail("receive", r, &error);
	r = zs_overlay_changes(overlay, &changes, &count, &error);
	right = r == 0 && status == 0 && count == 1 && strcmp(changes[0].path, "file") == 0;
	if (r == 0)
		r = zs_overlay_apply(overlay, &(struct zs_overlay_options){ 0 }, &error);
	zs_overlay_free(overlay);
	if (r < 0 || zs_overlay_release(run->end, true) < 0)
		return fail("apply", r, &error);
	return right ? 0 : -1;
}

/* Receives the overlay, and does nothing with it. */
static int receive(const struct run *run)
{
	struct zs_error error = { 0 };
	struct zs_overlay *overlay;
	int status, r = zs_overlay_receive(run->end, &overlay, &status, &error);

	if (r < 0)
		return fail("receive", r, &error);
	zs_overlay_free(overlay);
	return 0;
}

static int decline(const struct run *run)
{
	int r = receive(run);

	return r < 0 ? r : zs_overlay_release(run->end, false);
}

static int babble(const struct run *run)
{
	int r = receive(run);

	return r < 0 || send(run->end, "well", 4, 0) == 4 ? r : -1;
}

static int expect_error(const struct run *run, int want)
{
	struct zs_overlay *overlay;
	struct zs_error error = { 0 };
	int status, r = zs_overlay_receive(run->end, &overlay, &status, &error);

	return r == want ? 0 : fail("receive", r, &error);
}

static int kill_it(const struct run *run)
{
	const struct timespec nap = { .tv_nsec = 300000000 };

	nanosleep(&nap, NULL);
	kill(run->pid, SIGKILL);
	return expect_error(run, -EPIPE);
}

static int wait_for_none(const struct run *run)
{
	return expect_error(run, -ECANCELED);
}

static const struct episode {
	const char *script;
	enum zs_workspace access;
	host_part *host;
	int status;
	const char *file; /* in the end */
	const char *line; /* the line that the run writes; NULL: none */
} episodes[] = {
	{ "echo new >file", ZS_WORKSPACE_OVERLAY, apply, 0, "new\n", NULL },
	{ "echo new >file", ZS_WORKSPACE_OVERLAY, decline, 125, "file\n", NULL },
	{ "echo new >file; exit 3", ZS_WORKSPACE_OVERLAY, decline, 3, "file\n", NULL },
	{ "echo new >file", ZS_WORKSPACE_OVERLAY, receive, 125, "file\n", "zs: overlay: the process that waits" },
	{ "echo new >file; exit 3", ZS_WORKSPACE_OVERLAY, receive, 3, "file\n", "zs: overlay: the process that waits" },
	{ "echo new >file", ZS_WORKSPACE_OVERLAY, babble, 125, "file\n", "zs: overlay: the process that waits" },
	{ "echo new >file; sleep 60", ZS_WORKSPACE_OVERLAY, kill_it, 128 + SIGKILL, "file\n", NULL },
	{ "echo new >file", ZS_WORKSPACE_READ, wait_for_none, 125, "file\n",
		"is not an overlay, and the caller waits" },
};

struct stage {
	const struct scratch *scratch;
	const struct episode *episode;
};

/* Returns the run's status, or HARNESS_FAILED. */
static int play(void *arg)
{
	const struct stage *stage = arg;
	size_t before = count_descriptors();
	struct run run;
	int r = start(scratch_path(stage->scratch, "ws"), stage->episode->access, stage->episode->script, &run), status;

	if (r < 0)
		return HARNESS_FAILED;
	r = stage->episode->host(&run);
	status = end(&run);
	if (count_descriptors() != before)
		fprintf(stderr, "host: a descriptor is left\n");
	return r < 0 || count_descriptors() != before ? HARNESS_FAILED : status;
}

TEST(receive)
{
	for (size_t i = 0; i < sizeof episodes / sizeof *episodes; i++)
		AS_EACH_USER (scratch) {
			const struct episode *episode = &episodes[i];
			struct stage stage = { &scratch, episode };
			struct result result;

			write_text(scratch_path(&scratch, "ws/file"), "file\n");
			run_child(scratch.owner, play, &stage, &result);
			CHECK(result.status == episode->status, "row %zu: %d %s", i, result.status, result.err);
			CHECK(file_holds(scratch_path(&scratch, "ws/file"), episode->file), "row %zu", i);
			CHECK(episode->line ? strstr(result.err, episode->line) != NULL : !*result.err, "%s",
				result.err);
		}
}

/* The run must not believe wrong bytes from the other end. */
TEST(receive_nonsense)
{
	for (size_t fds = 0; fds < 6; fds++)
		for (size_t size = 1; size <= 128; size = size == 1 ? 40 : size * 2) {
			static const int zeros[6];
			char bytes[128] = { 1 };
			size_t before = count_descriptors();
			struct zs_error error = { 0 };
			struct zs_overlay *overlay = NULL;
			int ends[2], status, r;

			CHECK(zs_overlay_channel(ends) == 0, "channel");
			r = zs_fds_send(ends[1], bytes, size, zeros, fds);
			CHECK(r == 0, "send: %s", strerror(-r));
			close(ends[1]);
			r = zs_overlay_receive(ends[0], &overlay, &status, &error);
			CHECK(r < 0 && !overlay && *error.what | error.cause, "%zu bytes, %zu descriptors: %d", size,
				fds, r);
			close(ends[0]);
			CHECK(count_descriptors() == before, "%zu bytes, %zu descriptors: some are left", size, fds);
		}
}

TEST(overlay_by_a_standard_descriptor)
{
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error = { 0 };
	pid_t pid;

	zs_policy_new(NULL, &policy);
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "sandbox");
	for (int overlay = -1; overlay <= 2; overlay++)
		CHECK(overlay == 0 ||
				zs_spawn(sandbox, (char *[]){ (char *)"true", NULL }, NULL,
					&(struct zs_spawn_options){ .overlay = overlay }, &pid, &error) == -EINVAL,
			"%d", overlay);
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
}
