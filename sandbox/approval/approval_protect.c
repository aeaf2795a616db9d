/* Keeps a command from writing the files that say what it may do: approvals and settings. */
#include <errno.h>
#include <fcntl.h>
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
#include "settings/settings_places.h"
#include "zs_settings.h"

/* Finds the private folder for temporary files in which `folder` lies: in the run the machine's own
 * folder does not exist then, whatever grants it. NULL: none. */
static const char *private_around(const struct zs_policy *policy, const char *folder)
{
	for (const struct zs_preset_tree *row = zs_preset_trees; policy->tmp == ZS_TMP_PRIVATE && row->path; row++)
		if (row->scratch && zs_path_lies_in(folder, row->path))
			return row->path;
	return NULL;
}

static bool lies_below(const char *path, const char *tree)
{
	return zs_path_lies_in(path, tree) && strcmp(path, tree) != 0;
}

static bool can_write(const struct zs_policy *policy, const char *folder)
{
	const char *private = private_around(policy, folder);

	if (!private)
		return zs_policy_can_write(policy, folder);
	if (policy->workspace && lies_below(policy->workspace, private) && zs_tree_covers(policy->workspace, folder))
		return true;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == ZS_ACCESS_WRITE && lies_below(policy->grants[i].path, private) &&
			zs_tree_covers(policy->grants[i].path, folder))
			return true;
	return false;
}

/* Makes the folder first: a missing one could only be watched, and another session may begin meanwhile. */
static int protect_session(struct zs_policy *policy, const char *folder, struct zs_error *error)
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

/* A missing XDG_RUNTIME_DIR holds no session until a command makes the folder. */
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
			r = protect_session(policy, folders[i], error);
		free(folders[i]);
	}
	return r < 0 ? r : protect_missing(policy, zs_env_value(envp, "XDG_RUNTIME_DIR"), error);
}

/* Settings, and the journals of runs */

static int protect_settings_folder(
	struct zs_policy *policy, const struct zs_written *written, const char *folder, struct zs_error *error)
{
	ZS_AUTO_FREE char *file = zs_path_join(folder, "settings.json");
	int r;

	if (!file)
		return zs_error_errno(error, "settings", NULL, ENOMEM);
	r = zs_written_check_way(written, "settings", file, error);
	if (r == 0 && zs_written_holds(written, folder))
		r = zs_policy_add_path(policy, folder, ZS_ACCESS_PROTECT, error);
	/* Protects the target of a link. */
	if (r == 0 && (access(file, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)) &&
		zs_written_holds(written, file))
		r = zs_policy_add_path(policy, file, ZS_ACCESS_PROTECT, error);
	return r;
}

/* Only root can make a link on the way. A grant of the file itself would lift the protection of its folder. */
static int protect_managed(struct zs_policy *policy, const struct zs_written *written, struct zs_error *error)
{
	const char *folder = zs_settings_places.managed;
	ZS_AUTO_FREE char *file = zs_path_join(folder, "settings.json");
	int r;

	if (!file)
		return zs_error_errno(error, "settings", NULL, ENOMEM);
	if (!zs_written_holds(written, file))
		return 0;
	r = zs_policy_add_path(policy, folder, ZS_ACCESS_PROTECT, error);
	zs_policy_make_firm(policy, folder, ZS_ACCESS_PROTECT);
	return r;
}

int zs_settings_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	const struct zs_settings_place *places[] = { &zs_settings_places.config, &zs_settings_places.state };
	struct zs_written written;
	int r = zs_written_find(policy, &written);

	if (r < 0)
		return zs_error_errno(error, "settings", NULL, -r);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(places); i++) {
		ZS_AUTO_FREE char *folder = NULL;

		r = zs_settings_folder(places[i], envp, &folder);
		if (r == 0)
			r = protect_settings_folder(policy, &written, folder, error);
		else
			r = r == -ENOENT ? 0 : zs_error_errno(error, "settings", NULL, -r);
	}
	if (r == 0)
		r = protect_managed(policy, &written, error);
	zs_written_free(&written);
	return r;
}

static bool make_journal_in(const struct zs_policy *policy, const char *folder)
{
	struct zs_error error;
	int fd;

	if (!folder || (policy->workspace && zs_way_touches(folder, policy->workspace)) ||
		zs_session_folder_open(folder, true, &fd, &error) < 0)
		return false;
	close(fd);
	return true;
}

int zs_state_folder_open(const struct zs_policy *policy, char *const envp[], const char *name, bool make, int *ret_fd)
{
	const struct zs_settings_place *state = &zs_settings_places.state;
	ZS_AUTO_FREE char *above = NULL;
	ZS_AUTO_FREE char *path = NULL;
	ZS_AUTO_FD int fd = -1;
	struct zs_error error;
	int r = zs_settings_folder(state, envp, &above);

	if (r < 0)
		return r;
	if (policy->workspace && zs_settings_are_planted(state, envp, policy->workspace))
		return -EPERM;
	path = zs_path_join(above, name);
	if (!path)
		return -ENOMEM;
	r = make ? zs_make_private_folders(path) : 0;
	if (r == 0)
		r = zs_session_folder_open(path, false, &fd, &error);
	if (r == 0 && faccessat(fd, ".", W_OK, AT_EACCESS) < 0)
		r = -errno;
	if (r == 0)
		*ret_fd = ZS_STEAL_FD(fd);
	return r;
}

static bool make_beside_trust(const struct zs_policy *policy, char *const envp[], const char *name)
{
	ZS_AUTO_FD int fd = -1;

	return zs_state_folder_open(policy, envp, name, true, &fd) == 0;
}

void zs_settings_make_journal(const struct zs_policy *policy, char *const envp[])
{
	char *folders[ZS_SESSION_FOLDERS];
	bool made = make_beside_trust(policy, envp, "journal");

	if (zs_policy_has_layers(policy))
		make_beside_trust(policy, envp, ZS_CACHE_LAYERS);
	if (made || zs_session_folders(envp, folders) < 0)
		return;
	for (size_t i = 0; i < ZS_SESSION_FOLDERS; i++) {
		made = made || make_journal_in(policy, folders[i]);
		free(folders[i]);
	}
}
