/* The presets: what the tables name, as far as it keeps the two promises that the rest of the home directory is not
 * granted and that verify's workspace cannot change. */
#include "policy/policy.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/preset.h"
#include "policy/promise.h"

static const char step[] = "policy";

struct builder {
	struct zs_policy *policy;
	struct zs_judge judge;
	char *const *envp;
	const char *workspace;
	enum zs_workspace access;
	const struct zs_path_lists *lists;
	struct zs_error *error;
};

static int add_paths(struct builder *builder)
{
	return zs_policy_add_lists(builder->policy, &builder->judge, builder->envp, builder->lists, builder->error);
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
static int add_wider(struct builder *builder, const struct wider *row, const char *list)
{
	char *entry;
	int r;

	while ((r = zs_path_list_next(&list, &entry)) > 0) {
		r = zs_policy_add_path(builder->policy, entry, row->access, builder->error);
		free(entry);
		if (r < 0)
			return zs_error_hint(builder->error, r, "it is in the environment variable %s", row->variable);
	}
	return r < 0 ? zs_error_errno(builder->error, step, NULL, -r) : 0;
}

static int add_variables(struct builder *builder)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(wider); i++) {
		const char *value = zs_env_value(builder->envp, wider[i].variable);

		if (value)
			r = add_wider(builder, &wider[i], value);
	}
	return r < 0 ? r : zs_policy_lend_env(builder->policy, zs_preset_env, builder->error);
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

int zs_policy_find_account_home(struct zs_policy *policy)
{
	char first[1024]; /* nearly always enough */
	size_t size = sizeof first;
	int r = ERANGE;

	while (r == ERANGE && size <= 1024 * 1024) {
		ZS_AUTO_FREE char *more = size > sizeof first ? malloc(size) : NULL;
		struct passwd entry, *found = NULL;

		if (size > sizeof first && !more)
			return -ENOMEM;
		r = getpwuid_r(geteuid(), &entry, more ? more : first, size, &found);
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

int zs_policy_use_lists(
	struct zs_policy *policy, char *const envp[], const struct zs_path_lists *lists, struct zs_error *error)
{
	struct zs_judge judge;
	int r = zs_policy_find_account_home(policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	policy->preset = true;
	zs_judge_begin(&judge, policy);
	if (policy->workspace)
		r = zs_judge_workspace(&judge, policy->workspace, error);
	if (r == 0)
		r = zs_policy_add_lists(policy, &judge, envp, lists, error);
	zs_judge_end(&judge);
	return r;
}

int zs_policy_preset(const char *workspace, enum zs_workspace access, char *const envp[],
	const struct zs_path_lists *lists, struct zs_policy **ret_policy, struct zs_error *error)
{
	static int (*const parts[])(struct builder *) = { add_workspace, add_paths, add_worktree, add_variables };
	static const struct zs_path_lists defaults = { 0 };
	struct builder builder = { .envp = envp,
		.workspace = workspace,
		.access = access,
		.lists = lists ? lists : &defaults,
		.error = error };
	int r = zs_policy_new(envp, &builder.policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	builder.policy->preset = true;
	builder.policy->without = zs_preset_without;
	r = zs_policy_find_account_home(builder.policy);
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
	return zs_policy_preset(workspace, ZS_WORKSPACE_WRITE, envp, NULL, ret_policy, error);
}

int zs_policy_verify(const char *workspace, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error)
{
	return zs_policy_preset(workspace, ZS_WORKSPACE_OVERLAY, envp, NULL, ret_policy, error);
}
