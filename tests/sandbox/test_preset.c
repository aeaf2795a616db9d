/* The presets in a scratch home: which grants they must have, and which they must not. */
#include <pwd.h>
#include <sys/stat.h>

#include "base/folder_names.h"
#include "harness.h"
#include "linux/files/public.h"
#include "base/path.h"
#include "policy/host_list.h"
#include "policy/policy.h"
#include "policy/preset.h"

/* For grants of files that everybody may read. */
static bool is_public(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_mode & S_IROTH;
}

/* The strongest access that a resolved policy gives to a path; HIDE for none. */
static enum zs_access access_to(const struct zs_policy *policy, const char *path)
{
	enum zs_access strongest = ZS_ACCESS_HIDE;

	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access > strongest && (!policy->grants[i].public || is_public(path)) &&
			zs_tree_covers(policy->grants[i].path, path))
			strongest = policy->grants[i].access;
	if (policy->workspace && zs_tree_covers(policy->workspace, path) &&
		zs_policy_workspace_grant(policy) > strongest)
		strongest = zs_policy_workspace_grant(policy);
	return strongest;
}

struct home {
	struct scratch scratch;
	char *envp[8];
	char texts[8][512];
	size_t count;
};

static void set(struct home *home, const char *name, const char *value)
{
	snprintf(home->texts[home->count], sizeof home->texts[0], "%s=%s", name, value);
	home->envp[home->count] = home->texts[home->count];
	home->count++;
}

/* out/ is HOME, ws/ is beside it */
static void make_home(struct home *home)
{
	static const char *const folders[] = { ".ssh", ".aws", ".config", ".config/git", ".config/pip", ".cache",
		".cache/go-build", ".cache/pip", ".cache/secrets", ".cargo", ".cargo/registry", ".cargo/bin", ".npm",
		"go", "go/pkg", "go/bin", "go/src", ".pyenv", "Documents", "tools", ".local", ".local/share",
		".local/share/pnpm", ".local/share/pnpm/store" };
	static const char *const files[] = { ".ssh/id_rsa", ".aws/credentials", ".gitconfig", ".bashrc", ".npmrc",
		".config/git/config", ".config/git/credentials", ".cargo/credentials.toml", ".cargo/config.toml",
		".netrc" };
	char name[128];

	*home = (struct home){ 0 };
	scratch_make(&home->scratch, geteuid());
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(name, sizeof name, "out/%s", folders[i]);
		make_folder(scratch_path(&home->scratch, name));
	}
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		snprintf(name, sizeof name, "out/%s", files[i]);
		write_text(scratch_path(&home->scratch, name), "x");
	}
	set(home, "HOME", scratch_path(&home->scratch, "out"));
}

static void home_end(struct home *home)
{
	scratch_remove(&home->scratch);
}

/* A home of the test's own, removed at the end of the block. */
#define OWN_HOME(name)                                                                                                 \
	__attribute__((cleanup(home_end))) struct home name;                                                           \
	make_home(&name)

static struct zs_policy *resolved(
	int (*preset)(const char *, char *const[], struct zs_policy **, struct zs_error *), const struct home *home)
{
	AUTO_POLICY *policy = NULL;
	struct zs_policy *real = NULL;
	struct zs_error error = { 0 };

	check_ok(preset(scratch_path(&home->scratch, "ws"), home->envp, &policy, &error), &error, "preset");
	if (!policy)
		exit(HARNESS_FAILED);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	if (!real)
		exit(HARNESS_FAILED);
	return real;
}

static void check_home(const struct home *home, const struct zs_policy *policy, const char *name, enum zs_access want)
{
	enum zs_access have = access_to(policy, scratch_path(&home->scratch, name));

	CHECK(have == want, "%s: %s, not %s", name, zs_access_name(have), zs_access_name(want));
}

