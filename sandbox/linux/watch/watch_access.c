/* Two parts of the watch: the access that a policy grants around a path, and its messages. */
#include "linux/watch/watched_name.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"

/* Does the path lie below the grant's path? The grant's last byte is compared first: most paths begin alike, and this
 * is called for each pair of up to a thousand names and a thousand grants. */
static bool lies_below(const char *path, size_t len, const struct zs_grant *grant)
{
	if (grant->len >= len ||
		(grant->len > 1 && (path[grant->len] != '/' || path[grant->len - 1] != grant->path[grant->len - 1])))
		return false;
	return memcmp(path, grant->path, grant->len) == 0;
}

enum zs_access zs_watch_access(const struct zs_policy *policy, const char *path)
{
	enum zs_access access = ZS_ACCESS_HIDE;
	size_t nearest = 0, len = strlen(path);

	if (policy->workspace && zs_path_lies_in(path, policy->workspace)) {
		access = zs_policy_workspace_grant(policy);
		nearest = strlen(policy->workspace);
	}
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (grant->len < nearest || !lies_below(path, len, grant))
			continue;
		access = grant->len > nearest || grant->access < access ? grant->access : access;
		nearest = grant->len;
	}
	return access == ZS_ACCESS_LAYER ? ZS_ACCESS_WRITE : access;
}

/* The folder above that tree is part of the run's own root, so no program outside can move the tree there. */
size_t zs_watch_tree_around(const struct zs_policy *policy, const char *path, enum zs_access least)
{
	size_t outermost = strlen(path);

	if (policy->workspace && zs_policy_workspace_grant(policy) >= least && zs_path_lies_in(path, policy->workspace))
		outermost = strlen(policy->workspace);
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (grant->access >= least && grant->len < outermost && zs_path_lies_in(path, grant->path))
			outermost = grant->len;
	}
	return outermost;
}

size_t zs_watch_tree(const struct zs_policy *policy, const char *path)
{
	return zs_watch_tree_around(policy, path, ZS_ACCESS_LAYER);
}

void zs_watch_say(const struct zs_error *error)
{
	struct pollfd err = { STDERR_FILENO, POLLOUT, 0 };

	/* A command may have filled the pipe; the watch must not block on it. */
	if (poll(&err, 1, 0) > 0)
		zs_error_write(STDERR_FILENO, error);
}
