/* The presets: the grants of the machine's tables, or of the lists that replace them. Two promises limit them: the rest
 * of the home directory is not granted, and verify's workspace cannot change. Also the grants that are added to
 * each. */
#include "policy/preset.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/authorities.h"
#include "policy/policy.h"
#include "policy/promise.h"

static const char step[] = "policy";

struct builder {
	struct zs_policy *policy;
	struct zs_judge judge;
	const struct zs_preset_home *row; /* being added; NULL: none */
	char *const *envp;
	const struct zs_path_lists *lists;
	bool defaults[ZS_ACCESS_COUNT]; /* the machine's own grants of this category are added: no list replaces them */
	struct zs_error *error;
};

/* Adds one of the preset's own grants, with a normal path. Whether the grant keeps the promises is judged when it is
 * resolved and when it is printed. scratch: a folder for temporary files. If the policy has private ones, the grant is
 * left out here already, so that a caller who asks for the same folder gets it. */
static int add_row(
	struct builder *builder, const char *path, enum zs_access access, enum zs_origin origin, bool scratch)
{
	size_t count = builder->policy->grant_count;
	int r = scratch ? zs_judge_named(&builder->judge, path, access, origin) : 1;

	if (r < 0)
		return zs_error_errno(builder->error, step, path, -r);
	if (r == 0 || (!builder->defaults[access] && access != ZS_ACCESS_WRITE))
		return 0;
	if (!builder->defaults[access])
		return zs_policy_add_former(builder->policy, path, builder->error);
	r = zs_policy_add_normal(builder->policy, path, access, origin, builder->error);
	if (r == 0 && builder->policy->grant_count > count) {
		builder->policy->grants[count].scratch = scratch;
		if (builder->row && *builder->row->tool)
			builder->policy->grants[count].tool = builder->row->tool;
		builder->policy->grants[count].adds = builder->row && builder->row->access == ZS_ACCESS_LAYER;
	}
	return r;
}

static int add_system(struct builder *builder)
{
	size_t count;
	int r = 0;

	for (const struct zs_preset_tree *tree = zs_preset_trees; r == 0 && tree->path; tree++)
		r = add_row(builder, tree->path, tree->access, tree->essential ? ZS_ORIGIN_ESSENTIAL : ZS_ORIGIN_PRESET,
			tree->scratch);
	if (r < 0)
		return r;
	count = builder->policy->grant_count;
	r = add_row(builder, "/etc", ZS_ACCESS_READ, ZS_ORIGIN_ESSENTIAL, false);
	for (const char *const *path = zs_preset_records; r == 0 && *path; path++)
		r = add_row(builder, *path, ZS_ACCESS_READ, ZS_ORIGIN_PRESET, false);
	/* root owns /etc/shadow and host keys, and an owner needs no other right to read. */
	if (geteuid() == 0)
		zs_policy_mark_public(builder->policy, count);
	return r;
}

typedef int each_entry(struct builder *builder, const char *entry, const void *arg);

/* Values of variables */
static int for_each_entry(struct builder *builder, const char *list, each_entry *each, const void *arg)
{
	char *entry;
	int r;

	while ((r = zs_path_list_next(&list, &entry)) > 0) {
		r = each(builder, entry, arg);
		free(entry);
		if (r < 0)
			return r;
	}
	return r < 0 ? zs_error_errno(builder->error, step, NULL, -r) : 0;
}

/* A variable may have any value: GOCACHE may be "off", PATH may hold ".". A path that is not absolute grants
 * nothing. */
static int add_in_folder(
	struct builder *builder, const char *folder, const struct zs_preset_home *row, enum zs_origin origin)
{
	ZS_AUTO_FREE char *joined = *row->name ? zs_path_join(folder, row->name) : NULL;
	ZS_AUTO_FREE char *path = NULL;
	const char *problem;

	if (*row->name && !joined)
		return zs_error_errno(builder->error, step, NULL, ENOMEM);
	if (folder[0] != '/' || zs_path_normalize(joined ? joined : folder, NULL, &path, &problem) < 0)
		return 0;
	return add_row(builder, path, row->access == ZS_ACCESS_LAYER ? ZS_ACCESS_WRITE : row->access, origin,
		strcmp(row->variable, "TMPDIR") == 0);
}

static int add_named(struct builder *builder, const char *folder, const void *row)
{
	return add_in_folder(builder, folder, row, ZS_ORIGIN_VARIABLE);
}

static int add_home_rows(struct builder *builder, const struct zs_preset_home *row)
{
	int r = 0;

	for (; r == 0 && (*row->variable || *row->fallback); row++) {
		const char *value = *row->variable ? zs_env_value(builder->envp, row->variable) : NULL;
		ZS_AUTO_FREE char *folder = NULL;

		builder->row = row;
		if (value && *value) {
			r = for_each_entry(builder, value, add_named, row);
			continue;
		}
		if (!*row->fallback || !builder->policy->home)
			continue;
		folder = zs_path_join(builder->policy->home, row->fallback);
		if (!folder)
			return zs_error_errno(builder->error, step, NULL, ENOMEM);
		r = add_in_folder(builder, folder, row, ZS_ORIGIN_PRESET);
	}
	builder->row = NULL;
	return r;
}

