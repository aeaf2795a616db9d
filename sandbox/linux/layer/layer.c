/* A layer: two directories, and the list of what differs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/git_protect.h"
#include "linux/layer/layer_files.h"
#include "linux/layer/layer_walk.h"
#include "policy/preset.h"

static void forget(struct zs_layer *layer)
{
	for (size_t i = 0; i < layer->count; i++)
		free((char *)layer->changes[i].path);
	layer->count = layer->entries = layer->path_bytes = 0;
}

/* Is it the workspace that the layer is above? */
static int check_workspace(const struct zs_layer *layer, const char *workspace)
{
	struct stat below, named;

	if (!workspace || fstat(layer->lower, &below) < 0 || stat(workspace, &named) < 0)
		return workspace ? -errno : -EINVAL;
	return below.st_dev == named.st_dev && below.st_ino == named.st_ino ? 0 : -ESTALE;
}

int zs_layer_protect(struct zs_layer *layer, const struct zs_policy *policy, struct zs_error *error)
{
	int r = layer->walked ? -EALREADY : check_workspace(layer, policy->workspace);

	if (r < 0)
		return zs_error_errno(error, zs_walk_step, policy->workspace, -r);
	zs_policy_free(layer->protected);
	layer->protected = NULL;
	return zs_git_protected(policy, &layer->protected, error);
}

/* A caller who says nothing. The option for git decides about .git itself. */
static int protect_unasked(struct zs_layer *layer, struct zs_error *error)
{
	char link[32], path[PATH_MAX];
	struct zs_policy *policy = NULL;
	ssize_t len;
	int r;

	snprintf(link, sizeof link, "/proc/self/fd/%d", layer->lower);
	len = readlink(link, path, sizeof path - 1);
	if (len < 0)
		return zs_error_errno(error, zs_walk_step, link, errno);
	path[len] = '\0';
	r = zs_policy_new(NULL, &policy);
	if (r == 0)
		r = zs_policy_find_account_home(policy);
	if (r < 0)
		zs_error_errno(error, zs_walk_step, path, -r);
	if (r == 0)
		r = zs_policy_set_workspace(policy, path, ZS_WORKSPACE_OVERLAY, error);
	if (r == 0)
		r = zs_policy_set_git(policy, ZS_GIT_ALLOW, error);
	if (r == 0)
		r = zs_layer_protect(layer, policy, error);
	zs_policy_free(policy);
	return r;
}

int zs_layer_changes(
	struct zs_layer *layer, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error)
{
	if (!layer->walked) {
		int r = layer->protected ? 0 : protect_unasked(layer, error);

		if (r == 0)
			r = zs_walk_all(layer, error);
		if (r < 0) {
			forget(layer);
			return r;
		}
		layer->walked = true;
	}
	*ret_changes = layer->changes;
	*ret_count = layer->count;
	return 0;
}

void zs_layer_begin(struct timespec *ret_since)
{
	const struct timespec tick = { .tv_nsec = 8100000 }; /* two, or more, of most kernels */
	struct timespec start, now;

	/* File systems stamp with the coarse clock, or with the fine one where somebody has looked (multigrain
	 * timestamps, Linux 6.13); ticks may come late. So: a tick that is behind every stamp until now. */
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
		return zs_error_errno(error, zs_walk_step, what, errno);
	if (!S_ISDIR(ret_st->st_mode))
		return zs_error_errno(error, zs_walk_step, what, ENOTDIR);
	*ret_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return *ret_fd < 0 ? zs_error_errno(error, zs_walk_step, what, errno) : 0;
}

int zs_layer_open(int lower, int upper, struct zs_layer **ret_layer, struct zs_error *error)
{
	struct zs_layer *layer = calloc(1, sizeof *layer);
	struct stat below = { 0 }, above = { 0 };
	int r;

	if (!layer)
		return zs_error_errno(error, zs_walk_step, "", ENOMEM);
	layer->lower = layer->upper = layer->channel = -1;
	layer->entries_max = ZS_LAYER_ENTRIES_MAX;
	r = adopt(lower, "workspace", &layer->lower, &below, error);
	if (r == 0)
		r = adopt(upper, "upper layer", &layer->upper, &above, error);
	if (r == 0 && below.st_dev == above.st_dev && below.st_ino == above.st_ino)
		r = zs_error_say(error, zs_walk_step, "upper layer", EINVAL, "is the workspace itself");
	if (r < 0) {
		zs_layer_free(layer);
		return r;
	}
	*ret_layer = layer;
	return 0;
}

void zs_layer_free(struct zs_layer *layer)
{
	const char *ignored;

	if (!layer)
		return;
	if (layer->upper >= 0)
		zs_modes_set(&layer->relaxed, layer->upper, &ignored);
	zs_modes_free(&layer->relaxed);
	forget(layer);
	free(layer->changes);
	zs_policy_free(layer->protected);
	if (layer->lower >= 0)
		close(layer->lower);
	if (layer->upper >= 0)
		close(layer->upper);
	free(layer);
}

void zs_layer_limit(struct zs_layer *layer, size_t entries)
{
	if (entries < layer->entries_max)
		layer->entries_max = entries;
}

static int read_all(int fd, size_t max, char **ret_bytes, size_t *ret_len)
{
	ZS_AUTO_FREE char *bytes = NULL;
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size < 0 || (uint64_t)st.st_size > max)
		return -EFBIG;
	bytes = malloc((size_t)st.st_size + 1);
	if (!bytes)
		return -ENOMEM;
	len = zs_layer_read(fd, bytes, (size_t)st.st_size);
	if (len < 0)
		return (int)len;
	bytes[len] = '\0';
	*ret_bytes = ZS_STEAL(bytes);
	*ret_len = (size_t)len;
	return 0;
}

int zs_layer_content(struct zs_layer *layer, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error)
{
	mode_t mode = side == ZS_SIDE_OLD ? change->old_mode : change->new_mode;
	int base = side == ZS_SIDE_OLD ? layer->lower : layer->upper, r = -EINVAL;

	if (S_ISLNK(mode)) {
		r = zs_layer_readlink(base, change->path, ret_bytes);
		if (r == 0)
			*ret_len = strlen(*ret_bytes);
	} else if (S_ISREG(mode)) {
		ZS_AUTO_FD int fd =
			(side == ZS_SIDE_OLD ? zs_layer_open_lower : zs_layer_open_upper)(layer, change->path, S_IFREG);

		r = fd < 0 ? fd : read_all(fd, max, ret_bytes, ret_len);
	}
	return r < 0 ? zs_error_errno(error, zs_walk_step, change->path, -r) : 0;
}
