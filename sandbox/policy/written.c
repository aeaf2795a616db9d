/* Decides where a command of a policy can write. */
#include "policy/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"

int zs_written_find(const struct zs_policy *policy, struct zs_written *ret_written)
{
	struct zs_written written = { calloc(policy->grant_count + 1, sizeof *written.trees), 0 };

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

void zs_written_free(struct zs_written *written)
{
	free(written->trees);
}

/* Some users keep settings in a repository, which may be a workspace. So this looks at the real place of the path. */
bool zs_written_holds(const struct zs_written *written, const char *path)
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
	struct zs_written written;
	bool can;

	if (zs_written_find(policy, &written) < 0)
		return true;
	can = zs_written_holds(&written, path);
	zs_written_free(&written);
	return can;
}

/* The policy and the folder's permissions decide; the owner of the folder can change its permissions. A grant of "/"
 * does not let the command replace /home if root owns that link. */
static bool can_replace_in(const struct zs_written *written, const char *folder)
{
	struct stat st;

	if (stat(folder, &st) == 0 && st.st_uid != geteuid() && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) < 0 &&
		(errno == EACCES || errno == EROFS))
		return false;
	return zs_written_holds(written, folder);
}

/* A link's target can be protected, but the link itself cannot: a command that can write the link's folder can replace
 * the link with a folder of its own. */
int zs_written_check_way(const struct zs_written *written, const char *stage, const char *path, struct zs_error *error)
{
	struct zs_place place;
	int r = zs_path_way(path, &place);

	if (r == -EACCES) /* the command cannot get there either */
		return 0;
	if (r == -ELOOP)
		return zs_error_say(error, stage, path, ELOOP, "is reached by a broken symbolic link; remove the link");
	if (r < 0)
		return zs_error_errno(error, stage, path, -r);
	for (size_t i = 0; i < place.link_count && r == 0; i++) {
		if (!can_replace_in(written, place.links[i].folder))
			continue;
		zs_error_say(error, stage, path, EPERM, "is reached by the link %s, which the command could replace",
			place.links[i].path);
		r = zs_error_hint(error, -EPERM, "grant less around the link, or replace it by the file");
	}
	zs_place_free(&place);
	return r;
}

int zs_policy_check_way(const struct zs_policy *policy, const char *stage, const char *path, struct zs_error *error)
{
	struct zs_written written;
	int r = zs_written_find(policy, &written);

	if (r < 0)
		return zs_error_errno(error, stage, NULL, -r);
	r = zs_written_check_way(&written, stage, path, error);
	zs_written_free(&written);
	return r;
}
