/* From paths as written to places of this machine. Symbolic links are followed here, once and for all: the shim opens
 * the result with RESOLVE_NO_SYMLINKS, so a path that is swapped for a link in between fails the run. */
#include "policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "error.h"
#include "path.h"

static const char step[] = "policy";

static int resolve_workspace(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	ZS_AUTO_FREE char *real = NULL;
	struct stat st;

	if (!policy->workspace)
		return 0;
	real = realpath(policy->workspace, NULL);
	if (!real || stat(real, &st) < 0)
		return zs_error_errno(error, "workspace", policy->workspace, errno);
	if (!S_ISDIR(st.st_mode))
		return zs_error_errno(error, "workspace", policy->workspace, ENOTDIR);
	return zs_policy_set_workspace(resolved, real, policy->workspace_access, error);
}

/* What is not there, or cannot be reached by this user, cannot be used by the command either. */
static bool is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES;
}

static int resolve_grants(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		ZS_AUTO_FREE char *real = realpath(grant->path, NULL);
		int r;

		if (!real && is_absent(errno))
			continue;
		if (!real)
			return zs_error_errno(error, step, grant->path, errno);
		if (grant->judged && strcmp(real, grant->path) != 0)
			return zs_error_say(error, step, grant->path, ELOOP, "has become a symbolic link");
		r = zs_policy_add_path(resolved, real, grant->access, error);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool lies_in(const char *path, const char *tree)
{
	size_t len = strlen(tree);

	return strncmp(path, tree, len) == 0 && (path[len] == '/' || path[len] == '\0' || len == 1);
}

/* READ, EXEC and WRITE each include the one before, and a grant is of a whole tree; so most of what a merged /usr and
 * a long PATH add is there already, and each rule costs the shim 4 µs. */
static bool is_redundant(const struct zs_policy *policy, size_t index)
{
	const struct zs_grant *grant = &policy->grants[index];

	for (size_t i = 0; grant->access >= ZS_ACCESS_READ && i < policy->grant_count; i++)
		if (i != index && policy->grants[i].access >= grant->access &&
			strcmp(policy->grants[i].path, grant->path) != 0 &&
			lies_in(grant->path, policy->grants[i].path))
			return true;
	return false;
}

static void prune(struct zs_policy *policy)
{
	size_t kept = 0;

	for (size_t i = 0; i < policy->grant_count; i++) {
		if (is_redundant(policy, i))
			continue;
		/* Swapped, not dropped: what is redundant is so because of another that is kept. */
		struct zs_grant grant = policy->grants[i];

		policy->grants[i] = policy->grants[kept];
		policy->grants[kept++] = grant;
	}
	while (policy->grant_count > kept)
		free(policy->grants[--policy->grant_count].path);
}

static int copy_strings(const struct zs_strings *from, struct zs_policy *to,
	int (*add)(struct zs_policy *, const char *, struct zs_error *), struct zs_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->count; i++)
		r = add(to, from->items[i], error);
	return r;
}

static int copy_rest(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	int r = copy_strings(&policy->hosts, resolved, zs_policy_add_host, error);

	if (r == 0)
		r = zs_policy_set_network(resolved, policy->network, error);
	if (r == 0)
		r = copy_strings(&policy->env_pass, resolved, zs_policy_add_env, error);
	if (r == 0)
		r = copy_strings(&policy->env_set, resolved, zs_policy_set_env, error);
	return r;
}

/* "The workspace is read-only" is a promise, and grants are a union: one that covers the workspace breaks it. A write
 * grant inside the workspace is a wish that somebody spelled out, for a build folder say, and stands. */
static int check_promise(const struct zs_policy *resolved, struct zs_error *error)
{
	if (!resolved->workspace || resolved->workspace_access != ZS_WORKSPACE_READ)
		return 0;
	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->access != ZS_ACCESS_WRITE || !zs_tree_covers(grant->path, resolved->workspace))
			continue;
		zs_error_say(error, "workspace", resolved->workspace, EEXIST,
			"is read-only, but the grant of write access to %s covers it", grant->path);
		return zs_error_hint(error, -EEXIST, "leave that grant out, or grant a folder beside the workspace");
	}
	return 0;
}

int zs_policy_resolve(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_policy *resolved;
	int r = zs_policy_new(NULL, &resolved);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	r = resolve_workspace(policy, resolved, error);
	if (r == 0)
		r = resolve_grants(policy, resolved, error);
	if (r == 0)
		r = copy_rest(policy, resolved, error);
	if (r == 0)
		r = check_promise(resolved, error);
	if (r == 0)
		prune(resolved);
	if (r < 0) {
		zs_policy_free(resolved);
		return r;
	}
	*ret_resolved = resolved;
	return 0;
}
