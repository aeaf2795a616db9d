#include "linux/files/cache_layers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/session_place.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/sha256.h"
#include "linux/base/mount_calls.h"
#include "linux/base/stage.h"
#include "linux/files/layer_clean.h"
#include "linux/files/overlay_mount.h"

static const char hint[] = "share the caches with all workspaces: --caches shared";

/* Opens the folder for a path, and makes it if it is missing. name: receives its name. */
static int open_for(int folder, const char *path, char name[ZS_SHA256_HEX + 1], bool *ret_made)
{
	ZS_AUTO_FD int fd = -1;
	struct stat st;

	zs_sha256(path, strlen(path), name);
	*ret_made = mkdirat(folder, name, 0700) == 0;
	if (!*ret_made && errno != EEXIST)
		return -errno;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid())
		return -EPERM;
	/* The umask may have removed rights. */
	if ((st.st_mode & 0777) != 0700 && fchmod(fd, 0700) < 0)
		return -errno;
	return ZS_STEAL_FD(fd);
}

/* Can the command write here, where no layer of its own is? */
static bool is_written(const struct zs_policy *policy, int folder)
{
	char path[PATH_MAX];

	return zs_fd_path(folder, path) < 0 || zs_policy_gives(policy, path, ZS_ACCESS_WRITE);
}

/* -EWOULDBLOCK: another run has the folder, or has just removed it. */
static int lock_folder(int folder)
{
	struct stat st;

	if (flock(folder, LOCK_EX | LOCK_NB) < 0 || fstat(folder, &st) < 0)
		return -errno;
	return st.st_nlink == 0 ? -EWOULDBLOCK : 0;
}

/* Opens and locks the workspace's folder. -EWOULDBLOCK: another run has it. */
static int open_lasting(struct zs_run *run, int *ret_folder)
{
	char name[ZS_SHA256_HEX + 1];
	bool made = false;
	ZS_AUTO_FD int all = -1;
	ZS_AUTO_FD int own = -1;
	int r = zs_state_folder_open(run->policy, run->envp, ZS_CACHE_LAYERS, false, &all);

	if (r == 0 && is_written(run->policy, all))
		r = -EPERM;
	if (r == 0)
		r = own = open_for(all, run->policy->workspace, name, &made);
	if (r >= 0)
		r = lock_folder(own);
	if (r < 0)
		return r;
	if (made) {
		zs_layers_note(all, name, run->policy->workspace);
		zs_layers_clean(all);
	}
	*ret_folder = run->caches->lock = ZS_STEAL_FD(own);
	return 0;
}

static int open_passing(const struct zs_run *run)
{
	uint64_t limit = zs_policy_tmp_bytes(run->policy);

	return zs_layers_scratch(limit < ZS_POLICY_TMP_BYTES ? limit : ZS_POLICY_TMP_BYTES);
}

/* *ret_passing: the folder is a tmpfs, which the caller closes. */
static int open_folder(struct zs_run *run, int *ret_folder, int *ret_passing, struct zs_error *error)
{
	int r = run->policy->workspace ? open_lasting(run, ret_folder) : -EWOULDBLOCK;

	if (r == -EWOULDBLOCK) {
		if (run->policy->workspace)
			zs_notice("zs: caches: another run of this workspace has its layers; what this one writes "
				  "there is thrown away");
		r = *ret_folder = *ret_passing = open_passing(run);
	}
	if (r >= 0)
		return 0;
	zs_error_errno(error, "", "$XDG_STATE_HOME/zs/" ZS_CACHE_LAYERS, -r);
	return zs_error_hint(error, r, "%s", hint);
}

static int mount_layer(const char *path, int folder)
{
	struct zs_layers layers = ZS_LAYERS_NONE;
	char name[ZS_SHA256_HEX + 1];
	ZS_AUTO_FD int own = -1;
	bool made;
	int r = layers.lower = zs_layers_lower(path);

	if (r < 0)
		return r == -ENOENT || r == -EACCES ? -ENXIO : r;
	own = open_for(folder, path, name, &made);
	r = zs_layers_make(own, &layers);
	if (r == 0)
		r = zs_layers_mount(&layers);
	zs_layers_close(&layers);
	return r;
}

static int mount_all(struct zs_run *run, int folder, struct zs_error *error)
{
	for (size_t i = 0; i < run->policy->grant_count; i++) {
		const struct zs_grant *grant = &run->policy->grants[i];
		int r;

		if (grant->access != ZS_ACCESS_LAYER)
			continue;
		r = mount_layer(grant->path, folder);
		if (r >= 0)
			run->caches->mounts[i] = r;
		else if (r != -ENXIO) /* the cache has been removed meanwhile */
			return zs_layers_refuse(error, grant->path, -r, hint);
	}
	return 0;
}

/* An earlier command of the workspace may have used up the disk: it must not get the shared cache by that. */
static bool is_shortage(int cause)
{
	return cause == ENOSPC || cause == EDQUOT || cause == ENOMEM || cause == EMFILE || cause == ENFILE;
}

static int make_room(struct zs_cache_layers *layers, size_t count)
{
	layers->mounts = malloc((count + 1) * sizeof *layers->mounts);
	if (!layers->mounts)
		return -ENOMEM;
	for (layers->count = 0; layers->count < count; layers->count++)
		layers->mounts[layers->count] = -1;
	return 0;
}

int zs_stage_caches(struct zs_run *run, struct zs_error *error)
{
	ZS_AUTO_FD int passing = -1;
	int folder, r;

	if (!zs_policy_has_layers(run->policy))
		return 0;
	if (make_room(run->caches, run->policy->grant_count) < 0)
		return zs_error_errno(error, "", "", ENOMEM);
	r = open_folder(run, &folder, &passing, error);
	if (r == 0)
		r = mount_all(run, folder, error);
	if (r == 0 || !zs_policy_prefers_layers(run->policy) || is_shortage(-r))
		return r;
	zs_cache_layers_end(run->caches);
	zs_policy_share_caches(run->policy);
	return 0;
}

int zs_cache_layer(const struct zs_cache_layers *layers, size_t grant)
{
	return grant < layers->count ? layers->mounts[grant] : -1;
}

void zs_cache_layers_end(struct zs_cache_layers *layers)
{
	while (layers->count > 0)
		if (layers->mounts[--layers->count] >= 0)
			close(layers->mounts[layers->count]);
	free(layers->mounts);
	layers->mounts = NULL;
}
