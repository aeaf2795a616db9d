/* The layers that earlier runs of a workspace have made for its caches. Later runs see them as well. A task may have
 * fetched what a build needs afterwards, and have fetched what would write to the cache that other projects use. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/session_place.h"
#include "base/cleanup.h"
#include "base/sha256.h"
#include "policy/policy.h"
#include "zs_settings.h"

/* The name of the folder for a path; false: the path does not exist. */
static bool name_of(const char *path, char ret_name[ZS_SHA256_HEX + 1])
{
	char real[PATH_MAX];

	if (!realpath(path, real))
		return false;
	zs_sha256(real, strlen(real), ret_name);
	return true;
}

void zs_settings_keep_layers(struct zs_policy *policy, char *const envp[])
{
	char name[ZS_SHA256_HEX + 1];
	ZS_AUTO_FD int all = -1;
	ZS_AUTO_FD int own = -1;
	struct stat st;

	if (policy->caches != ZS_CACHES_TASKS || !policy->workspace ||
		zs_state_folder_open(policy, envp, ZS_CACHE_LAYERS, false, &all) < 0 ||
		!name_of(policy->workspace, name))
		return;
	own = openat(all, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	for (size_t i = 0; own >= 0 && i < policy->grant_count; i++) {
		struct zs_grant *grant = &policy->grants[i];

		grant->kept =
			grant->adds && name_of(grant->path, name) && fstatat(own, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
	}
}