TEST(default_grants)
{
	static const struct {
		const char *name;
		enum zs_access want;
	} rows[] = {
		{ "ws/file", ZS_ACCESS_WRITE }, { "out", ZS_ACCESS_HIDE }, { "out/file", ZS_ACCESS_HIDE },
		{ "out/Documents", ZS_ACCESS_HIDE }, { "out/.ssh/id_rsa", ZS_ACCESS_HIDE },
		{ "out/.aws/credentials", ZS_ACCESS_HIDE }, { "out/.netrc", ZS_ACCESS_HIDE },
		{ "out/.npmrc", ZS_ACCESS_HIDE }, { "out/.config", ZS_ACCESS_HIDE },
		{ "out/.config/pip", ZS_ACCESS_HIDE }, { "out/.config/git/credentials", ZS_ACCESS_HIDE },
		{ "out/.cache", ZS_ACCESS_HIDE }, { "out/.cache/secrets", ZS_ACCESS_HIDE },
		{ "out/.cargo/credentials.toml", ZS_ACCESS_HIDE }, { "out/go/src", ZS_ACCESS_HIDE },
		{ "out/tools", ZS_ACCESS_EXEC }, /* in PATH */
		{ "out/.gitconfig", ZS_ACCESS_READ }, { "out/.config/git/config", ZS_ACCESS_READ },
		{ "out/.bashrc", ZS_ACCESS_READ }, { "out/.cargo/config.toml", ZS_ACCESS_READ },
		{ "out/.cargo/bin", ZS_ACCESS_EXEC }, { "out/.pyenv", ZS_ACCESS_EXEC },
		{ "out/go/bin", ZS_ACCESS_EXEC }, { "out/go/pkg", ZS_ACCESS_WRITE },
		{ "out/.cache/go-build", ZS_ACCESS_WRITE }, { "out/.cache/pip", ZS_ACCESS_WRITE },
		{ "out/.cargo/registry", ZS_ACCESS_WRITE }, { "out/.npm", ZS_ACCESS_WRITE },
		/* its programs are in PATH, and run outside of the sandbox */
		{ "out/.local/share/pnpm", ZS_ACCESS_HIDE }, { "out/.local/share/pnpm/store", ZS_ACCESS_WRITE },
		{ "ro/file", ZS_ACCESS_READ },   /* by ZS_SANDBOX_RO */
		{ "bin/file", ZS_ACCESS_WRITE }, /* by ZS_SANDBOX_RW */
	};
	AUTO_POLICY *policy = NULL;
	OWN_HOME(home);
	char text[600];

	snprintf(text, sizeof text, "%s:.::relative:/usr/bin:%s", scratch_path(&home.scratch, "out/tools"),
		home.texts[0] + 5);
	set(&home, "PATH", text);
	set(&home, "GOCACHE", "off");
	snprintf(text, sizeof text, "%s:%s", scratch_path(&home.scratch, "ro"), scratch_path(&home.scratch, "none"));
	set(&home, "ZS_SANDBOX_RO", text);
	set(&home, "ZS_SANDBOX_RW", scratch_path(&home.scratch, "bin"));
	policy = resolved(zs_policy_default, &home);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		check_home(&home, policy, rows[i].name, rows[i].want);
	CHECK(access_to(policy, "/usr/bin/env") == ZS_ACCESS_EXEC, "programs");
	CHECK(access_to(policy, "/bin/sh") == ZS_ACCESS_EXEC, "merged /usr");
	CHECK(access_to(policy, "/etc/passwd") == ZS_ACCESS_READ, "/etc");
	CHECK(access_to(policy, "/dev/null") == ZS_ACCESS_WRITE, "/dev/null");
	CHECK(access_to(policy, "/dev/mem") == ZS_ACCESS_HIDE, "/dev");
	CHECK(access_to(policy, "/") == ZS_ACCESS_HIDE, "/");
	CHECK(access_to(policy, "/var/tmp") == ZS_ACCESS_HIDE, "the machine's /var/tmp: private ones take its place");
	CHECK(access_to(policy, "/var/lib") == ZS_ACCESS_HIDE, "/var/lib");
	CHECK(access_to(policy, "/run") == ZS_ACCESS_HIDE, "/run");
	/* HOME lies in it here, so the promise about HOME counts first. */
	CHECK(access_to(policy, "/tmp") == ZS_ACCESS_HIDE, "/tmp");
	CHECK(policy->network == ZS_NETWORK_NONE, "network");
	CHECK(geteuid() != 0 || access_to(policy, "/etc/shadow") == ZS_ACCESS_HIDE, "root's own files");
}

/* Service accounts have homes in /opt. The grant of the tree of programs must not make their keys readable, and neither
 * must a policy that is printed and read again as a caller's own wish. */
TEST(home_in_a_tree_of_programs)
{
	char home[] = "HOME=/opt/service/home", *envp[] = { home, NULL };
	AUTO_POLICY *policy = NULL, *read = NULL;
	struct zs_error error;
	char *text;
	size_t len;

	CHECK(zs_policy_default("/opt/service/home/project", envp, &policy, &error) == 0, "%s", error.what);
	CHECK(zs_policy_to_json(policy, false, &text, &len, &error) == 0, "%s", error.what);
	CHECK(zs_policy_from_json(text, len, NULL, &read, &error) == 0, "%s", error.what);
	CHECK(access_to(read, "/opt/service/home/.ssh/id_rsa") == ZS_ACCESS_HIDE, "the key is granted");
	CHECK(access_to(read, "/usr/bin/env") == ZS_ACCESS_EXEC, "programs are not");
	CHECK(access_to(read, "/tmp") == ZS_ACCESS_HIDE, "the machine's /tmp is granted");
	free(text);
}

TEST(default_without_a_home)
{
	OWN_HOME(home);
	AUTO_POLICY *policy = NULL;

	home.envp[0] = NULL;
	policy = resolved(zs_policy_default, &home);
	CHECK(access_to(policy, "/tmp") == ZS_ACCESS_HIDE, "the machine's /tmp");
	CHECK(access_to(policy, scratch_path(&home.scratch, "ws")) == ZS_ACCESS_WRITE, "workspace");
}

