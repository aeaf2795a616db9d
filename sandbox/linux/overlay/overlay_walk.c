/* Lists the changes in overlayfs's upper layer (Documentation/filesystems/overlayfs.rst in the kernel). */
#include "linux/overlay/overlay_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

static int note_gone(struct zs_walk *walk, const char *path, const struct stat *lower)
{
	int r = zs_walk_add(walk, path, ZS_CHANGE_DELETED, lower, NULL);

	return r < 0 || !S_ISDIR(lower->st_mode) ? r : zs_walk_push(walk, path, ZS_MERGE_GONE);
}

/* Stats a path below a layer; -ENOENT: it does not exist. ret_fd: an O_PATH descriptor of it, or NULL. */
static int stat_at(int base, const char *path, struct stat *ret_st, int *ret_fd)
{
	int fd = zs_overlay_openat(base, path, O_PATH);

	if (fd < 0)
		return fd;
	if (fstat(fd, ret_st) < 0) {
		close(fd);
		return -EIO;
	}
	if (ret_fd)
		*ret_fd = fd;
	else
		close(fd);
	return 0;
}

static bool is_whiteout(const struct stat *upper, int marks)
{
	if (S_ISCHR(upper->st_mode))
		return upper->st_rdev == 0;
	return S_ISREG(upper->st_mode) && upper->st_size == 0 && marks & ZS_MARK_WHITEOUT;
}

static int visit_upper(struct zs_walk *walk, struct zs_walk_folder *folder, const char *path, const char *name)
{
	bool has_lower = folder->merge == ZS_MERGE_BOTH || folder->merge == ZS_MERGE_UPPER, whiteout;
	struct stat lower, upper;
	ZS_AUTO_FD int fd = -1;
	int marks, r = stat_at(walk->overlay->upper, path, &upper, &fd);

	if (r < 0)
		return zs_walk_fail(walk, path, r);
	marks = zs_walk_marks(walk, path, fd, upper.st_mode);
	if (marks < 0)
		return marks;
	r = has_lower ? stat_at(walk->overlay->lower, path, &lower, NULL) : -ENOENT;
	if (r < 0 && r != -ENOENT)
		return zs_walk_fail(walk, path, r);
	whiteout = is_whiteout(&upper, marks);
	zs_repository_see(folder, name, whiteout);
	if (whiteout)
		return r < 0 ? 0 : note_gone(walk, path, &lower);
	return zs_walk_compare(walk, path, r < 0 ? NULL : &lower, &upper, folder->merge);
}

/* Visits a name of a hidden lower directory: it is deleted unless the upper directory has it, which has been visited.
 */
static int visit_hidden(struct zs_walk *walk, const char *path, bool has_upper)
{
	struct stat lower, upper;
	int r = has_upper ? stat_at(walk->overlay->upper, path, &upper, NULL) : -ENOENT;

	if (r != -ENOENT)
		return r < 0 ? zs_walk_fail(walk, path, r) : 0;
	r = stat_at(walk->overlay->lower, path, &lower, NULL);
	return r < 0 ? zs_walk_fail(walk, path, r) : note_gone(walk, path, &lower);
}

/* Counts a path against the limits: each one that is looked at may be kept in memory. */
static int count_entry(struct zs_walk *walk, const char *path, size_t len)
{
	struct zs_overlay *overlay = walk->overlay;

	if (zs_overlay_stopped(overlay))
		return zs_walk_fail(walk, path, -ECANCELED);
	if (++overlay->entries > overlay->entries_max)
		return zs_error_say(walk->error, zs_walk_step, path, EOVERFLOW, "more than %zu files have changed",
			overlay->entries_max);
	overlay->path_bytes += len + 1;
	if (overlay->path_bytes > (size_t)ZS_OVERLAY_PATHS_MIB_MAX << 20)
		return zs_error_say(walk->error, zs_walk_step, path, EOVERFLOW,
			"the paths of what has changed have more than %d MiB", ZS_OVERLAY_PATHS_MIB_MAX);
	return 0;
}

enum source { SOURCE_UPPER, SOURCE_HIDDEN };

