/* An overlay's two layers, and the list of changes between them: the calls of zs_overlay.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/mount_calls.h"
#include "linux/overlay/overlay_files.h"
#include "linux/overlay/overlay_walk.h"
#include "policy/policy.h"
#include "policy/preset.h"

static void forget(struct zs_overlay *overlay)
{
	for (size_t i = 0; i < overlay->count; i++)
		free((char *)overlay->changes[i].path);
	overlay->count = overlay->entries = overlay->path_bytes = 0;
}

/* Is this workspace the overlay's lower layer? */
static int check_workspace(const struct zs_overlay *overlay, const char *workspace)
{
	struct stat below, named;

	if (!workspace || fstat(overlay->lower, &below) < 0 || stat(workspace, &named) < 0)
		return workspace ? -errno : -EINVAL;
	return below.st_dev == named.st_dev && below.st_ino == named.st_ino ? 0 : -ESTALE;
}

/* Resolves the policy with the protections that a command writing the real workspace would get. */
static int protect_as_written(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_policy *resolved;
	int r = zs_policy_resolve(policy, &resolved, error);

	if (r < 0)
		return r;
	resolved->workspace_access = ZS_WORKSPACE_WRITE;
	r = zs_git_protect(policy, resolved, error);
	if (r < 0)
		zs_policy_free(resolved);
	else
		*ret_resolved = resolved;
	return r;
}

int zs_overlay_protect(struct zs_overlay *overlay, const struct zs_policy *policy, struct zs_error *error)
{
	int r = overlay->walked ? -EALREADY : check_workspace(overlay, policy->workspace);

	if (r < 0)
		return zs_error_errno(error, zs_overlay_step, policy->workspace, -r);
	zs_policy_free(overlay->protected);
	overlay->protected = NULL;
	return protect_as_written(policy, &overlay->protected, error);
}

/* Protects what the default policy protects, for a caller who has not called zs_overlay_protect(). .git is left out,
 * since the option for git decides about it. */
static int protect_unasked(struct zs_overlay *overlay, struct zs_error *error)
{
	char path[PATH_MAX] = "";
	struct zs_policy *policy = NULL;
	int r = 0;

	strcpy(path, overlay->workspace); // NOLINT: both have PATH_MAX bytes
	if (!*path)
		r = zs_fd_path(overlay->lower, path);
	if (r == 0)
		r = zs_policy_new(NULL, &policy);
	if (r == 0)
		r = zs_policy_find_account_home(policy);
	if (r < 0)
		zs_error_errno(error, zs_overlay_step, path, -r);
	if (r == 0)
		r = zs_policy_set_workspace(policy, path, ZS_WORKSPACE_OVERLAY, error);
	if (r == 0)
		r = zs_policy_set_git(policy, ZS_GIT_ALLOW, error);
	if (r == 0)
		r = zs_overlay_protect(overlay, policy, error);
	zs_policy_free(policy);
	return r;
}

int zs_overlay_changes(
	struct zs_overlay *overlay, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error)
{
	if (!overlay->walked) {
		int r = overlay->protected ? 0 : protect_unasked(overlay, error);

		if (r == 0)
			r = zs_walk_all(overlay, error);
		if (r < 0) {
			forget(overlay);
			return r;
		}
		overlay->walked = true;
	}
	*ret_changes = overlay->changes;
	*ret_count = overlay->count;
	return 0;
}

void zs_overlay_begin(struct timespec *ret_since)
{
	const struct timespec tick = { .tv_nsec = 8100000 }; /* at least two clock ticks of most kernels */
	struct timespec start, now;

	/* Waits for a tick of the coarse clock that is later than every timestamp made until now. File systems stamp
	 * with the coarse clock, or with the fine one if the last stamp was read (multigrain timestamps, Linux 6.13),
	 * and ticks may come late. */
	clock_gettime(CLOCK_REALTIME, &start);
	do {
		nanosleep(&tick, NULL);
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	} while (now.tv_sec < start.tv_sec || (now.tv_sec == start.tv_sec && now.tv_nsec <= start.tv_nsec));
	*ret_since = now;
}

static int adopt(int fd, const char *what, int *ret_fd, struct stat *ret_st, struct zs_error *error)
{
	if (fstat(fd, ret_st) < 0)
		return zs_error_errno(error, zs_overlay_step, what, errno);
	if (!S_ISDIR(ret_st->st_mode))
		return zs_error_errno(error, zs_overlay_step, what, ENOTDIR);
	*ret_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return *ret_fd < 0 ? zs_error_errno(error, zs_overlay_step, what, errno) : 0;
}

int zs_overlay_open(int lower, int upper, struct zs_overlay **ret_overlay, struct zs_error *error)
{
	struct zs_overlay *overlay = calloc(1, sizeof *overlay);
	struct stat below = { 0 }, above = { 0 };
	int r;

	if (!overlay)
		return zs_error_errno(error, zs_overlay_step, "", ENOMEM);
	overlay->lower = overlay->upper = overlay->channel = -1;
	overlay->entries_max = ZS_OVERLAY_ENTRIES_MAX;
	r = adopt(lower, "workspace", &overlay->lower, &below, error);
	if (r == 0)
		r = adopt(upper, "upper layer", &overlay->upper, &above, error);
	if (r == 0 && below.st_dev == above.st_dev && below.st_ino == above.st_ino)
		r = zs_error_say(error, zs_overlay_step, "upper layer", EINVAL, "is the workspace itself");
	if (r < 0) {
		zs_overlay_free(overlay);
		return r;
	}
	*ret_overlay = overlay;
	return 0;
}

void zs_overlay_free(struct zs_overlay *overlay)
{
	const char *ignored;

	if (!overlay)
		return;
	if (overlay->upper >= 0)
		zs_modes_set(&overlay->relaxed, overlay->upper, &ignored);
	zs_modes_free(&overlay->relaxed);
	forget(overlay);
	free(overlay->changes);
	zs_policy_free(overlay->protected);
	if (overlay->lower >= 0)
		close(overlay->lower);
	if (overlay->upper >= 0)
		close(overlay->upper);
	free(overlay);
}

void zs_overlay_limit(struct zs_overlay *overlay, size_t entries)
{
	if (entries < overlay->entries_max)
		overlay->entries_max = entries;
}