static bool in_preset_tree(const char *path)
{
	for (const struct zs_preset_tree *tree = zs_preset_trees; tree->path; tree++)
		if (tree->access == ZS_ACCESS_EXEC && zs_path_lies_in(path, tree->path))
			return true;
	return false;
}

/* A user who put a folder in PATH wants its programs to run. Only the folder is granted: the targets of its links need
 * rows of their own. */
static int add_path_folder(struct builder *builder, const char *folder, const void *arg)
{
	return in_preset_tree(folder) ? 0 : add_named(builder, folder, arg);
}

static int add_programs(struct builder *builder)
{
	static const struct zs_preset_home row = { "PATH", "", "", ZS_ACCESS_EXEC, "" };
	const char *value = zs_env_value(builder->envp, row.variable);

	return value ? for_each_entry(builder, value, add_path_folder, &row) : 0;
}

static int add_authority(struct builder *builder, const char *path, const void *arg)
{
	static const struct zs_preset_home row = { .access = ZS_ACCESS_READ };
	enum zs_authority authority = zs_authority_of(path);
	size_t count = builder->policy->grant_count;
	int r = 0;

	(void)arg;
	if (authority == ZS_AUTHORITY_CERTIFICATES) /* wherever it lies */
		return add_in_folder(builder, path, &row, ZS_ORIGIN_PRESET);
	if (authority == ZS_AUTHORITY_PUBLIC)
		r = add_named(builder, path, &row);
	zs_policy_mark_public(builder->policy, count);
	return r;
}

/* Has an earlier variable the same value? Many name one file, which is read as a whole: once is enough. */
static bool is_repeated(const struct builder *builder, const char *const *name, const char *value)
{
	for (const char *const *earlier = zs_preset_authorities; earlier < name; earlier++) {
		const char *other = zs_env_value(builder->envp, *earlier);

		if (other && strcmp(other, value) == 0)
			return true;
	}
	return false;
}

static int add_authorities(struct builder *builder)
{
	int r = 0;

	for (const char *const *name = zs_preset_authorities; r == 0 && *name; name++) {
		const char *value = zs_env_value(builder->envp, *name);

		r = value && !is_repeated(builder, name, value) ? for_each_entry(builder, value, add_authority, NULL)
								: 0;
	}
	return r;
}

static int add_defaults(struct builder *builder)
{
	int r = add_system(builder);

	if (r == 0)
		r = add_home_rows(builder, zs_preset_homes);
	if (r == 0)
		r = add_home_rows(builder, zs_preset_homes_here);
	if (r == 0)
		r = add_authorities(builder);
	return r < 0 ? r : add_programs(builder);
}

int zs_policy_add_program(struct zs_policy *policy, const char *path, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = NULL;
	const char *problem;
	struct stat st;
	int r = zs_path_normalize(path, policy->home, &normal, &problem);

	if (r < 0)
		return zs_error_say(error, step, path, -r, "%s", problem);
	if (stat(normal, &st) == 0 && S_ISREG(st.st_mode))
		return zs_policy_add_exec(policy, normal, error);
	return zs_policy_add_path(policy, normal, ZS_ACCESS_EXEC, error);
}

static int add_list(struct zs_policy *policy, const char *const *list, enum zs_access access, struct zs_error *error)
{
	int r = 0;

	for (; r == 0 && list && *list; list++)
		r = access == ZS_ACCESS_EXEC ? zs_policy_add_program(policy, *list, error)
					     : zs_policy_add_path(policy, *list, access, error);
	return r;
}

static int add_lists(struct builder *builder)
{
	const struct zs_path_lists *lists = builder->lists;
	const struct {
		enum zs_access access;
		const char *const *instead, *const *more;
	} rows[] = {
		{ ZS_ACCESS_EXEC, lists->exec, lists->more_exec },
		{ ZS_ACCESS_READ, lists->read, lists->more_read },
		{ ZS_ACCESS_WRITE, lists->write, lists->more_write },
	};
	int r;

	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		builder->defaults[rows[i].access] = !rows[i].instead;
	r = add_defaults(builder);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(rows); i++) {
		size_t count = builder->policy->grant_count;

		r = add_list(builder->policy, rows[i].instead, rows[i].access, builder->error);
		zs_policy_mark_system(builder->policy, count);
		if (r == 0)
			r = add_list(builder->policy, rows[i].more, rows[i].access, builder->error);
	}
	return r;
}

static void mark_repository(struct builder *builder, size_t from)
{
	for (size_t i = from; i < builder->policy->grant_count; i++)
		builder->policy->grants[i].repository = true;
}

static int add_worktree(struct builder *builder)
{
	size_t count = builder->policy->grant_count;
	ZS_AUTO_FREE char *folder = NULL;
	const char *workspace = builder->policy->workspace;
	int r = zs_git_common_dir(workspace, &folder);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return zs_error_errno(builder->error, step, workspace, -r);
	r = zs_policy_add_grant(builder->policy, folder,
		builder->policy->workspace_access == ZS_WORKSPACE_WRITE ? ZS_ACCESS_WRITE : ZS_ACCESS_READ,
		ZS_ORIGIN_PRESET, true, builder->error);
	mark_repository(builder, count);
	return r;
}