TEST(default_errors)
{
	static const struct {
		const char *workspace, *name, *value, *want;
	} rows[] = {
		{ "relative", "X", "", "is not absolute" },
		{ "/", "X", "", "holds the home directory" },
		{ "/tmp", "HOME", "/tmp/me", "holds the home directory" },
		{ "/tmp/..", "X", "", "has a '..' component" },
		{ "/tmp/me", "HOME", "/tmp/me", "holds the home directory" },
		{ "/tmp", "ZS_SANDBOX_RO", "relative",
			"relative: is not absolute; it is in the environment variable ZS_SANDBOX_RO" },
		{ "/tmp", "ZS_SANDBOX_RW", "/a:/b/../c",
			"has a '..' component; it is in the environment variable ZS_SANDBOX_RW" },
	};

	make_folder("/tmp/me");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zs_policy *policy = NULL;
		struct zs_error error = { 0 };
		char text[256], line[1024];
		char *envp[] = { text, NULL };

		snprintf(text, sizeof text, "%s=%s", rows[i].name, rows[i].value);
		CHECK(zs_policy_default(rows[i].workspace, envp, &policy, &error) < 0 && !policy, "%s",
			rows[i].workspace);
		zs_error_format(&error, line, sizeof line);
		CHECK(strstr(line, rows[i].want), "%s", line);
	}
	rmdir("/tmp/me");
}

TEST(verify_grants_no_writing_of_the_workspace)
{
	AUTO_POLICY *policy = NULL, *asked = NULL;
	struct zs_sandbox *sandbox = NULL;
	struct zs_error error = { 0 };
	OWN_HOME(home);

	home.envp[0] = NULL; /* so that only verify's own promise keeps /tmp out */
	home.count = 0;
	set(&home, "GOCACHE", scratch_path(&home.scratch, "ws/sub"));
	policy = resolved(zs_policy_verify, &home);
	check_home(&home, policy, "ws/file", ZS_ACCESS_EXEC);
	check_home(&home, policy, "ws/sub", ZS_ACCESS_EXEC);
	check_home(&home, policy, "out/file", ZS_ACCESS_HIDE);
	CHECK(access_to(policy, "/var/tmp") == ZS_ACCESS_HIDE, "the machine's /var/tmp: private ones take its place");
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "and it can be had");
	zs_sandbox_free(sandbox);
	/* A grant that is asked for by name is refused, and not left out. */
	set(&home, "ZS_SANDBOX_RW", "/tmp");
	CHECK(zs_policy_verify(scratch_path(&home.scratch, "ws"), home.envp, &asked, &error) == 0,
		"the preset is fine");
	CHECK(zs_sandbox_new(asked, &sandbox, &error) < 0 && strstr(error.what, "covers it"), "%s", error.what);
}

/* Linked worktrees: ro/ is the repository. */

static void make_worktree(const struct scratch *scratch, const char *git_dir, const char *back)
{
	static const char *const folders[] = { "ro/.git", "ro/.git/objects", "ro/.git/worktrees",
		"ro/.git/worktrees/ws", "out/objects", "out/x", "out/x/ws" };
	char text[600], back_text[600];

	/* This is written before scratch_path() uses its buffers again. */
	snprintf(text, sizeof text, "gitdir: %s\n", git_dir);
	snprintf(back_text, sizeof back_text, "%s\n", back);
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		make_folder(scratch_path(scratch, folders[i]));
	write_text(scratch_path(scratch, "ro/.git/HEAD"), "ref: refs/heads/main\n");
	write_text(scratch_path(scratch, "out/HEAD"), "ref: refs/heads/main\n");
	write_text(scratch_path(scratch, "ws/.git"), text);
	write_text(scratch_path(scratch, "ro/.git/worktrees/ws/gitdir"), back_text);
	write_text(scratch_path(scratch, "out/x/ws/gitdir"), back_text);
	write_text(scratch_path(scratch, "ro/.git/worktrees/ws/commondir"), "/\n"); /* which zs ignores */
}

