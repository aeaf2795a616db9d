/* The presets, in a scratch home: what they grant, and what they must not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "harness.h"
#include "path.h"
#include "policy.h"
#include "preset.h"

/* The strongest access that a resolved policy gives to a path; HIDE for none. */
static enum zs_access access_to(const struct zs_policy *policy, const char *path)
{
	enum zs_access strongest = ZS_ACCESS_HIDE;

	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access > strongest && zs_tree_covers(policy->grants[i].path, path))
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
		"go", "go/pkg", "go/bin", "go/src", ".pyenv", "Documents", "tools" };
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

static struct zs_policy *resolved(
	int (*preset)(const char *, char *const[], struct zs_policy **, struct zs_error *), const struct home *home)
{
	struct zs_policy *policy = NULL, *real = NULL;
	struct zs_error error = { 0 };

	check_ok(preset(scratch_path(&home->scratch, "ws"), home->envp, &policy, &error), &error, "preset");
	if (!policy)
		exit(HARNESS_FAILED);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	zs_policy_free(policy);
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
		{ "ro/file", ZS_ACCESS_READ },   /* by ZS_SANDBOX_RO */
		{ "bin/file", ZS_ACCESS_WRITE }, /* by ZS_SANDBOX_RW */
	};
	struct zs_policy *policy;
	struct home home;
	char text[600];

	make_home(&home);
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
	CHECK(access_to(policy, "/var/tmp") == ZS_ACCESS_WRITE, "/var/tmp");
	CHECK(access_to(policy, "/var/lib") == ZS_ACCESS_HIDE, "/var/lib");
	CHECK(access_to(policy, "/run") == ZS_ACCESS_HIDE, "/run");
	/* HOME lies in it here, so the promise about HOME goes first. */
	CHECK(access_to(policy, "/tmp") == ZS_ACCESS_HIDE, "/tmp");
	CHECK(policy->network == ZS_NETWORK_NONE, "network");
	CHECK(geteuid() != 0 || access_to(policy, "/etc/shadow") == ZS_ACCESS_HIDE, "root's own files");
	zs_policy_free(policy);
	scratch_remove(&home.scratch);
}

/* Service accounts live in /opt: the tree of programs must not make their keys readable. */
TEST(home_in_a_tree_of_programs)
{
	char home[] = "HOME=/opt/service/home", *envp[] = { home, NULL };
	struct zs_policy *policy;
	struct zs_error error;

	CHECK(zs_policy_default("/opt/service/home/project", envp, &policy, &error) == 0, "%s", error.what);
	CHECK(access_to(policy, "/opt/service/home/.ssh/id_rsa") == ZS_ACCESS_HIDE, "the key is granted");
	CHECK(access_to(policy, "/usr/bin/env") == ZS_ACCESS_EXEC, "programs are not");
	zs_policy_free(policy);
}

TEST(default_without_a_home)
{
	struct home home;
	struct zs_policy *policy;

	make_home(&home);
	home.envp[0] = NULL;
	policy = resolved(zs_policy_default, &home);
	CHECK(access_to(policy, "/tmp") == ZS_ACCESS_WRITE, "/tmp");
	CHECK(access_to(policy, scratch_path(&home.scratch, "ws")) == ZS_ACCESS_WRITE, "workspace");
	zs_policy_free(policy);
	scratch_remove(&home.scratch);
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
	struct zs_policy *policy;
	struct zs_sandbox *sandbox = NULL;
	struct zs_error error = { 0 };
	struct home home;

	make_home(&home);
	home.envp[0] = NULL; /* so that nothing but verify's own promise keeps /tmp out */
	home.count = 0;
	set(&home, "GOCACHE", scratch_path(&home.scratch, "ws/sub"));
	policy = resolved(zs_policy_verify, &home);
	check_home(&home, policy, "ws/file", ZS_ACCESS_EXEC);
	check_home(&home, policy, "ws/sub", ZS_ACCESS_EXEC);
	check_home(&home, policy, "out/file", ZS_ACCESS_HIDE);
	CHECK(access_to(policy, "/var/tmp") == ZS_ACCESS_WRITE, "/var/tmp");
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "and it can be had");
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
	/* Asked for by name it is not left out but refused. */
	set(&home, "ZS_SANDBOX_RW", "/tmp");
	CHECK(zs_policy_verify(scratch_path(&home.scratch, "ws"), home.envp, &policy, &error) == 0,
		"the preset is fine");
	CHECK(zs_sandbox_new(policy, &sandbox, &error) < 0 && strstr(error.what, "covers it"), "%s", error.what);
	zs_policy_free(policy);
	scratch_remove(&home.scratch);
}

/* Linked worktrees: ro/ is the repository. */

