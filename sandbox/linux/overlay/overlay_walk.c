/* Lists the changes in overlayfs's upper layer (Documentation/filesystems/overlayfs.rst in the kernel). */
#include "linux/overlay/overlay_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"

static int walk_fail(struct zs_walk *walk, const char *path, int r)
{
	if (r == -EACCES || r == -EPERM)
		return zs_error_say(walk->error, zs_overlay_step, path, -r, "cannot be read");
	if (r == -ECANCELED)
		return zs_error_say(
			walk->error, zs_overlay_step, "", -r, "interrupted; the changes of the run are lost");
	if (r == -ELOOP)
		return zs_error_say(walk->error, zs_overlay_step, path, -r, "has become a symbolic link");
	return zs_error_errno(walk->error, zs_overlay_step, *path ? path : ".", -r);
}

static int add_change(struct zs_walk *walk, const char *path, enum zs_change_kind kind, const struct stat *lower,
	const struct stat *upper)
{
	struct zs_overlay *overlay = walk->overlay;
	struct zs_change *changes = zs_with_room(overlay->changes, overlay->count, sizeof *changes);
	struct zs_change change = { .kind = kind };

	if (changes) {
		overlay->changes = changes;
		change.path = strdup(path);
	}
	if (!change.path)
		return walk_fail(walk, path, -ENOMEM);
	if (upper) {
		change.new_mode = upper->st_mode;
		change.new_size = S_ISREG(upper->st_mode) ? (uint64_t)upper->st_size : 0;
	}
	if (lower) {
		change.old_mode = lower->st_mode;
		change.old_size = S_ISREG(lower->st_mode) ? (uint64_t)lower->st_size : 0;
		change.old_ino = lower->st_ino;
		change.old_links = lower->st_nlink;
		change.old_mtime = lower->st_mtim;
		change.old_ctime = lower->st_ctim;
	}
	changes[overlay->count++] = change;
	return 0;
}

static int push_folder(struct zs_walk *walk, const char *path, enum zs_merge merge)
{
	struct zs_walk_folder *stack = zs_with_room(walk->stack, walk->count, sizeof *stack);
	char *copy = stack ? strdup(path) : NULL;

	walk->stack = stack ? stack : walk->stack;
	if (!copy)
		return walk_fail(walk, path, -ENOMEM);
	stack[walk->count++] = (struct zs_walk_folder){ .path = copy, .merge = merge };
	return 0;
}

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
		return walk_fail(walk, path, old < 0 ? old : new);
	if (!buffer)
		return walk_fail(walk, path, -ENOMEM);
	for (;;) {
		ssize_t a = zs_overlay_read(old, buffer, SIZE), b = zs_overlay_read(new, buffer + SIZE, SIZE);

		if (a < 0 || b < 0)
			return walk_fail(walk, path, (int)(a < 0 ? a : b));
		if (zs_overlay_stopped(walk->overlay))
			return walk_fail(walk, path, -ECANCELED);
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
	return r < 0 ? walk_fail(walk, path, r) : strcmp(old, new) != 0;
}

/* Compares two files of the same type, which is not a directory. */
static int compare_same(struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper)
{
	bool mode = ((lower->st_mode ^ upper->st_mode) & ZS_PERMISSIONS) != 0;
	int differs = 0;

	if (S_ISLNK(upper->st_mode)) {
		differs = links_differ(walk, path);
		return differs <= 0 ? differs : add_change(walk, path, ZS_CHANGE_LINK, lower, upper);
	}
	if (S_ISREG(upper->st_mode))
		differs = lower->st_size != upper->st_size ? 1 : files_differ(walk, path);
	if (differs < 0 || (!differs && !mode))
		return differs;
	return add_change(walk, path, differs ? ZS_CHANGE_CHANGED : ZS_CHANGE_MODE, lower, upper);
}

/* Subdirectories inherit the parent's merge: below an opaque directory everything lower is hidden, without further
 * marks. */
static int compare_folders(
	struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum zs_merge above)
{
	int r = 0;

	if ((lower->st_mode ^ upper->st_mode) & ZS_PERMISSIONS)
		r = add_change(walk, path, ZS_CHANGE_MODE, lower, upper);
	return r < 0 ? r : push_folder(walk, path, above);
}

/* Compares a path of both layers and adds a change if they differ. lower: NULL when the lower layer has no such file or
 * it is hidden. */
static int compare_path(
	struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum zs_merge above)
{
	bool folder = S_ISDIR(upper->st_mode);
	int r;

	if (lower && folder && S_ISDIR(lower->st_mode))
		return compare_folders(walk, path, lower, upper, above);
	if (lower && (lower->st_mode & S_IFMT) == (upper->st_mode & S_IFMT))
		return compare_same(walk, path, lower, upper);
	r = add_change(walk, path, lower ? ZS_CHANGE_TYPE : ZS_CHANGE_CREATED, lower, upper);
	if (r == 0 && lower && S_ISDIR(lower->st_mode))
		r = push_folder(walk, path, ZS_MERGE_GONE);
	if (r == 0 && folder)
		r = push_folder(walk, path, ZS_MERGE_NEW);
	return r;
}