/* A workspace in a repository: tools look for their root above it, and git for its directory. */
static int add_around(struct builder *builder)
{
	ZS_AUTO_FREE char *top = NULL;
	ZS_AUTO_FREE char *git_dir = NULL;
	const char *workspace = builder->policy->workspace;
	size_t count = builder->policy->grant_count;
	struct stat around, inside;
	int r = zs_git_around(workspace, &top, &git_dir);

	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return zs_error_errno(builder->error, step, workspace, -r);
	/* Root's git obeys the repository of another user only if root works in that user's folder. */
	if (stat(git_dir, &around) < 0 || stat(workspace, &inside) < 0 ||
		(around.st_uid != geteuid() && around.st_uid != inside.st_uid))
		return 0;
	/* as a variable's folder it must not hold or touch credentials */
	r = zs_policy_add_normal(builder->policy, top, ZS_ACCESS_READ, ZS_ORIGIN_VARIABLE, builder->error);
	if (r == 0 && builder->policy->workspace_access == ZS_WORKSPACE_WRITE && zs_path_lies_in(git_dir, top))
		r = zs_policy_add_normal(builder->policy, git_dir, ZS_ACCESS_WRITE, ZS_ORIGIN_VARIABLE, builder->error);
	mark_repository(builder, count);
	/* git looks no further where another file system begins, and the overlay is one */
	if (r == 0 && builder->policy->workspace_access == ZS_WORKSPACE_OVERLAY)
		r = zs_policy_set_env(builder->policy, "GIT_DISCOVERY_ACROSS_FILESYSTEM=1", builder->error);
	return r;
}

static const struct wider {
	const char *variable;
	enum zs_access access;
} wider[] = {
	{ "ZS_SANDBOX_RO", ZS_ACCESS_READ },
	{ "ZS_SANDBOX_RW", ZS_ACCESS_WRITE },
};

/* The caller asked for these entries: a bad one is an error, and zs_sandbox_new() refuses one that breaks a promise. */
static int add_wider(struct builder *builder, const char *entry, const void *arg)
{
	const struct wider *row = arg;
	int r = zs_policy_add_path(builder->policy, entry, row->access, builder->error);

	return r < 0 ? zs_error_hint(builder->error, r, "it is in the environment variable %s", row->variable) : 0;
}

static int add_variables(struct builder *builder)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(wider); i++) {
		const char *value = zs_env_value(builder->envp, wider[i].variable);

		r = value ? for_each_entry(builder, value, add_wider, &wider[i]) : 0;
	}
	return r < 0 ? r : zs_policy_lend_env(builder->policy, zs_preset_env, builder->error);
}

int zs_policy_find_account_home(struct zs_policy *policy)
{
	char first[1024]; /* usually enough */
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
		/* An account whose home is "/" has no home (man 5 passwd); with "/" as home nothing could be
		 * granted. */
		if (r == 0 && found && found->pw_dir[0] == '/' && found->pw_dir[1]) {
			policy->account_home = strdup(found->pw_dir);
			if (!policy->account_home)
				return -ENOMEM;
		}
		size *= 4;
	}
	return 0;
}

/* From here on the policy must keep the promises of a preset. */
static int begin_promises(struct builder *builder)
{
	struct zs_policy *policy = builder->policy;
	int r = zs_policy_find_account_home(policy);

	if (r < 0)
		return zs_error_errno(builder->error, step, NULL, -r);
	policy->preset = true;
	zs_judge_begin(&builder->judge, policy);
	return policy->workspace ? zs_judge_workspace(&builder->judge, policy->workspace, builder->error) : 0;
}

static int build(struct builder *builder, int (*const parts[])(struct builder *), size_t count)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++)
		r = parts[i](builder);
	zs_judge_end(&builder->judge);
	return r;
}

int zs_policy_use_lists(
	struct zs_policy *policy, char *const envp[], const struct zs_path_lists *lists, struct zs_error *error)
{
	static int (*const parts[])(struct builder *) = { begin_promises, add_lists };
	struct builder builder = { .policy = policy, .envp = envp, .lists = lists, .error = error };

	return build(&builder, parts, ZS_COUNT(parts));
}

int zs_policy_preset(const char *workspace, enum zs_workspace access, char *const envp[],
	const struct zs_path_lists *lists, struct zs_policy **ret_policy, struct zs_error *error)
{
	static int (*const parts[])(
		struct builder *) = { begin_promises, add_lists, add_worktree, add_around, add_variables };
	static const struct zs_path_lists defaults = { 0 };
	struct builder builder = { .envp = envp, .lists = lists ? lists : &defaults, .error = error };
	int r = zs_policy_new(envp, &builder.policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	builder.policy->without = zs_preset_without;
	builder.policy->caches = ZS_CACHES_TASKS;
	r = zs_policy_set_workspace(builder.policy, workspace, access, error);
	if (r == 0)
		r = build(&builder, parts, ZS_COUNT(parts));
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