static int visit(struct zs_walk *walk, struct zs_walk_folder *folder, const char *name, enum source source)
{
	char path[ZS_OVERLAY_PATH_BYTES_MAX + 1];
	int r, len = snprintf(path, sizeof path, "%s%s%s", folder->path, *folder->path ? "/" : "", name);

	if (len < 0 || (size_t)len >= sizeof path)
		return zs_error_say(walk->error, zs_walk_step, folder->path, ENAMETOOLONG,
			"holds a path of more than %d bytes", ZS_OVERLAY_PATH_BYTES_MAX);
	r = count_entry(walk, path, (size_t)len);
	if (r < 0)
		return r;
	if (source == SOURCE_UPPER)
		return visit_upper(walk, folder, path, name);
	return visit_hidden(walk, path, folder->merge == ZS_MERGE_UPPER);
}

/* Visits all entries of a directory. Closes fd. */
static int visit_all(struct zs_walk *walk, struct zs_walk_folder *folder, int fd, enum source source)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int r = 0;

	if (!dir) {
		r = zs_walk_fail(walk, folder->path, -errno);
		close(fd);
		return r;
	}
	while (r == 0 && (errno = 0, entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = visit(walk, folder, entry->d_name, source);
	if (r == 0 && errno)
		r = zs_walk_fail(walk, folder->path, -errno);
	closedir(dir);
	return r;
}

static int walk_lower(struct zs_walk *walk, struct zs_walk_folder *folder)
{
	int fd = zs_overlay_open_lower(walk->overlay, folder->path, S_IFDIR);

	return fd < 0 ? zs_walk_fail(walk, folder->path, fd) : visit_all(walk, folder, fd, SOURCE_HIDDEN);
}

static int walk_content(struct zs_walk *walk, struct zs_walk_folder *folder)
{
	int fd, r;

	if (folder->merge == ZS_MERGE_GONE)
		return walk_lower(walk, folder);
	fd = zs_overlay_open_upper(walk->overlay, folder->path, S_IFDIR);
	if (fd < 0)
		return zs_walk_fail(walk, folder->path, fd);
	r = zs_walk_opaque(walk, folder->path, fd);
	if (r < 0) {
		close(fd);
		return r;
	}
	if (r == 1 && folder->merge == ZS_MERGE_BOTH)
		folder->merge = ZS_MERGE_UPPER;
	r = visit_all(walk, folder, fd, SOURCE_UPPER);
	return r < 0 || folder->merge != ZS_MERGE_UPPER ? r : walk_lower(walk, folder);
}

static int walk_folder(struct zs_walk *walk, struct zs_walk_folder *folder)
{
	size_t changes = walk->overlay->count, folders = walk->count;
	int r = walk_content(walk, folder);

	if (r == 0)
		zs_repository_hold(walk, folder, changes, folders);
	return r;
}

/* Orders paths so that a folder's content follows it at once: "/" sorts before every other byte. */
static int tree_order(const void *left, const void *right)
{
	const unsigned char *a = (const unsigned char *)((const struct zs_change *)left)->path;
	const unsigned char *b = (const unsigned char *)((const struct zs_change *)right)->path;

	while (*a && *a == *b)
		a++, b++;
	if (*a == *b || !*a || !*b)
		return *a - *b;
	return (*a == '/' ? 0 : *a) - (*b == '/' ? 0 : *b);
}

int zs_walk_all(struct zs_overlay *overlay, struct zs_error *error)
{
	struct zs_walk walk = { .overlay = overlay, .error = error };
	int r = zs_walk_push(&walk, "", ZS_MERGE_BOTH);

	while (r == 0 && walk.count > 0) {
		struct zs_walk_folder folder = walk.stack[--walk.count];

		r = walk_folder(&walk, &folder);
		free(folder.path);
	}
	while (walk.count > 0)
		free(walk.stack[--walk.count].path);
	free(walk.stack);
	if (r < 0)
		return r;
	if (overlay->count > 0)
		qsort(overlay->changes, overlay->count, sizeof *overlay->changes, tree_order);
	r = zs_overlay_hold(overlay);
	return r < 0 ? zs_error_errno(error, zs_walk_step, "", -r) : 0;
}
