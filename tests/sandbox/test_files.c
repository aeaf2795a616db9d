/* The powers of a confined command over files. Each row is an attack. It first runs unconfined, to see that it works,
 * and then confined; as root and as an ordinary user. */
#include <sys/syscall.h>

#include "attacks.h"
#include "harness.h"

enum setup { WRITE, READ, BUILD };

static const struct row {
	const char *attack, *a, *b; /* paths in the scratch folder; "link" is a symbolic link to out/file */
	int confined;     /* 0: it must work; else the errno. ENOENT: the file does not exist; EROFS: it is read-only;
			     EXDEV: it is in another mount */
	enum setup setup; /* the workspace's access; BUILD: read, with a write grant of ws/sub */
} rows[] = {
	/* needed for ordinary work */
	{ "read", "ws/file", NULL, 0, WRITE },
	{ "write", "ws/file", NULL, 0, WRITE },
	{ "write", "ws/new", NULL, 0, WRITE },
	{ "append", "ws/file", NULL, 0, WRITE },
	{ "truncate", "ws/file", NULL, 0, WRITE },
	{ "unlink", "ws/file", NULL, 0, WRITE },
	{ "mkdir", "ws/new", NULL, 0, WRITE },
	{ "rmdir", "ws/sub", NULL, 0, WRITE },
	{ "mkfifo", "ws/new", NULL, 0, WRITE },
	{ "symlink", "ws/new", NULL, 0, WRITE },
	{ "rename", "ws/file", "ws/sub/file", 0, WRITE },
	{ "exchange", "ws/file", "ws/sub", 0, WRITE },
	{ "link", "ws/file", "ws/sub/hard", 0, WRITE },
	{ "exec", "ws/prog", NULL, 0, WRITE },
	{ "list", "ws", NULL, 0, WRITE },
	{ "read", "ro/file", NULL, 0, WRITE },
	{ "list", "ro", NULL, 0, WRITE },
	{ "read", "bin/file", NULL, 0, WRITE },
	{ "exec", "bin/prog", NULL, 0, WRITE },
	/* outside of every grant */
	{ "read", "out/file", NULL, ENOENT, WRITE },
	{ "list", "out", NULL, ENOENT, WRITE },
	{ "list", ".", NULL, 0, WRITE }, /* only granted paths exist */
	{ "write", "out/file", NULL, ENOENT, WRITE },
	{ "write", "out/new", NULL, ENOENT, WRITE },
	{ "write", "new", NULL, EACCES, WRITE }, /* in the private /tmp, where the grants lie */
	{ "append", "out/file", NULL, ENOENT, WRITE },
	{ "truncate", "out/file", NULL, ENOENT, WRITE },
	{ "unlink", "out/file", NULL, ENOENT, WRITE },
	{ "rmdir", "out/sub", NULL, ENOENT, WRITE },
	{ "mkdir", "out/new", NULL, ENOENT, WRITE },
	{ "mkfifo", "out/new", NULL, ENOENT, WRITE },
	{ "symlink", "out/new", NULL, ENOENT, WRITE },
	{ "exec", "out/prog", NULL, ENOENT, WRITE },
	{ "status", "out/file", NULL, ENOENT, WRITE },
	{ "status", "out", NULL, ENOENT, WRITE },
	{ "enter", "out", NULL, ENOENT, WRITE },
	{ "watch", "out", NULL, ENOENT, WRITE },
	{ "chmod", "out/file", NULL, ENOENT, WRITE },
	{ "chown", "out/file", NULL, ENOENT, WRITE },
	{ "set_times", "out/file", NULL, ENOENT, WRITE },
	{ "set_attribute", "out/file", NULL, ENOENT, WRITE },
	{ "mkdir", "missing", NULL, EACCES, WRITE }, /* a grant of a missing path grants nothing around it */
	{ "chmod", "ws/link", NULL, ENOENT, WRITE },
	{ "follow", "ws/link", NULL, 0, WRITE }, /* the link's own text is in the workspace */
	/* a file's attributes other than its content */
	{ "chmod", "ws/file", NULL, 0, WRITE },
	{ "chown", "ws/file", NULL, 0, WRITE },
	{ "set_times", "ws/file", NULL, 0, WRITE },
	{ "set_attribute", "ws/file", NULL, 0, WRITE },
	{ "watch", "ws", NULL, 0, WRITE },
	/* from one grant to another */
	{ "rename", "out/file", "ws/stolen", ENOENT, WRITE },
	{ "rename", "ws/file", "out/planted", ENOENT, WRITE },
	{ "rename", "ws/file", "out/file", ENOENT, WRITE },
	{ "exchange", "ws/file", "out/file", ENOENT, WRITE },
	{ "link", "out/file", "ws/stolen", ENOENT, WRITE },
	{ "link", "ws/file", "out/planted", ENOENT, WRITE },
	{ "rename", "ro/file", "ws/stolen", EXDEV, WRITE },
	{ "link", "ro/prog", "ws/runs", EXDEV, WRITE },
	{ "rename", "ws", "out/ws", ENOENT, WRITE },
	{ "read", "ws/link", NULL, ENOENT, WRITE },
	{ "append", "ws/link", NULL, ENOENT, WRITE },
	{ "truncate", "ws/link", NULL, ENOENT, WRITE },
	{ "read", "ws/../out/file", NULL, ENOENT, WRITE },
	/* a grant of read access */
	{ "write", "ro/file", NULL, EROFS, WRITE },
	{ "write", "ro/new", NULL, EROFS, WRITE },
	{ "append", "ro/file", NULL, EROFS, WRITE },
	{ "truncate", "ro/file", NULL, EROFS, WRITE },
	{ "unlink", "ro/file", NULL, EROFS, WRITE },
	{ "mkdir", "ro/new", NULL, EROFS, WRITE },
	{ "rename", "ro/file", "ro/sub/file", EROFS, WRITE },
	{ "exec", "ro/prog", NULL, EACCES, WRITE },
	{ "chmod", "ro/file", NULL, EROFS, WRITE },
	{ "chown", "ro/file", NULL, EROFS, WRITE },
	{ "set_times", "ro/file", NULL, EROFS, WRITE },
	{ "set_attribute", "ro/file", NULL, EROFS, WRITE },
	{ "link", "ro/file", "ro/hard", EROFS, WRITE },
	{ "exchange", "ro/file", "ro/sub", EROFS, WRITE },
	{ "mkfifo", "ro/new", NULL, EROFS, WRITE },
	{ "symlink", "ro/new", NULL, EROFS, WRITE },
	{ "rmdir", "ro/sub", NULL, EROFS, WRITE },
	/* a grant of exec access */
	{ "write", "bin/file", NULL, EROFS, WRITE },
	{ "write", "bin/new", NULL, EROFS, WRITE },
	{ "unlink", "bin/prog", NULL, EROFS, WRITE },
	{ "chmod", "bin/prog", NULL, EROFS, WRITE },
	{ "set_times", "bin/prog", NULL, EROFS, WRITE },
	/* a read-only workspace */
	{ "read", "ws/file", NULL, 0, READ },
	{ "exec", "ws/prog", NULL, 0, READ },
	{ "write", "ws/file", NULL, EROFS, READ },
	{ "write", "ws/new", NULL, EROFS, READ },
	{ "truncate", "ws/file", NULL, EROFS, READ },
	{ "unlink", "ws/file", NULL, EROFS, READ },
	{ "rename", "ws/file", "ws/sub/file", EROFS, READ },
	{ "mkdir", "ws/new", NULL, EROFS, READ },
	{ "symlink", "ws/new", NULL, EROFS, READ },
	{ "append", "ws/file", NULL, EROFS, READ },
	{ "link", "ws/file", "ws/sub/hard", EROFS, READ },
	{ "chmod", "ws/file", NULL, EROFS, READ },
	{ "chown", "ws/file", NULL, EROFS, READ },
	{ "set_times", "ws/file", NULL, EROFS, READ },
	{ "set_attribute", "ws/file", NULL, EROFS, READ },
	/* with a grant of one of its folders, as for a build */
	{ "write", "ws/sub/new", NULL, 0, BUILD },
	{ "write", "ws/new", NULL, EROFS, BUILD },
	{ "rename", "ws/file", "ws/sub/file", EXDEV, BUILD },
};

