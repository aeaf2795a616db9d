/* The files that say what a command may do are not the command's to write. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/policy.h"
#include "approval/session_place.h"
#include "settings/settings_places.h"
#include "zs_settings.h"

static const char step[] = "settings";

static int protect_settings_folder(
	struct zs_policy *policy, const struct zs_written *written, const char *folder, struct zs_error *error)
{
	ZS_AUTO_FREE char *file = zs_path_join(folder, "settings.json");
	int r;

	if (!file)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = zs_written_check_way(written, step, file, error);
	if (r == 0 && zs_written_holds(written, folder))
		r = zs_policy_add_path(policy, folder, ZS_ACCESS_PROTECT, error);
	/* Protects the target of a link. */
	if (r == 0 && (access(file, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)) &&
		zs_written_holds(written, file))
		r = zs_policy_add_path(policy, file, ZS_ACCESS_PROTECT, error);
	return r;
}

int zs_settings_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	const struct zs_settings_place *places[] = { &zs_settings_places.config, &zs_settings_places.state };
	struct zs_written written;
	int r = zs_written_find(policy, &written);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(places); i++) {
		ZS_AUTO_FREE char *folder = NULL;

		r = zs_settings_folder(places[i], envp, &folder);
		if (r == 0)
			r = protect_settings_folder(policy, &written, folder, error);
		else
			r = r == -ENOENT ? 0 : zs_error_errno(error, step, NULL, -r);
	}
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

static bool make_journal_beside_trust(const struct zs_policy *policy, char *const envp[])
{
	ZS_AUTO_FREE char *above = NULL;
	ZS_AUTO_FREE char *folder = NULL;

	if (zs_settings_folder(&zs_settings_places.state, envp, &above) < 0)
		return false;
	if (policy->workspace && zs_settings_are_planted(&zs_settings_places.state, envp, policy->workspace))
		return false;
	folder = zs_path_join(above, "journal");
	return folder && zs_make_private_folders(folder) == 0 && access(folder, W_OK) == 0;
}

void zs_settings_make_journal(const struct zs_policy *policy, char *const envp[])
{
	char *folders[ZS_SESSION_FOLDERS];
	bool made = make_journal_beside_trust(policy, envp);

	if (made || zs_session_folders(envp, folders) < 0)
		return;
	for (size_t i = 0; i < ZS_SESSION_FOLDERS; i++) {
		made = made || make_journal_in(policy, folders[i]);
		free(folders[i]);
	}
}
