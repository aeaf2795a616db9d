/* The presets: what the tables name, as far as it keeps the two promises that the rest of the home directory is not
 * granted and that verify's workspace cannot change. */
#include "policy.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "path.h"
#include "preset.h"
#include "promise.h"

static const char step[] = "policy";

struct builder {
	struct zs_policy *policy;
	struct zs_judge judge;
	char *const *envp;
	const char *workspace;
	enum zs_workspace access;
	struct zs_error *error;
};

/* The preset's own grants. Whether one keeps the promises is judged again of the place it resolves to. */
static int add_row(struct builder *builder, const char *path, enum zs_access access, enum zs_origin origin)
{
	ZS_AUTO_FREE char *real = origin == ZS_ORIGIN_VARIABLE ? realpath(path, NULL) : NULL;

	if (origin == ZS_ORIGIN_VARIABLE && !real && errno == ENOMEM)
		return zs_error_errno(builder->error, step, path, ENOMEM);
	if (!zs_judge_allows(&builder->judge, real ? real : path, access, origin))
		return 0;
	return zs_policy_add_grant(builder->policy, path, access, origin, false, builder->error);
}

/* A folder for temporary files, which private ones replace. */
static void mark_scratch(struct zs_policy *policy, size_t from)
{
	for (size_t i = from; i < policy->grant_count; i++)
		policy->grants[i].scratch = true;
}

static int add_system(struct builder *builder)
{
	size_t count;
	int r = 0;

	for (const struct zs_preset_tree *tree = zs_preset_trees; r == 0 && tree->path; tree++) {
		count = builder->policy->grant_count;
		r = add_row(
			builder, tree->path, tree->access, tree->essential ? ZS_ORIGIN_ESSENTIAL : ZS_ORIGIN_PRESET);
		if (tree->scratch)
			mark_scratch(builder->policy, count);
	}
	if (r < 0)
		return r;
	count = builder->policy->grant_count;
	r = add_row(builder, "/etc", ZS_ACCESS_READ, ZS_ORIGIN_ESSENTIAL);
	/* /etc/shadow and host keys: owning is all that reading takes. */
	if (geteuid() == 0)
		zs_policy_mark_public(builder->policy, count);
	return r;
}

typedef int each_entry(struct builder *builder, const char *entry, const void *arg);

static int for_each_entry(struct builder *builder, const char *list, each_entry *each, const void *arg)
{
	int r = 0;

	while (r == 0 && *list) {
		size_t len = strcspn(list, ":");
		ZS_AUTO_FREE char *entry = strndup(list, len);

		if (!entry)
			return zs_error_errno(builder->error, step, NULL, ENOMEM);
		if (len)
			r = each(builder, entry, arg);
		list += len + (list[len] == ':');
	}
	return r;
}

/* A variable's value is no table's: GOCACHE may be "off", PATH may hold ".". What is not absolute grants nothing. */
static int add_in_folder(
	struct builder *builder, const char *folder, const struct zs_preset_home *row, enum zs_origin origin)
{
	ZS_AUTO_FREE char *joined = zs_path_join(folder, row->name);
	ZS_AUTO_FREE char *path = NULL;
	const char *problem;

	if (!joined)
		return zs_error_errno(builder->error, step, NULL, ENOMEM);
	if (folder[0] != '/' || zs_path_normalize(joined, NULL, &path, &problem) < 0)
		return 0;
	return add_row(builder, path, row->access, origin);
}

static int add_named(struct builder *builder, const char *folder, const void *row)
{
	return add_in_folder(builder, folder, row, ZS_ORIGIN_VARIABLE);
}

static int add_home(struct builder *builder)
{
	int r = 0;

	for (const struct zs_preset_home *row = zs_preset_homes; r == 0 && row->name; row++) {
		size_t count = builder->policy->grant_count;
		const char *value = row->variable ? zs_env_value(builder->envp, row->variable) : NULL;
		ZS_AUTO_FREE char *folder = NULL;

		if (value && *value) {
			r = for_each_entry(builder, value, add_named, row);
			if (strcmp(row->variable, "TMPDIR") == 0)
				mark_scratch(builder->policy, count);
			continue;
		}
		if (!row->fallback || !builder->policy->home)
			continue;
		folder = zs_path_join(builder->policy->home, row->fallback);
		if (!folder)
			return zs_error_errno(builder->error, step, NULL, ENOMEM);
		r = add_in_folder(builder, folder, row, ZS_ORIGIN_PRESET);
	}
	return r;
}

static bool in_preset_tree(const char *path)
{
	for (const struct zs_preset_tree *tree = zs_preset_trees; tree->path; tree++) {
		size_t len = strlen(tree->path);

		if (tree->access == ZS_ACCESS_EXEC && strncmp(path, tree->path, len) == 0 &&
			(path[len] == '/' || path[len] == '\0'))
			return true;
	}
	return false;
}

