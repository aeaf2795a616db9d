/* What overlayfs's upper directory says has changed (Documentation/filesystems/overlayfs.rst in the kernel). */
#include "layer_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"

static const char step[] = "overlay";

/* How the merged view makes a directory of the two. */
enum merge {
	MERGE_BOTH,  /* what is not in the upper one is in the lower one */
	MERGE_UPPER, /* the lower one is hidden (opaque), so what is not in the upper one is gone */
	MERGE_NEW,   /* there is no lower one */
	MERGE_GONE,  /* there is no upper one */
};

struct folder {
	char *path;
	enum merge merge;
};

struct walk {
	struct zs_layer *layer;
	struct folder *stack;
	size_t count, room;
	struct zs_error *error;
};

static int fail(struct walk *walk, const char *path, int r)
{
	if (r == -EACCES || r == -EPERM)
		return zs_error_say(walk->error, step, path, -r, "cannot be read");
	if (r == -ELOOP)
		return zs_error_say(walk->error, step, path, -r, "has become a symbolic link");
	return zs_error_errno(walk->error, step, *path ? path : ".", -r);
}

/* Attributes */

enum {
	MARK_WHITEOUT = 1,
	MARK_OPAQUE = 2,
};

/* What the kernel may have left on a file of this mount; ones that change nothing for us have no mark. "overlay." is
 * how it keeps an attribute of that name which the command has set. */
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
	static const char escape[] = "overlay.";

	if (strncmp(name, escape, sizeof escape - 1) == 0)
		return 0;
	for (size_t i = 0; i < ZS_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].mark;
	return -EOPNOTSUPP;
}

/* The marks of the names in a list as listxattr(2) makes it. */
static int read_marks(struct walk *walk, const char *path, const char *names, size_t len)
{
	static const char prefix[] = "user.overlay.";
	int marks = 0;

	for (const char *name = names; name < names + len; name += strlen(name) + 1) {
		int mark;

		if (strncmp(name, prefix, sizeof prefix - 1) != 0)
			continue;
		mark = find_mark(name + sizeof prefix - 1);
		if (mark < 0)
			return zs_error_say(walk->error, step, path, -mark,
				"has the attribute %s, which no overlay of ours leaves", name);
		marks |= mark;
	}
	return marks;
}

/* fd may be an O_PATH descriptor, which flistxattr(2) does not take. Links and special files carry no user attributes
 * (man 7 xattr). */
static int find_marks(struct walk *walk, const char *path, int fd, mode_t mode)
{
	ZS_AUTO_FREE char *names = NULL;
	char proc[64];
	ssize_t len;

	if (!S_ISREG(mode) && !S_ISDIR(mode))
		return 0;
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	len = listxattr(proc, NULL, 0);
	if (len < 0 && errno != ENOTSUP)
		return fail(walk, path, -errno);
	if (len <= 0)
		return 0;
	names = malloc((size_t)len);
	if (!names)
		return fail(walk, path, -ENOMEM);
	len = listxattr(proc, names, (size_t)len);
	if (len < 0)
		return fail(walk, path, -errno);
	return read_marks(walk, path, names, (size_t)len);
}

/* "y" hides the lower directory. "x" says that there are whiteouts in the form of an attribute. */
static int is_opaque(struct walk *walk, const char *path, int fd)
{
	char value[8];
	ssize_t len = fgetxattr(fd, "user.overlay.opaque", value, sizeof value);

	if (len < 0)
		return errno == ENODATA || errno == ENOTSUP ? 0 : fail(walk, path, -errno);
	if (len == 1 && (value[0] == 'y' || value[0] == 'x'))
		return value[0] == 'y';
	return zs_error_say(walk->error, step, path, EOPNOTSUPP, "has an unknown value of user.overlay.opaque");
}

/* The list */

static int add_change(struct walk *walk, const char *path, enum zs_change_kind kind, const struct stat *lower,
	const struct stat *upper)
{
	struct zs_layer *layer = walk->layer;
	void *items = layer->changes;
	int r = zs_layer_grow(&items, &layer->room, layer->count, sizeof *layer->changes);
	struct zs_change change = { .kind = kind };

	layer->changes = items;
	if (r < 0)
		return fail(walk, path, r);
	change.path = strdup(path);
	if (!change.path)
		return fail(walk, path, -ENOMEM);
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
	layer->changes[layer->count++] = change;
	return 0;
}

static int push(struct walk *walk, const char *path, enum merge merge)
{
	void *items = walk->stack;
	int r = zs_layer_grow(&items, &walk->room, walk->count, sizeof *walk->stack);
	char *copy;

	walk->stack = items;
	if (r < 0)
		return fail(walk, path, r);
	copy = strdup(path);
	if (!copy)
		return fail(walk, path, -ENOMEM);
	walk->stack[walk->count++] = (struct folder){ copy, merge };
	return 0;
}