TEST(worktree_of_a_repository)
{
	static const struct {
		const char *git_dir, *back; /* a path of the scratch folder, if it starts with "@" */
		bool believed;
	} rows[] = {
		{ "@ro/.git/worktrees/ws", "@ws/.git", true },
		{ "../ro/.git/worktrees/ws", "@ws/.git", true },
		{ "@ro/.git/worktrees/ws", "../../../../ws/.git", true },
		{ "@ro/.git/worktrees/ws", "@out/.git", false }, /* belongs to another worktree */
		{ "@ro/.git/worktrees/ws", "@ws", false },
		{ "@ro/.git/worktrees/ws", "@none/.git", false },
		{ "@out/x/ws", "@ws/.git", false }, /* not under worktrees/ */
		{ "@ro/.git", "@ws/.git", false },
		{ "@out", "@ws/.git", false },
		{ "/", "@ws/.git", false },
		{ "@none", "@ws/.git", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char git_dir[256], back[256], *folder = NULL;
		OWN_SCRATCH(scratch);
		int r;

		snprintf(git_dir, sizeof git_dir, "%s",
			rows[i].git_dir[0] == '@' ? scratch_path(&scratch, rows[i].git_dir + 1) : rows[i].git_dir);
		snprintf(back, sizeof back, "%s",
			rows[i].back[0] == '@' ? scratch_path(&scratch, rows[i].back + 1) : rows[i].back);
		make_worktree(&scratch, git_dir, back);
		r = zs_git_common_dir(scratch_path(&scratch, "ws"), &folder);
		if (rows[i].believed)
			CHECK(r == 0 && strcmp(folder, scratch_path(&scratch, "ro/.git")) == 0, "%s %s: %d %s",
				rows[i].git_dir, rows[i].back, r, folder ? folder : "");
		else
			CHECK(r == -ENOENT && !folder, "%s %s: believed", rows[i].git_dir, rows[i].back);
		free(folder);
	}
}

TEST(worktree_is_granted)
{
	AUTO_POLICY *policy = NULL, *verify = NULL;
	OWN_HOME(home);

	make_worktree(&home.scratch, scratch_path(&home.scratch, "ro/.git/worktrees/ws"),
		scratch_path(&home.scratch, "ws/.git"));
	policy = resolved(zs_policy_default, &home);
	check_home(&home, policy, "ro/.git/objects", ZS_ACCESS_WRITE);
	check_home(&home, policy, "ro/file", ZS_ACCESS_HIDE);
	verify = resolved(zs_policy_verify, &home);
	check_home(&home, verify, "ro/.git/objects", ZS_ACCESS_READ);
}

TEST(judged_path_that_becomes_a_link_is_refused)
{
	AUTO_POLICY *policy = policy_own(), *real = NULL;
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };

	zs_policy_add_grant(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_WRITE, ZS_ORIGIN_PRESET, true, NULL);
	rename(scratch_path(&scratch, "ro"), scratch_path(&scratch, "was-ro"));
	CHECK(symlink("out", scratch_path(&scratch, "ro")) == 0, "link");
	CHECK(zs_policy_resolve(policy, &real, &error) == -ELOOP, "%s", error.what);
}

TEST(resolving)
{
	AUTO_POLICY *policy = policy_own(), *real = NULL;
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };

	zs_policy_add_path(policy, scratch_path(&scratch, "ws/link"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "none/below"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ws/file/below"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ro/sub"), ZS_ACCESS_READ, NULL); /* in the next policy */
	zs_policy_add_path(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ro/file"), ZS_ACCESS_WRITE, NULL);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	CHECK(real->grant_count == 3, "%zu grants", real->grant_count);
	CHECK(access_to(real, scratch_path(&scratch, "out/file")) == ZS_ACCESS_READ, "a link is followed");
	CHECK(access_to(real, scratch_path(&scratch, "out/sub")) == ZS_ACCESS_HIDE, "to its end only");
	CHECK(access_to(real, scratch_path(&scratch, "ws/file")) == ZS_ACCESS_HIDE, "nothing is widened");
	CHECK(access_to(real, scratch_path(&scratch, "ro/file")) == ZS_ACCESS_WRITE, "a union");
}

/* An earlier run may leave links for the next one in every tree that it could write. */

/* Replaces a folder or a file of the scratch folder by a link. */
static void plant(const struct scratch *scratch, const char *name, const char *target)
{
	char text[600];

	snprintf(text, sizeof text, "%s", scratch_path(scratch, name));
	rmdir(text);
	unlink(text);
	CHECK(symlink(scratch_path(scratch, target), text) == 0, "%s: %s", name, strerror(errno));
}

TEST(planted_link_widens_no_preset)
{
	static const struct {
		const char *variable, *name;
	} rows[] = {
		{ "VIRTUAL_ENV", "ws/sub" }, { "PATH", "ws/sub" },
		{ "PATH", "ws/sub/bin" }, /* sub is the link, and Documents/bin is there */
		{ "CARGO_TARGET_DIR", "ws/sub" }, { "GOCACHE", "ws/sub" },
		{ "TMPDIR", "bin/sub" },            /* in a tree that is writable by ZS_SANDBOX_RW */
		{ "CARGO_TARGET_DIR", "in/x/sub" }, /* in/x is the user's own link to bin/ */
	};
	static const char *const links[] = { "ws/sub", "bin/sub" };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		for (size_t verify = 0; verify < 2; verify++) {
			AUTO_POLICY *policy = NULL;
			OWN_HOME(home);

			make_folder(scratch_path(&home.scratch, "out/Documents/bin"));
			make_folder(scratch_path(&home.scratch, "in"));
			for (size_t j = 0; j < 2; j++)
				plant(&home.scratch, links[j], "out/Documents");
			plant(&home.scratch, "in/x", "bin");
			set(&home, rows[i].variable, scratch_path(&home.scratch, rows[i].name));
			set(&home, "ZS_SANDBOX_RW", scratch_path(&home.scratch, "bin"));
			policy = resolved(verify ? zs_policy_verify : zs_policy_default, &home);
			check_home(&home, policy, "out/Documents", ZS_ACCESS_HIDE);
			check_home(&home, policy, "out/Documents/bin", ZS_ACCESS_HIDE);
		}
	}
}