struct policy_arg {
	const struct scratch *scratch;
	enum setup setup;
};

static void build(struct zs_policy *policy, const void *arg)
{
	const struct policy_arg *p = arg;

	zs_policy_set_workspace(policy, scratch_path(p->scratch, "ws"),
		p->setup == WRITE ? ZS_WORKSPACE_WRITE : ZS_WORKSPACE_READ, NULL);
	zs_policy_add_path(policy, scratch_path(p->scratch, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(p->scratch, "bin"), ZS_ACCESS_EXEC, NULL);
	grant_prog(policy, p->scratch);
	zs_policy_add_path(policy, scratch_path(p->scratch, "missing"), ZS_ACCESS_WRITE, NULL);
	if (p->setup == BUILD)
		zs_policy_add_path(policy, scratch_path(p->scratch, "ws/sub"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
}

static int attempt(const struct row *row, uid_t uid, bool confined, struct result *result)
{
	struct attack attack = { .name = row->attack, .b = "" };
	struct scratch scratch;
	struct policy_arg arg = { &scratch, row->setup };

	scratch_make(&scratch, uid);
	attack.scratch = &scratch;
	attack.a = scratch_path(&scratch, row->a);
	if (row->b)
		attack.b = scratch_path(&scratch, row->b);
	if (confined)
		attack_confined(uid, &attack, build, &arg, result);
	else
		attack_free(uid, &attack, result);
	if (confined && row->confined && strcmp(row->a, "out/file") == 0)
		CHECK(file_holds(scratch_path(&scratch, "out/file"), "old"), "%s %s: changed", row->attack, row->a);
	scratch_remove(&scratch);
	return result->status;
}

SLOW_TEST(file_attacks)
{
	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			const struct row *row = &rows[i];
			struct result result;
			int status;

			CHECK(attempt(row, scratch.owner, false, &result) == 0,
				"%s %s %s does not work even free: %d %s", row->attack, row->a, row->b ? row->b : "",
				result.status, result.err);
			status = attempt(row, scratch.owner, true, &result);
			CHECK(status == row->confined, "setup %d: %s %s %s: %d, not %d: %s", row->setup, row->attack,
				row->a, row->b ? row->b : "", status, row->confined, result.err);
		}
	}
}

/* If the former root directory were left, it would lie above the new root; below the new root lies the file system that
 * holds the covers. */
TEST(nothing_is_above_the_root_directory)
{
	AS_EACH_USER (scratch) {
		struct result hidden;

		CHECK(run_attack(scratch.owner, &scratch, ZS_NETWORK_NONE, "read", "/../hidden-file", "", &hidden) ==
				ENOENT,
			"%d %s", hidden.status, hidden.err);
		for (int way = 0; way < 2; way++) {
			char path[512];
			struct result result;

			snprintf(path, sizeof path, "%s%s%s", way ? scratch_path(&scratch, "bin") : "",
				way ? "/../../../.." : "/..", scratch_path(&scratch, "out/file"));
			CHECK(run_attack(scratch.owner, &scratch, ATTACK_FREE, "read", path, "", &result) == 0,
				"%s cannot be read even free: %d", path, result.status);
			CHECK(run_attack(scratch.owner, &scratch, ZS_NETWORK_NONE, "read", path, "", &result) == ENOENT,
				"%s: %d %s", path, result.status, result.err);
		}
	}
}

static void swap_for_link(const void *arg)
{
	const struct policy_arg *p = arg;

	rename(scratch_path(p->scratch, "ro"), scratch_path(p->scratch, "was-ro"));
	if (symlink("out", scratch_path(p->scratch, "ro")) < 0)
		perror("ro");
}

static void swap_above(const void *arg)
{
	const struct policy_arg *p = arg;

	rename(p->scratch->root, scratch_path(p->scratch, "../zs-test-moved"));
	if (symlink("zs-test-moved", p->scratch->root) < 0)
		perror(p->scratch->root);
}

static void swap_back(const struct scratch *scratch)
{
	unlink(scratch->root);
	rename("/tmp/zs-test-moved", scratch->root);
}

static void take_away(const void *arg)
{
	const struct policy_arg *p = arg;

	rename(scratch_path(p->scratch, "ro"), scratch_path(p->scratch, "was-ro"));
}

/* A granted path changes between zs_sandbox_new() and the run. If a link is in its place, the run fails and names the
 * path. If it has gone, it is not granted. */
TEST(grant_swapped_for_a_link)
{
	static const struct {
		const char *name;
		void (*swap)(const void *arg);
		int status;
	} swaps[] = {
		{ "the folder itself", swap_for_link, ZS_EXIT_CANNOT_ENFORCE },
		{ "a folder above it", swap_above, ZS_EXIT_CANNOT_ENFORCE },
		{ "nothing left", take_away, 0 },
	};

	for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
		OWN_SCRATCH(scratch);
		struct result result;
		struct attack attack = { &scratch, "write", NULL, "" };
		struct policy_arg arg = { &scratch, WRITE };

		attack.a = scratch_path(&scratch, "ws/new");
		attack_confined_after(geteuid(), &attack, build, &arg, swaps[i].swap, &result);
		if (swaps[i].swap == swap_above)
			swap_back(&scratch);
		CHECK(result.status == swaps[i].status, "%s: %d %s", swaps[i].name, result.status, result.err);
		CHECK(file_exists(scratch_path(&scratch, "ws/new")) == (swaps[i].status == 0), "%s", swaps[i].name);
		CHECK(!swaps[i].status || strstr(result.err, "has become a symbolic link"), "%s", result.err);
	}
}