static int note_gone(struct walk *walk, const char *path, const struct stat *lower)
{
	int r = add_change(walk, path, ZS_CHANGE_DELETED, lower, NULL);

	return r < 0 || !S_ISDIR(lower->st_mode) ? r : push(walk, path, MERGE_GONE);
}

/* Comparing */

/* 1: different. What cannot be read of the lower file counts as different. */
static int files_differ(struct walk *walk, const char *path)
{
	enum { SIZE = 1 << 16 };
	ZS_AUTO_FD int old = zs_layer_open_lower(walk->layer, path, S_IFREG);
	ZS_AUTO_FD int new = zs_layer_open_upper(walk->layer, path, S_IFREG);
	ZS_AUTO_FREE char *buffer = malloc(2 * SIZE);

	if (old == -EACCES)
		return 1;
	if (old < 0 || new < 0)
		return fail(walk, path, old < 0 ? old : new);
	if (!buffer)
		return fail(walk, path, -ENOMEM);
	for (;;) {
		ssize_t a = zs_layer_read(old, buffer, SIZE), b = zs_layer_read(new, buffer + SIZE, SIZE);

		if (a < 0 || b < 0)
			return fail(walk, path, (int)(a < 0 ? a : b));
		if (a != b || memcmp(buffer, buffer + SIZE, (size_t)a) != 0)
			return 1;
		if (a < SIZE)
			return 0;
	}
}

static int links_differ(struct walk *walk, const char *path)
{
	ZS_AUTO_FREE char *old = NULL, *new = NULL;
	int r = zs_layer_readlink(walk->layer->lower, path, &old);

	if (r == 0)
		r = zs_layer_readlink(walk->layer->upper, path, &new);
	return r < 0 ? fail(walk, path, r) : strcmp(old, new) != 0;
}

/* Two of one type, and neither a directory. */
static int compare_same(struct walk *walk, const char *path, const struct stat *lower, const struct stat *upper)
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

/* What is below a hidden directory is hidden, too, without a mark of its own. */
static int compare_folders(
	struct walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum merge above)
{
	int r = 0;

	if ((lower->st_mode ^ upper->st_mode) & ZS_PERMISSIONS)
		r = add_change(walk, path, ZS_CHANGE_MODE, lower, upper);
	return r < 0 ? r : push(walk, path, above);
}

/* lower: NULL where there is none, or it does not show through. */
static int compare(
	struct walk *walk, const char *path, const struct stat *lower, const struct stat *upper, enum merge above)
{
	bool folder = S_ISDIR(upper->st_mode);
	int r;

	if (lower && folder && S_ISDIR(lower->st_mode))
		return compare_folders(walk, path, lower, upper, above);
	if (lower && (lower->st_mode & S_IFMT) == (upper->st_mode & S_IFMT))
		return compare_same(walk, path, lower, upper);
	r = add_change(walk, path, lower ? ZS_CHANGE_TYPE : ZS_CHANGE_CREATED, lower, upper);
	if (r == 0 && lower && S_ISDIR(lower->st_mode))
		r = push(walk, path, MERGE_GONE);
	if (r == 0 && folder)
		r = push(walk, path, MERGE_NEW);
	return r;
}

/* Walking */

/* 0 and st filled in, or -ENOENT. */
static int stat_at(int base, const char *path, struct stat *ret_st, int *ret_fd)
{
	int fd = zs_layer_openat(base, path, O_PATH);

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
	return S_ISREG(upper->st_mode) && upper->st_size == 0 && marks & MARK_WHITEOUT;
}

static int visit_upper(struct walk *walk, const char *path, enum merge above)
{
	bool has_lower = above == MERGE_BOTH || above == MERGE_UPPER;
	struct stat lower, upper;
	ZS_AUTO_FD int fd = -1;
	int marks, r = stat_at(walk->layer->upper, path, &upper, &fd);

	if (r < 0)
		return fail(walk, path, r);
	marks = find_marks(walk, path, fd, upper.st_mode);
	if (marks < 0)
		return marks;
	r = has_lower ? stat_at(walk->layer->lower, path, &lower, NULL) : -ENOENT;
	if (r < 0 && r != -ENOENT)
		return fail(walk, path, r);
	if (is_whiteout(&upper, marks))
		return r < 0 ? 0 : note_gone(walk, path, &lower);
	return compare(walk, path, r < 0 ? NULL : &lower, &upper, above);
}

/* What is only in the lower directory is gone; what is in both is seen from the upper one. */
static int visit_hidden(struct walk *walk, const char *path, bool has_upper)
{
	struct stat lower, upper;
	int r = has_upper ? stat_at(walk->layer->upper, path, &upper, NULL) : -ENOENT;

	if (r != -ENOENT)
		return r < 0 ? fail(walk, path, r) : 0;
	r = stat_at(walk->layer->lower, path, &lower, NULL);
	return r < 0 ? fail(walk, path, r) : note_gone(walk, path, &lower);
}