/* Two links to a folder that contains both must not vouch for each other. */
TEST(planted_links_do_not_vouch_for_each_other)
{
	AUTO_POLICY *policy = NULL;
	OWN_HOME(home);

	make_folder(scratch_path(&home.scratch, "ws/sub2"));
	plant(&home.scratch, "ws/sub", "");
	plant(&home.scratch, "ws/sub2", "");
	home.count = 0; /* without HOME, whose promise would also protect */
	home.envp[0] = NULL;
	set(&home, "GOCACHE", scratch_path(&home.scratch, "ws/sub"));
	set(&home, "CARGO_TARGET_DIR", scratch_path(&home.scratch, "ws/sub2"));
	set(&home, "VIRTUAL_ENV", scratch_path(&home.scratch, "ws/sub2"));
	policy = resolved(zs_policy_verify, &home);
	check_home(&home, policy, "ro/file", ZS_ACCESS_HIDE);
}

/* The link appears between making the policy and making the sandbox. */
TEST(link_planted_after_the_policy_was_made)
{
	AUTO_POLICY *policy = NULL, *real = NULL, *again = NULL;
	struct zs_error error = { 0 };
	OWN_HOME(home);

	make_folder(scratch_path(&home.scratch, "ro/cache"));
	set(&home, "GOCACHE", scratch_path(&home.scratch, "ro/cache")); /* not writable itself */
	check_ok(zs_policy_verify(scratch_path(&home.scratch, "ws"), home.envp, &policy, &error), &error, "preset");
	plant(&home.scratch, "ro/cache", "out");
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	check_home(&home, real, "out/.ssh/id_rsa", ZS_ACCESS_HIDE);
	plant(&home.scratch, "ro/cache", "ws/sub");
	check_ok(zs_policy_resolve(policy, &again, &error), &error, "resolve");
	check_home(&home, again, "ws/sub", ZS_ACCESS_EXEC);
}

TEST(planted_link_is_refused_where_it_was_spelled_out)
{
	static const struct {
		const char *name, *target;
		enum zs_access access;
		bool refused;
	} rows[] = {
		{ "ws/sub", "out", ZS_ACCESS_WRITE, true }, { "ws/sub", "out", ZS_ACCESS_READ, true },
		{ "ws/sub", "out/sub", ZS_ACCESS_EXEC, true },
		{ "ws/sub", "", ZS_ACCESS_WRITE, true },         /* contains the workspace itself */
		{ "ws/sub", "ws/file", ZS_ACCESS_WRITE, false }, /* stays inside */
		{ "ws/sub", "ro/file", ZS_ACCESS_READ, false },  /* granted in any case */
		{ "ws/sub", "ro/file", ZS_ACCESS_WRITE, true },
		{ "bin/sub", "out", ZS_ACCESS_READ, true },   /* bin/ is writable */
		{ "ro/sub", "out", ZS_ACCESS_WRITE, false },  /* ro/ is not: the user's own link */
		{ "ws/sub", "none", ZS_ACCESS_WRITE, false }, /* leads nowhere */
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		AUTO_POLICY *policy = policy_own(), *real = NULL;
		OWN_SCRATCH(scratch);
		struct zs_error error = { 0 };
		char line[2048];
		int r;

		plant(&scratch, rows[i].name, rows[i].target);
		zs_policy_set_workspace(policy, scratch_path(&scratch, "ws"), ZS_WORKSPACE_WRITE, NULL);
		zs_policy_add_path(policy, scratch_path(&scratch, rows[i].name), rows[i].access, NULL);
		zs_policy_add_path(policy, scratch_path(&scratch, "bin"), ZS_ACCESS_WRITE, NULL);
		zs_policy_add_path(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_READ, NULL);
		r = zs_policy_resolve(policy, &real, &error);
		zs_error_format(&error, line, sizeof line);
		if (rows[i].refused)
			CHECK(r == -EPERM && strstr(line, scratch_path(&scratch, rows[i].name)) &&
					strstr(line, scratch_path(&scratch, rows[i].target)) &&
					strstr(line, "if that is meant, name "),
				"row %zu: %d %s", i, r, line);
		else
			CHECK(r == 0, "row %zu: %d %s", i, r, line);
	}
}

/* A folder of the workspace that was granted as the next run's workspace, and is now a link. */
TEST(planted_link_as_the_workspace_is_refused)
{
	AUTO_POLICY *policy = policy_own(), *real = NULL, *other = NULL;
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };

	plant(&scratch, "ro/sub", "out");
	zs_policy_set_workspace(policy, scratch_path(&scratch, "ro/sub"), ZS_WORKSPACE_WRITE, NULL);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "the user's own link");
	zs_policy_add_path(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_WRITE, NULL);
	CHECK(zs_policy_resolve(policy, &other, &error) == -EPERM && strcmp(error.step, "workspace") == 0, "%s",
		error.what);
}