/* The marks of overlayfs on a file, which are extended attributes */

enum {
	MARK_WHITEOUT = 1,
	MARK_OPAQUE = 2,
};

/* The attributes that the kernel may leave on a file of this mount. Mark 0: the attribute changes nothing for us. */
static const struct {
	const char *name;
	int mark;
} known[] = {
	{ "origin", 0 },
	{ "impure", 0 },
	{ "nlink", 0 },
	{ "upper", 0 },
	{ "uuid", 0 },
	{ "protattr", 0 },
	{ "whiteout", MARK_WHITEOUT },
	{ "opaque", MARK_OPAQUE },
};

static int find_mark(const char *name)
{
	static const char escape[] =
		"overlay."; /* an attribute that the command has set itself is kept below this name */

	if (strncmp(name, escape, sizeof escape - 1) == 0)
		return 0;
	for (size_t i = 0; i < ZS_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].mark;
	return -EOPNOTSUPP;
}

/* Collects the marks from a list of names, as listxattr(2) returns it. */
static int read_marks(struct zs_walk *walk, const char *path, const char *names, size_t len)
{
	static const char prefix[] = "user.overlay.";
	int marks = 0;

	for (const char *name = names; name < names + len; name += strlen(name) + 1) {
		int mark;

		if (strncmp(name, prefix, sizeof prefix - 1) != 0)
			continue;
		mark = find_mark(name + sizeof prefix - 1);
		if (mark < 0)
			return zs_error_say(walk->error, zs_overlay_step, path, -mark,
				"has the attribute %s, which no overlay of zs sets", name);
		marks |= mark;
	}
	return marks;
}

/* Reads overlayfs's extended attributes of a file: bits MARK_…, or a negative errno. Uses /proc/self/fd, since
 * flistxattr(2) takes no O_PATH descriptor. Symbolic links and special files have no user attributes (man 7 xattr). */
static int read_all_marks(struct zs_walk *walk, const char *path, int fd, mode_t mode)
{
	ZS_AUTO_FREE char *names = NULL;
	char proc[64];
	ssize_t len;

	if (!S_ISREG(mode) && !S_ISDIR(mode))
		return 0;
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	len = listxattr(proc, NULL, 0);
	if (len < 0 && errno != ENOTSUP)
		return walk_fail(walk, path, -errno);
	if (len <= 0)
		return 0;
	names = malloc((size_t)len);
	if (!names)
		return walk_fail(walk, path, -ENOMEM);
	len = listxattr(proc, names, (size_t)len);
	if (len < 0)
		return walk_fail(walk, path, -errno);
	return read_marks(walk, path, names, (size_t)len);
}

/* Is the directory opaque, so that it hides the lower one? 1, 0 or a negative errno. The value "y" makes the directory
 * opaque. "x" says that it contains whiteouts in the form of an attribute. */
static int is_opaque(struct zs_walk *walk, const char *path, int fd)
{
	char value[8];
	ssize_t len = fgetxattr(fd, "user.overlay.opaque", value, sizeof value);

	if (len < 0)
		return errno == ENODATA || errno == ENOTSUP ? 0 : walk_fail(walk, path, -errno);
	if (len == 1 && (value[0] == 'y' || value[0] == 'x'))
		return value[0] == 'y';
	return zs_error_say(
		walk->error, zs_overlay_step, path, EOPNOTSUPP, "has an unknown value of user.overlay.opaque");
}

/* The walk */

static int note_gone(struct zs_walk *walk, const char *path, const struct stat *lower)
{
	int r = add_change(walk, path, ZS_CHANGE_DELETED, lower, NULL);

	return r < 0 || !S_ISDIR(lower->st_mode) ? r : push_folder(walk, path, ZS_MERGE_GONE);
}

/* Stats a path below a layer; -ENOENT: it does not exist. ret_fd: an O_PATH descriptor of it, or NULL. */
static int stat_at(int base, const char *path, struct stat *ret_st, int *ret_fd)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(base, path, O_PATH);

	if (fd < 0)
		return fd;
	if (fstat(fd, ret_st) < 0)
		return -EIO;
	if (ret_fd)
		*ret_fd = ZS_STEAL_FD(fd);
	return 0;
}

static bool is_whiteout(const struct stat *upper, int marks)
{
	if (S_ISCHR(upper->st_mode))
		return upper->st_rdev == 0;
	return S_ISREG(upper->st_mode) && upper->st_size == 0 && marks & MARK_WHITEOUT;
}

