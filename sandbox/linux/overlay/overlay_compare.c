/* Compares a file of the lower layer with the file of the same path in the upper layer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/overlay/overlay_walk.h"

/* 1: the files differ. A lower file that may not be read counts as different. */
static int files_differ(struct zs_walk *walk, const char *path)
{
	enum { SIZE = 1 << 16 };
	ZS_AUTO_FD int old = zs_overlay_open_lower(walk->overlay, path, S_IFREG);
	ZS_AUTO_FD int new = zs_overlay_open_upper(walk->overlay, path, S_IFREG);
	ZS_AUTO_FREE char *buffer = malloc(2 * SIZE);

	if (old == -EACCES)
		return 1;
	if (old < 0 || new < 0)
		return zs_walk_fail(walk, path, old < 0 ? old : new);
	if (!buffer)
		return zs_walk_fail(walk, path, -ENOMEM);
	for (;;) {
		ssize_t a = zs_overlay_read(old, buffer, SIZE), b = zs_overlay_read(new, buffer + SIZE, SIZE);

		if (a < 0 || b < 0)
			return zs_walk_fail(walk, path, (int)(a < 0 ? a : b));
		if (zs_overlay_stopped(walk->overlay))
			return zs_walk_fail(walk, path, -ECANCELED);
		if (a != b || memcmp(buffer, buffer + SIZE, (size_t)a) != 0)
			return 1;
		if (a < SIZE)
			return 0;
	}
}

static int links_differ(struct zs_walk *walk, const char *path)
{
	ZS_AUTO_FREE char *old = NULL, *new = NULL;
	int r = zs_overlay_readlink(walk->overlay->lower, path, &old);

	if (r == 0)
		r = zs_overlay_readlink(walk->overlay->upper, path, &new);
	return r < 0 ? zs_walk_fail(walk, path, r) : strcmp(old, new) != 0;
}

/* Compares two files of the same type, which is not a directory. */
static int compare_same(struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper)
{
	bool mode = ((lower->st_mode ^ upper->st_mode) & ZS_PERMISSIONS) != 0;
	int differs = 0;

	if (S_ISLNK(upper->st_mode)) {
		differs = links_differ(walk, path);
		return differs <= 0 ? differs : zs_walk_add(walk, path, ZS_CHANGE_LINK, lower, upper);
	}
	if (S_ISREG(upper->st_mode))
		differs = lower->st_size != upper->st_size ? 1 : files_differ(walk, path);
	if (differs < 0 || (!differs && !mode))
		return differs;
	return zs_walk_add(walk, path, differs ? ZS_CHANGE_CHANGED : ZS_CHANGE_MODE, lower, upper);
}

/* Subdirectories inherit the parent's merge: below an opaque directory everything lower is hidden, without further
 * marks. */
static int compare_folders(
	struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum zs_merge above)
{
	int r = 0;

	if ((lower->st_mode ^ upper->st_mode) & ZS_PERMISSIONS)
		r = zs_walk_add(walk, path, ZS_CHANGE_MODE, lower, upper);
	return r < 0 ? r : zs_walk_push(walk, path, above);
}

int zs_walk_compare(
	struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum zs_merge above)
{
	bool folder = S_ISDIR(upper->st_mode);
	int r;

	if (lower && folder && S_ISDIR(lower->st_mode))
		return compare_folders(walk, path, lower, upper, above);
	if (lower && (lower->st_mode & S_IFMT) == (upper->st_mode & S_IFMT))
		return compare_same(walk, path, lower, upper);
	r = zs_walk_add(walk, path, lower ? ZS_CHANGE_TYPE : ZS_CHANGE_CREATED, lower, upper);
	if (r == 0 && lower && S_ISDIR(lower->st_mode))
		r = zs_walk_push(walk, path, ZS_MERGE_GONE);
	if (r == 0 && folder)
		r = zs_walk_push(walk, path, ZS_MERGE_NEW);
	return r;
}