/* A planted link that leads nowhere, or in a circle, must not stop later runs. */
TEST(planted_link_that_goes_round_stops_nothing)
{
	AUTO_POLICY *policy = NULL;
	OWN_HOME(home);

	plant(&home.scratch, "ws/sub", "ws/sub");
	set(&home, "VIRTUAL_ENV", scratch_path(&home.scratch, "ws/sub"));
	policy = resolved(zs_policy_default, &home);
	check_home(&home, policy, "ws/file", ZS_ACCESS_WRITE);
}

/* A variable can open the user's own places, but no part of the system. */
TEST(variables_open_no_system_tree)
{
	static const struct {
		const char *variable, *value; /* "@" stands for the scratch folder */
		const char *path;
		enum zs_access want;
	} rows[] = {
		{ "TMPDIR", "/etc", "/etc/passwd", ZS_ACCESS_READ },
		{ "PATH", "/etc", "/etc/shadow", ZS_ACCESS_HIDE },
		{ "TMPDIR", "/usr/lib", "/usr/lib", ZS_ACCESS_EXEC },
		{ "GOCACHE", "/var/lib", "/var/lib", ZS_ACCESS_HIDE },
		{ "GOCACHE", "/var", "/var/lib", ZS_ACCESS_HIDE },
		{ "GOCACHE", "/", "/", ZS_ACCESS_HIDE },
		{ "PATH", "/root", "/root", ZS_ACCESS_HIDE },
		{ "PATH", "/proc/self:/dev:/sys:/run", "/run", ZS_ACCESS_HIDE },
		{ "PATH", "/dev", "/dev", ZS_ACCESS_HIDE },
		{ "GOCACHE", "/var/cache", "/var/cache", ZS_ACCESS_WRITE },
		{ "TMPDIR", "@bin", "@bin/file", ZS_ACCESS_HIDE }, /* a private folder takes its place */
		{ "GOCACHE", "@bin", "@bin/file", ZS_ACCESS_WRITE },
		{ "VIRTUAL_ENV", "@out/tools", "@out/tools", ZS_ACCESS_EXEC },
		{ "VIRTUAL_ENV", "@out/.ssh", "@out/.ssh/id_rsa", ZS_ACCESS_HIDE },
		{ "VIRTUAL_ENV", "@out/.config", "@out/.config/git/credentials", ZS_ACCESS_HIDE },
		{ "GOCACHE", "@out/.aws", "@out/.aws/credentials", ZS_ACCESS_HIDE },
		{ "GOCACHE", "@out/.aws/sub", "@out/.aws/sub", ZS_ACCESS_HIDE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *path = rows[i].path, *value = rows[i].value;
		AUTO_POLICY *policy = NULL;
		OWN_HOME(home);
		enum zs_access have;

		make_folder(scratch_path(&home.scratch, "out/.config/gh"));
		make_folder(scratch_path(&home.scratch, "out/.aws/sub"));
		set(&home, rows[i].variable, value[0] == '@' ? scratch_path(&home.scratch, value + 1) : value);
		policy = resolved(zs_policy_default, &home);
		have = access_to(policy, path[0] == '@' ? scratch_path(&home.scratch, path + 1) : path);
		/* An ordinary user is granted all of /etc, and can read the system files that the user may read. */
		CHECK(have == rows[i].want || (geteuid() != 0 && have == ZS_ACCESS_READ), "%s=%s: %s: %s",
			rows[i].variable, value, path, zs_access_name(have));
	}
}

TEST(the_accounts_home_is_no_workspace)
{
	static const char *const homes[] = { "X=", "HOME=", "HOME=/tmp" };
	const struct passwd *entry = getpwuid(geteuid());

	/* The user nobody has no home, so there is nothing to compare then. */
	for (size_t i = 0; entry && file_exists(entry->pw_dir) && i < sizeof homes / sizeof homes[0]; i++) {
		char *envp[] = { (char *)homes[i], NULL };
		struct zs_policy *policy = NULL;
		struct zs_error error = { 0 };

		CHECK(zs_policy_default(entry->pw_dir, envp, &policy, &error) == -EPERM &&
				strstr(error.what, "holds the home directory"),
			"%s, %s: %s", homes[i], entry->pw_dir, error.what);
	}
}

/* A name that is not in the list of HOME's names is not looked up. If the list is too long, it decides nothing. */
TEST(names_in_a_folder)
{
	OWN_SCRATCH(scratch);

	make_folder(scratch_path(&scratch, "ro/.Cargo"));
	for (int count = 2; count <= ZS_FOLDER_NAMES_MAX; count++) { /* as many as allowed, with "." and ".." */
		char name[64];

		snprintf(name, sizeof name, "ro/many/%d", count);
		if (count == 2)
			make_folder(scratch_path(&scratch, "ro/many"));
		else
			write_text(scratch_path(&scratch, name), "");
	}
	for (int more = 0; more < 2; more++) {
		struct zs_folder_names few = zs_folder_names_read(scratch_path(&scratch, "ro"));
		struct zs_folder_names many = zs_folder_names_read(scratch_path(&scratch, "ro/many"));
		struct zs_folder_names none = zs_folder_names_read(scratch_path(&scratch, "ro/none"));

		CHECK(!zs_folder_names_lack(&few, "file") && !zs_folder_names_lack(&few, ".cargo/bin"),
			"they are there");
		CHECK(zs_folder_names_lack(&few, ".cargo-/bin") && zs_folder_names_lack(&few, "fil"), "they are not");
		CHECK(!zs_folder_names_lack(&few, "") && !zs_folder_names_lack(&none, "file"), "nobody knows");
		CHECK(zs_folder_names_lack(&many, "file") == !more, "%d more than may be", more);
		zs_folder_names_free(&few);
		zs_folder_names_free(&many);
		write_text(scratch_path(&scratch, "ro/many/one more"), "");
	}
}

/* A strange folder in /etc must not stop zs. */
TEST(public_tree_with_odd_folders)
{
	AUTO_POLICY *policy = policy_own(), *real = NULL;
	OWN_SCRATCH(scratch);
	struct zs_error error = { 0 };
	char name[64];

	make_folder(scratch_path(&scratch, "ro/many"));
	for (int i = 0; i < 1100; i++) {
		snprintf(name, sizeof name, "ro/many/%d", i);
		write_text(scratch_path(&scratch, name), "");
	}
	write_text(scratch_path(&scratch, "ro/many/private"), "");
	chmod(scratch_path(&scratch, "ro/many/private"), 0600);
	write_text(scratch_path(&scratch, "ro/\xff"), "");
	write_text(scratch_path(&scratch, "ro/private"), "");
	chmod(scratch_path(&scratch, "ro/private"), 0600);
	zs_policy_add_public(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_READ);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	CHECK(access_to(real, scratch_path(&scratch, "ro/file")) == ZS_ACCESS_READ, "the rest is granted");
	CHECK(access_to(real, scratch_path(&scratch, "ro/private")) == ZS_ACCESS_HIDE, "private");
	CHECK(access_to(real, scratch_path(&scratch, "ro/many/1")) == ZS_ACCESS_HIDE, "none of the large one");
	CHECK(real->grant_count < 10, "%zu grants", real->grant_count);
}

/* For each category: the default, an empty list, or a list. */
static void check_lists(const struct home *home, const struct zs_path_lists *lists, bool exec, bool read, bool write)
{
	const struct {
		const char *path;
		enum zs_access access;
		bool want;
	} rows[] = {
		{ "/usr", ZS_ACCESS_EXEC, exec },
		{ scratch_path(&home->scratch, "out/.cargo/bin"), ZS_ACCESS_EXEC, exec },
		{ "/etc", ZS_ACCESS_READ, read },
		{ "/proc", ZS_ACCESS_READ, read },
		{ "/dev/null", ZS_ACCESS_WRITE, write },
	};
	AUTO_POLICY *policy = NULL;
	struct zs_error error = { 0 };

	check_ok(zs_policy_preset(
			 scratch_path(&home->scratch, "ws"), ZS_WORKSPACE_WRITE, home->envp, lists, &policy, &error),
		&error, "preset");
	for (size_t i = 0; policy && i < sizeof rows / sizeof *rows; i++) {
		bool have = false;

		for (size_t j = 0; j < policy->grant_count; j++)
			have |= policy->grants[j].access == rows[i].access &&
				strcmp(policy->grants[j].path, rows[i].path) == 0;
		CHECK(have == rows[i].want, "%s: %d", rows[i].path, have);
	}
}

TEST(lists_of_each_category)
{
	static const char *const none[] = { NULL }, *const other[] = { "/srv", "~/tools", NULL };
	struct zs_path_lists lists = { 0 };
	OWN_HOME(home);

	check_lists(&home, NULL, true, true, true);
	check_lists(&home, &lists, true, true, true);
	for (unsigned i = 0; i < 8; i++) {
		lists.exec = i & 1 ? none : NULL;
		lists.read = i & 2 ? other : NULL;
		lists.write = i & 4 ? none : NULL;
		check_lists(&home, &lists, !(i & 1), !(i & 2), !(i & 4));
	}
}

static enum zs_access granted(const struct home *home, const struct zs_path_lists *lists, const char *path)
{
	AUTO_POLICY *policy = NULL, *real = NULL;
	struct zs_error error = { 0 };

	check_ok(zs_policy_preset(
			 scratch_path(&home->scratch, "ws"), ZS_WORKSPACE_WRITE, home->envp, lists, &policy, &error),
		&error, "preset");
	return policy && zs_policy_resolve(policy, &real, &error) == 0 ? access_to(real, path) : ZS_ACCESS_HIDE;
}

TEST(lists_replace_and_add)
{
	static const char *const none[] = { NULL }, *const folder[] = { "~/Documents", "~/none", NULL },
				 *const program[] = { "/bin/sh", NULL };
	struct zs_path_lists lists = { .exec = none, .read = none, .write = none };
	char documents[256], cargo[256];
	OWN_HOME(home);

	snprintf(documents, sizeof documents, "%s", scratch_path(&home.scratch, "out/Documents"));
	snprintf(cargo, sizeof cargo, "%s", scratch_path(&home.scratch, "out/.cargo/bin"));
	CHECK(granted(&home, &lists, documents) == ZS_ACCESS_HIDE, "nothing");
	CHECK(granted(&home, &lists, scratch_path(&home.scratch, "ws/x")) == ZS_ACCESS_WRITE, "the workspace");
	lists.read = folder;
	CHECK(granted(&home, &lists, documents) == ZS_ACCESS_READ, "a list, with ~");
	lists.read = none;
	lists.more_write = folder;
	CHECK(granted(&home, &lists, documents) == ZS_ACCESS_WRITE, "more, of none");
	lists.exec = NULL;
	CHECK(granted(&home, &lists, documents) == ZS_ACCESS_WRITE && granted(&home, &lists, cargo) == ZS_ACCESS_EXEC,
		"more, and the defaults of another");
	/* One program and the files that it loads; not the files beside it. */
	lists.exec = program;
	CHECK(granted(&home, &lists, "/bin/sh") == ZS_ACCESS_EXEC &&
			granted(&home, &lists, "/bin/ls") == ZS_ACCESS_HIDE,
		"a program");
	CHECK(access("/etc/ld.so.cache", F_OK) < 0 || granted(&home, &lists, "/etc/ld.so.cache") == ZS_ACCESS_READ,
		"what its loader reads");
}

TEST(lists_with_faults)
{
	static const char *const rows[][2] = { { "relative", NULL }, { "/a/../b", NULL }, { "", NULL } };
	OWN_HOME(home);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_path_lists lists[] = { { .exec = rows[i] }, { .read = rows[i] }, { .write = rows[i] },
			{ .more_exec = rows[i] }, { .more_read = rows[i] }, { .more_write = rows[i] } };

		for (size_t j = 0; j < sizeof lists / sizeof *lists; j++) {
			struct zs_policy *policy = NULL;

			CHECK(zs_policy_preset(scratch_path(&home.scratch, "ws"), ZS_WORKSPACE_WRITE, home.envp,
				      &lists[j], &policy, NULL) == -EINVAL &&
					!policy,
				"%s", rows[i][0]);
		}
	}
}

