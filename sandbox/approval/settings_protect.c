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

/* Where a command of a policy can write: most of a preset's trees are not there, and it takes a look at each to know.
 */
struct written {
	struct zs_identity *trees;
	size_t count;
};

static int find_written(const struct zs_policy *policy, struct written *ret_written)
{
	struct written written = { calloc(policy->grant_count + 1, sizeof *written.trees), 0 };

	if (!written.trees)
		return -ENOMEM;
	if (policy->workspace && policy->workspace_access != ZS_WORKSPACE_READ)
		written.trees[written.count++] = zs_identity_of(policy->workspace);
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (grant->access == ZS_ACCESS_WRITE && !(grant->scratch && policy->tmp == ZS_TMP_PRIVATE))
			written.trees[written.count++] = zs_identity_of(grant->path);
	}
	*ret_written = written;
	return 0;
}

/* A user may keep his settings in a repository, which is a workspace at times: so it is asked where a path really is.
 */
static bool can_write(const struct written *written, const char *path)
{
	struct zs_ancestry above = zs_ancestry_of(path);
	bool can = false;

	for (size_t i = 0; i < written->count && !can; i++)
		can = zs_ancestry_holds(&above, &written->trees[i], true);
	zs_ancestry_free(&above);
	return can;
}

bool zs_policy_can_write(const struct zs_policy *policy, const char *path)
{
	struct written written;
	bool can;

	if (find_written(policy, &written) < 0)
		return true;
	can = can_write(&written, path);
	free(written.trees);
	return can;
}

/* By the policy and by the folder's permissions, which its owner can change: who grants "/" does not give away /home of
 * a machine where that is root's link. */
static bool can_replace_in(const struct written *written, const char *folder)
{
	struct stat st;

	if (stat(folder, &st) == 0 && st.st_uid != geteuid() && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) < 0 &&
		(errno == EACCES || errno == EROFS))
		return false;
	return can_write(written, folder);
}

/* What a link leads to can be protected, but not the link: a command that can write its folder puts a folder of its own
 * there, and what that says counts from then on. */
static int check_way(const struct written *written, const char *stage, const char *path, struct zs_error *error)
{
	struct zs_place place;
	int r = zs_path_way(path, &place);

	if (r == -EACCES) /* nor can the command get there */
		return 0;
	if (r == -ELOOP)
		return zs_error_say(error, stage, path, ELOOP, "is reached by a link that leads nowhere; remove it");
	if (r < 0)
		return zs_error_errno(error, stage, path, -r);
	for (size_t i = 0; i < place.link_count && r == 0; i++) {
		if (!can_replace_in(written, place.links[i].folder))
			continue;
		zs_error_say(error, stage, path, EPERM, "is reached by the link %s, which the command could replace",
			place.links[i].path);
		r = zs_error_hint(error, -EPERM, "grant less around it, or make it no link");
	}
	zs_place_free(&place);
	return r;
}

int zs_policy_check_way(const struct zs_policy *policy, const char *stage, const char *path, struct zs_error *error)
{
	struct written written;
	int r = find_written(policy, &written);

	if (r < 0)
		return zs_error_errno(error, stage, NULL, -r);
	r = check_way(&written, stage, path, error);
	free(written.trees);
	return r;
}

static int settings_protect_protect(
	struct zs_policy *policy, const struct written *written, const char *folder, struct zs_error *error)
{
	ZS_AUTO_FREE char *file = zs_path_join(folder, "settings.json");
	int r;

	if (!file)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = check_way(written, step, file, error);
	if (r == 0 && can_write(written, folder))
		r = zs_policy_add_path(policy, folder, ZS_ACCESS_PROTECT, error);
	/* Of a link what it leads to. */
	if (r == 0 && (access(file, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)) && can_write(written, file))
		r = zs_policy_add_path(policy, file, ZS_ACCESS_PROTECT, error);
	return r;
}

int zs_settings_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	const struct zs_settings_place *places[] = { &zs_settings_places.config, &zs_settings_places.state };
	struct written written;
	int r = find_written(policy, &written);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(places); i++) {
		ZS_AUTO_FREE char *folder = NULL;

		r = zs_settings_folder(places[i], envp, &folder);
		if (r == 0)
			r = settings_protect_protect(policy, &written, folder, error);
		else
			r = r == -ENOENT ? 0 : zs_error_errno(error, step, NULL, -r);
	}
	free(written.trees);
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
