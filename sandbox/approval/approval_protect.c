/* A command must not write its own approvals. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/approval.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/preset.h"
#include "policy/policy.h"
#include "approval/session_place.h"

/* The folder for temporary files that it lies in and that is private: then the machine's own is not there, whatever
 * grants it. NULL: none. */
static const char *private_around(const struct zs_policy *policy, const char *folder)
{
	for (const struct zs_preset_tree *row = zs_preset_trees; policy->tmp == ZS_TMP_PRIVATE && row->path; row++)
		if (row->scratch && zs_path_lies_in(folder, row->path))
			return row->path;
	return NULL;
}

static bool approval_protect_lies_below(const char *path, const char *tree)
{
	return zs_path_lies_in(path, tree) && strcmp(path, tree) != 0;
}

static bool can_write(const struct zs_policy *policy, const char *folder)
{
	const char *private = private_around(policy, folder);

	if (!private)
		return zs_policy_can_write(policy, folder);
	if (policy->workspace && approval_protect_lies_below(policy->workspace, private) &&
		zs_tree_covers(policy->workspace, folder))
		return true;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == ZS_ACCESS_WRITE &&
			approval_protect_lies_below(policy->grants[i].path, private) &&
			zs_tree_covers(policy->grants[i].path, folder))
			return true;
	return false;
}

/* Made first: what is not there could only be watched, and somebody else's session may begin meanwhile. */
static int approval_protect_protect(struct zs_policy *policy, const char *folder, struct zs_error *error)
{
	ZS_AUTO_FD int fd = -1;
	int r = zs_path_is_real(folder) ? 0 : zs_policy_check_way(policy, "session", folder, error);

	if (r == -EPERM)
		return zs_error_hint(error, r, "let TMPDIR or XDG_RUNTIME_DIR name what that leads to");
	if (r < 0 || !can_write(policy, folder))
		return r;
	r = zs_session_folder_open(folder, true, &fd, error);
	return r < 0 ? r : zs_policy_add_path(policy, folder, ZS_ACCESS_PROTECT, error);
}

/* An XDG_RUNTIME_DIR that is not there holds no session, until a command makes one. */
static int protect_missing(struct zs_policy *policy, const char *runtime, struct zs_error *error)
{
	struct stat st;
	int r;

	if (!runtime || runtime[0] != '/' || stat(runtime, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return 0;
	r = zs_policy_check_way(policy, "session", runtime, error);
	return r == 0 && can_write(policy, runtime) ? zs_policy_add_path(policy, runtime, ZS_ACCESS_PROTECT, error) : r;
}

int zs_approvals_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	char *folders[ZS_SESSION_FOLDERS];
	int r = zs_session_folders(envp, folders);

	if (r < 0)
		return zs_error_errno(error, "session", NULL, -r);
	for (size_t i = 0; i < ZS_SESSION_FOLDERS; i++) {
		if (r == 0 && folders[i])
			r = approval_protect_protect(policy, folders[i], error);
		free(folders[i]);
	}
	return r < 0 ? r : protect_missing(policy, zs_env_value(envp, "XDG_RUNTIME_DIR"), error);
}