static bool ends(const char *text, size_t size)
{
	return text[size - 1] == '\0';
}

static void check_task_row(const struct zs_task_row *row)
{
	bool cache = row->fact == ZS_FACT_CACHE_FILE || row->fact == ZS_FACT_LAYER_FILE;
	bool place = row->fact == ZS_FACT_REGISTRY_FILE || cache || row->fact == ZS_FACT_READ ||
		     row->fact == ZS_FACT_SOCKET || row->fact == ZS_FACT_DEVICE || row->fact == ZS_FACT_DESCRIPTION ||
		     row->fact == ZS_FACT_HIDDEN;
	bool credential = row->fact == ZS_FACT_READ || row->fact == ZS_FACT_SOCKET || row->fact == ZS_FACT_GIT;
	uint32_t registries = (1u << ZS_REGISTRY_TASK_COUNT) - 1;
	struct zs_host_entry entry;

	CHECK(ends(row->variable, sizeof row->variable) && ends(row->fallback, sizeof row->fallback) &&
			ends(row->name, sizeof row->name) && ends(row->key, sizeof row->key),
		"a text of %s%s%s is too long", row->variable, row->fallback, row->name);
	CHECK(row->fact != ZS_FACT_HOST ||
			(zs_host_entry_parse(row->name, &entry, NULL) == 0 && entry.host.port && !entry.below),
		"%s is no host with a port", row->name);
	CHECK(place == (*row->fallback != '\0') || (place && *row->variable), "%s%s is no place", row->variable,
		row->name);
	CHECK(!credential || !(row->tasks & registries), "%s: a task of a registry grants it", row->fallback);
	CHECK(row->fact != ZS_FACT_MARK || !(row->tasks & ~registries), "%s: \"auto\" chooses more", row->name);
	CHECK((row->fact == ZS_FACT_REGISTRY_FILE || cache || row->fact == ZS_FACT_WORKSPACE_REGISTRY ||
		      row->fact == ZS_FACT_DESCRIPTION) == (*row->key != '\0'),
		"%s%s has a key without need, or none", row->fallback, row->name);
}

TEST(rows_of_tasks)
{
	uint32_t named = 0;

	for (const struct zs_task_row *row = zs_task_rows; row->tasks; row++) {
		check_task_row(row);
		named |= row->tasks;
	}
	CHECK(named == (1u << ZS_TASK_COUNT) - 1, "a task has no row, or a row has an unknown task: %x", named);
}