/* The granted folder and a link to another folder keep changing places, from the time when the sandbox is made until
 * the run has ended. */
static void swap_all_the_time(const void *arg)
{
	const struct policy_arg *p = arg;
	const char *granted = scratch_path(p->scratch, "ro"), *link = scratch_path(p->scratch, "swap");
	pid_t parent = getpid();

	if (symlink("out", link) < 0)
		perror(link);
	if (fork() != 0)
		return;
	while (getppid() == parent)
		syscall(SYS_renameat2, AT_FDCWD, granted, AT_FDCWD, link, 2u); /* RENAME_EXCHANGE */
	_exit(0);
}

TEST(grant_exchanged_with_a_link_all_the_time)
{
	enum { RUNS = 60 };
	int refused = 0;

	for (int i = 0; i < RUNS; i++) {
		OWN_SCRATCH(scratch);
		struct result result;
		struct attack attack = { &scratch, "read", NULL, "" };
		struct policy_arg arg = { &scratch, WRITE };

		write_text(scratch_path(&scratch, "out/secret"), "secret");
		attack.a = scratch_path(&scratch, "ro/secret");
		attack_confined_after(geteuid(), &attack, build, &arg, swap_all_the_time, &result);
		refused += result.status == ZS_EXIT_CANNOT_ENFORCE;
		CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE || result.status == ENOENT, "run %d: %d %s", i,
			result.status, result.err);
	}
	/* Otherwise nothing was swapped at the right time, and the test shows nothing. */
	CHECK(refused > 0 && refused < RUNS, "%d refused", refused);
}