/* Who put a folder in PATH wants its programs to run. The folder alone: where its links lead has a row or none. */
static int add_path_folder(struct builder *builder, const char *folder, const void *arg)
{
	return in_preset_tree(folder) ? 0 : add_named(builder, folder, arg);
}

static int add_programs(struct builder *builder)
{
	static const struct zs_preset_home row = { "PATH", NULL, "", ZS_ACCESS_EXEC };
	const char *value = zs_env_value(builder->envp, row.variable);

	return value ? for_each_entry(builder, value, add_path_folder, &row) : 0;
}

static int add_worktree(struct builder *builder)
{
	ZS_AUTO_FREE char *folder = NULL;
	enum zs_access access;
	int r = zs_git_common_dir(builder->workspace, &folder);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return zs_error_errno(builder->error, step, builder->workspace, -r);
	access = builder->access == ZS_WORKSPACE_WRITE ? ZS_ACCESS_WRITE : ZS_ACCESS_READ;
	if (!zs_judge_allows(&builder->judge, folder, access, ZS_ORIGIN_PRESET))
		return 0;
	return zs_policy_add_grant(builder->policy, folder, access, ZS_ORIGIN_PRESET, true, builder->error);
}

static const struct wider {
	const char *variable;
	enum zs_access access;
} wider[] = {
	{ "ZS_SANDBOX_RO", ZS_ACCESS_READ },
	{ "ZS_SANDBOX_RW", ZS_ACCESS_WRITE },
};

/* Asked for by name: a bad entry is an error, and one that breaks a promise is refused by zs_sandbox_new(). */
static int add_wider(struct builder *builder, const char *entry, const void *arg)
{
	const struct wider *row = arg;
	int r = zs_policy_add_path(builder->policy, entry, row->access, builder->error);

	if (r < 0)
		zs_error_hint(builder->error, r, "it is in the environment variable %s", row->variable);
	return r;
}

static int add_variables(struct builder *builder)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(wider); i++) {
		const char *value = zs_env_value(builder->envp, wider[i].variable);

		if (value)
			r = for_each_entry(builder, value, add_wider, &wider[i]);
	}
	for (const char *const *name = zs_preset_env; r == 0 && *name; name++)
		r = zs_policy_add_env(builder->policy, *name, builder->error);
	return r;
}

static int add_workspace(struct builder *builder)
{
	int r = zs_policy_set_workspace(builder->policy, builder->workspace, builder->access, builder->error);

	if (r < 0)
		return r;
	builder->workspace = builder->policy->workspace;
	zs_judge_begin(&builder->judge, builder->policy);
	return zs_judge_workspace(&builder->judge, builder->workspace, builder->error);
}

/* HOME may be unset, or set to anything; the account has a home as well, with the keys that sshd and gpg use. -ENOMEM,
 * or 0 also when the account is in no list. */
static int find_account_home(struct zs_policy *policy)
{
	size_t size = 1024;
	int r = ERANGE;

	while (r == ERANGE && size <= 1024 * 1024) {
		ZS_AUTO_FREE char *buffer = malloc(size);
		struct passwd entry, *found = NULL;

		if (!buffer)
			return -ENOMEM;
		r = getpwuid_r(geteuid(), &entry, buffer, size, &found);
		if (r == ENOMEM)
			return -ENOMEM;
		/* "/" is no home but the lack of one (man 5 passwd); nothing would be left to grant. */
		if (r == 0 && found && found->pw_dir[0] == '/' && found->pw_dir[1]) {
			policy->account_home = strdup(found->pw_dir);
			if (!policy->account_home)
				return -ENOMEM;
		}
		size *= 4;
	}
	return 0;
}

static int build(const char *workspace, enum zs_workspace access, char *const envp[], struct zs_policy **ret_policy,
	struct zs_error *error)
{
	static int (*const parts[])(
		struct builder *) = { add_workspace, add_system, add_home, add_programs, add_worktree, add_variables };
	struct builder builder = { .envp = envp, .workspace = workspace, .access = access, .error = error };
	int r = zs_policy_new(envp, &builder.policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	builder.policy->preset = true;
	r = find_account_home(builder.policy);
	if (r < 0)
		zs_error_errno(error, step, NULL, -r);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++)
		r = parts[i](&builder);
	zs_judge_end(&builder.judge);
	if (r < 0) {
		zs_policy_free(builder.policy);
		return r;
	}
	*ret_policy = builder.policy;
	return 0;
}

int zs_policy_default(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error)
{
	return build(workspace, ZS_WORKSPACE_WRITE, envp, ret_policy, error);
}

int zs_policy_verify(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error)
{
	return build(workspace, ZS_WORKSPACE_OVERLAY, envp, ret_policy, error);
}