enum source { SOURCE_UPPER, SOURCE_HIDDEN };

static int visit(struct walk *walk, const struct folder *folder, const char *name, enum source source)
{
	struct zs_layer *layer = walk->layer;
	char path[ZS_LAYER_PATH_BYTES_MAX + 1];
	int len = snprintf(path, sizeof path, "%s%s%s", folder->path, *folder->path ? "/" : "", name);

	if (len < 0 || (size_t)len >= sizeof path)
		return zs_error_say(walk->error, step, folder->path, ENAMETOOLONG, "holds a path of more than %d bytes",
			ZS_LAYER_PATH_BYTES_MAX);
	if (++layer->entries > layer->entries_max)
		return zs_error_say(
			walk->error, step, path, EOVERFLOW, "more than %zu files have changed", layer->entries_max);
	if (source == SOURCE_UPPER)
		return visit_upper(walk, path, folder->merge);
	return visit_hidden(walk, path, folder->merge == MERGE_UPPER);
}

/* fd is taken. */
static int visit_all(struct walk *walk, const struct folder *folder, int fd, enum source source)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int r = 0;

	if (!dir) {
		r = fail(walk, folder->path, -errno);
		close(fd);
		return r;
	}
	while (r == 0 && (errno = 0, entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = visit(walk, folder, entry->d_name, source);
	if (r == 0 && errno)
		r = fail(walk, folder->path, -errno);
	closedir(dir);
	return r;
}

static int walk_lower(struct walk *walk, const struct folder *folder)
{
	int fd = zs_layer_open_lower(walk->layer, folder->path, S_IFDIR);

	return fd < 0 ? fail(walk, folder->path, fd) : visit_all(walk, folder, fd, SOURCE_HIDDEN);
}

static int walk_folder(struct walk *walk, struct folder *folder)
{
	int fd, r;

	if (folder->merge == MERGE_GONE)
		return walk_lower(walk, folder);
	fd = zs_layer_open_upper(walk->layer, folder->path, S_IFDIR);
	if (fd < 0)
		return fail(walk, folder->path, fd);
	r = is_opaque(walk, folder->path, fd);
	if (r < 0) {
		close(fd);
		return r;
	}
	if (r == 1 && folder->merge == MERGE_BOTH)
		folder->merge = MERGE_UPPER;
	r = visit_all(walk, folder, fd, SOURCE_UPPER);
	return r < 0 || folder->merge != MERGE_UPPER ? r : walk_lower(walk, folder);
}

/* A folder's content stands right behind it: the slash comes before every other byte. */
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

static int walk_all(struct zs_layer *layer, struct zs_error *error)
{
	struct walk walk = { .layer = layer, .error = error };
	int r = push(&walk, "", MERGE_BOTH);

	while (r == 0 && walk.count > 0) {
		struct folder folder = walk.stack[--walk.count];

		r = walk_folder(&walk, &folder);
		free(folder.path);
	}
	while (walk.count > 0)
		free(walk.stack[--walk.count].path);
	free(walk.stack);
	if (r < 0)
		return r;
	if (layer->count > 0)
		qsort(layer->changes, layer->count, sizeof *layer->changes, tree_order);
	r = zs_layer_hold(layer->changes, layer->count);
	return r < 0 ? zs_error_errno(error, step, "", -r) : 0;
}

static void forget(struct zs_layer *layer)
{
	for (size_t i = 0; i < layer->count; i++)
		free((char *)layer->changes[i].path);
	layer->count = layer->entries = 0;
}

int zs_layer_changes(
	struct zs_layer *layer, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error)
{
	if (!layer->walked) {
		int r = walk_all(layer, error);

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

/* The object */

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
		return zs_error_errno(error, step, what, errno);
	if (!S_ISDIR(ret_st->st_mode))
		return zs_error_errno(error, step, what, ENOTDIR);
	*ret_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return *ret_fd < 0 ? zs_error_errno(error, step, what, errno) : 0;
}

int zs_layer_open(int lower, int upper, struct zs_layer **ret_layer, struct zs_error *error)
{
	struct zs_layer *layer = calloc(1, sizeof *layer);
	struct stat below = { 0 }, above = { 0 };
	int r;

	if (!layer)
		return zs_error_errno(error, step, "", ENOMEM);
	layer->lower = layer->upper = -1;
	layer->entries_max = ZS_LAYER_ENTRIES_MAX;
	r = adopt(lower, "workspace", &layer->lower, &below, error);
	if (r == 0)
		r = adopt(upper, "upper layer", &layer->upper, &above, error);
	if (r == 0 && below.st_dev == above.st_dev && below.st_ino == above.st_ino)
		r = zs_error_say(error, step, "upper layer", EINVAL, "is the workspace itself");
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
	return r < 0 ? zs_error_errno(error, step, change->path, -r) : 0;
}