static void make_worktree(const struct scratch *scratch, const char *git_dir, const char *back)
{
	static const char *const folders[] = { "ro/.git", "ro/.git/objects", "ro/.git/worktrees",
		"ro/.git/worktrees/ws", "out/objects", "out/x", "out/x/ws" };
	char text[600], back_text[600];

	/* Before scratch_path() takes their buffers again. */
	snprintf(text, sizeof text, "gitdir: %s\n", git_dir);
	snprintf(back_text, sizeof back_text, "%s\n", back);
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
		make_folder(scratch_path(scratch, folders[i]));
	write_text(scratch_path(scratch, "ro/.git/HEAD"), "ref: refs/heads/main\n");
	write_text(scratch_path(scratch, "out/HEAD"), "ref: refs/heads/main\n");
	write_text(scratch_path(scratch, "ws/.git"), text);
	write_text(scratch_path(scratch, "ro/.git/worktrees/ws/gitdir"), back_text);
	write_text(scratch_path(scratch, "out/x/ws/gitdir"), back_text);
	write_text(scratch_path(scratch, "ro/.git/worktrees/ws/commondir"), "/\n"); /* which nobody asks */
}

TEST(worktree_of_a_repository)
{
	static const struct {
		const char *git_dir, *back; /* starting with "@": of the scratch folder */
		bool believed;
	} rows[] = {
		{ "@ro/.git/worktrees/ws", "@ws/.git", true },
		{ "../ro/.git/worktrees/ws", "@ws/.git", true },
		{ "@ro/.git/worktrees/ws", "../../../../ws/.git", true },
		{ "@ro/.git/worktrees/ws", "@out/.git", false }, /* it is another worktree's */
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
		struct scratch scratch;
		int r;

		scratch_make(&scratch, geteuid());
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
		scratch_remove(&scratch);
	}
}

TEST(worktree_is_granted)
{
	struct zs_policy *policy;
	struct home home;

	make_home(&home);
	make_worktree(&home.scratch, scratch_path(&home.scratch, "ro/.git/worktrees/ws"),
		scratch_path(&home.scratch, "ws/.git"));
	policy = resolved(zs_policy_default, &home);
	check_home(&home, policy, "ro/.git/objects", ZS_ACCESS_WRITE);
	check_home(&home, policy, "ro/file", ZS_ACCESS_HIDE);
	zs_policy_free(policy);
	policy = resolved(zs_policy_verify, &home);
	check_home(&home, policy, "ro/.git/objects", ZS_ACCESS_READ);
	zs_policy_free(policy);
	scratch_remove(&home.scratch);
}

TEST(judged_path_that_becomes_a_link_is_refused)
{
	struct zs_policy *policy, *real;
	struct scratch scratch;
	struct zs_error error = { 0 };

	scratch_make(&scratch, geteuid());
	zs_policy_new(NULL, &policy);
	zs_policy_add_judged(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_WRITE, NULL);
	rename(scratch_path(&scratch, "ro"), scratch_path(&scratch, "was-ro"));
	CHECK(symlink("out", scratch_path(&scratch, "ro")) == 0, "link");
	CHECK(zs_policy_resolve(policy, &real, &error) == -ELOOP, "%s", error.what);
	zs_policy_free(policy);
	scratch_remove(&scratch);
}

TEST(resolving)
{
	struct zs_policy *policy, *real = NULL;
	struct scratch scratch;
	struct zs_error error = { 0 };

	scratch_make(&scratch, geteuid());
	zs_policy_new(NULL, &policy);
	zs_policy_add_path(policy, scratch_path(&scratch, "ws/link"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "none/below"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ws/file/below"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ro/sub"), ZS_ACCESS_READ, NULL); /* in the next */
	zs_policy_add_path(policy, scratch_path(&scratch, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, scratch_path(&scratch, "ro/file"), ZS_ACCESS_WRITE, NULL);
	check_ok(zs_policy_resolve(policy, &real, &error), &error, "resolve");
	CHECK(real->grant_count == 3, "%zu grants", real->grant_count);
	CHECK(access_to(real, scratch_path(&scratch, "out/file")) == ZS_ACCESS_READ, "a link is followed");
	CHECK(access_to(real, scratch_path(&scratch, "out/sub")) == ZS_ACCESS_HIDE, "to its end only");
	CHECK(access_to(real, scratch_path(&scratch, "ws/file")) == ZS_ACCESS_HIDE, "nothing is widened");
	CHECK(access_to(real, scratch_path(&scratch, "ro/file")) == ZS_ACCESS_WRITE, "a union");
	zs_policy_free(real);
	zs_policy_free(policy);
	scratch_remove(&scratch);
}