static int visit_upper(struct zs_walk *walk, struct zs_walk_folder *folder, const char *path, const char *name)
{
	bool has_lower = folder->merge == ZS_MERGE_BOTH || folder->merge == ZS_MERGE_UPPER, whiteout;
	struct stat lower, upper;
	ZS_AUTO_FD int fd = -1;
	int marks, r = stat_at(walk->overlay->upper, path, &upper, &fd);

	if (r < 0)
		return walk_fail(walk, path, r);
	marks = read_all_marks(walk, path, fd, upper.st_mode);
	if (marks < 0)
		return marks;
	r = has_lower ? stat_at(walk->overlay->lower, path, &lower, NULL) : -ENOENT;
	if (r < 0 && r != -ENOENT)
		return walk_fail(walk, path, r);
	whiteout = is_whiteout(&upper, marks);
	zs_repository_see(folder, name, whiteout);
	if (whiteout)
		return r < 0 ? 0 : note_gone(walk, path, &lower);
	return compare_path(walk, path, r < 0 ? NULL : &lower, &upper, folder->merge);
}

/* Visits a name of a hidden lower directory: it is deleted unless the upper directory has it, which has been visited.
 */
static int visit_hidden(struct zs_walk *walk, const char *path, bool has_upper)
{
	struct stat lower, upper;
	int r = has_upper ? stat_at(walk->overlay->upper, path, &upper, NULL) : -ENOENT;

	if (r != -ENOENT)
		return r < 0 ? walk_fail(walk, path, r) : 0;
	r = stat_at(walk->overlay->lower, path, &lower, NULL);
	return r < 0 ? walk_fail(walk, path, r) : note_gone(walk, path, &lower);
}

/* Counts a path against the limits: each one that is looked at may be kept in memory. */
static int count_entry(struct zs_walk *walk, const char *path, size_t len)
{
	struct zs_overlay *overlay = walk->overlay;

	if (zs_overlay_stopped(overlay))
		return walk_fail(walk, path, -ECANCELED);
	if (++overlay->entries > overlay->entries_max)
		return zs_error_say(walk->error, zs_overlay_step, path, EOVERFLOW, "more than %zu files have changed",
			overlay->entries_max);
	overlay->path_bytes += len + 1;
	if (overlay->path_bytes > (size_t)ZS_OVERLAY_PATHS_MIB_MAX << 20)
		return zs_error_say(walk->error, zs_overlay_step, path, EOVERFLOW,
			"the paths of the changed files have more than %d MiB", ZS_OVERLAY_PATHS_MIB_MAX);
	return 0;
}

struct visit {
	struct zs_walk *walk;
	struct zs_walk_folder *folder;
	bool hidden; /* the names are those of a hidden lower directory */
};

static int visit(int fd, const char *name, unsigned char type, void *arg)
{
	const struct visit *all = arg;
	struct zs_walk *walk = all->walk;
	struct zs_walk_folder *folder = all->folder;
	char path[ZS_OVERLAY_PATH_BYTES_MAX + 1];
	int r, len = zs_overlay_join(path, folder->path, name);

	(void)fd;
	(void)type;
	if (len < 0)
		return zs_error_say(walk->error, zs_overlay_step, folder->path, ENAMETOOLONG,
			"holds a path of more than %d bytes", ZS_OVERLAY_PATH_BYTES_MAX);
	r = count_entry(walk, path, (size_t)len);
	if (r < 0)
		return r;
	return all->hidden ? visit_hidden(walk, path, folder->merge == ZS_MERGE_UPPER)
			   : visit_upper(walk, folder, path, name);
}

static int visit_all(struct zs_walk *walk, struct zs_walk_folder *folder, int fd, bool hidden)
{
	int cause, r = zs_folder_each(fd, visit, &(struct visit){ walk, folder, hidden }, &cause);

	return cause ? walk_fail(walk, folder->path, -cause) : r;
}

static int walk_lower(struct zs_walk *walk, struct zs_walk_folder *folder)
{
	ZS_AUTO_FD int fd = zs_overlay_open_lower(walk->overlay, folder->path, S_IFDIR);

	return fd < 0 ? walk_fail(walk, folder->path, fd) : visit_all(walk, folder, fd, true);
}

static int walk_content(struct zs_walk *walk, struct zs_walk_folder *folder)
{
	ZS_AUTO_FD int fd = -1;
	int r;

	if (folder->merge == ZS_MERGE_GONE)
		return walk_lower(walk, folder);
	fd = zs_overlay_open_upper(walk->overlay, folder->path, S_IFDIR);
	if (fd < 0)
		return walk_fail(walk, folder->path, fd);
	r = is_opaque(walk, folder->path, fd);
	if (r < 0)
		return r;
	if (r == 1 && folder->merge == ZS_MERGE_BOTH)
		folder->merge = ZS_MERGE_UPPER;
	r = visit_all(walk, folder, fd, false);
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
	int r = push_folder(&walk, "", ZS_MERGE_BOTH);

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
	return r < 0 ? zs_error_errno(error, zs_overlay_step, "", -r) : 0;
}
