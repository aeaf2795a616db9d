/* Opens, reads and widens files below an overlay's layers, in which a command may have made anything. */
#include "linux/overlay/overlay_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"

const char zs_overlay_step[] = "overlay";

int zs_overlay_openat(int base, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC | O_NOFOLLOW),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	long fd;
	int tries = 100;

	do /* EAGAIN: a rename during the lookup */
		fd = syscall(SYS_openat2, base, *path ? path : ".", &how, sizeof how);
	while (fd < 0 && (errno == EINTR || errno == EAGAIN) && --tries > 0);
	return fd < 0 ? -errno : (int)fd;
}

/* Stats a file; -EINVAL: it has another type. */
static int stat_typed(int fd, mode_t type, struct stat *ret_st)
{
	if (fstat(fd, ret_st) < 0)
		return -errno;
	return (ret_st->st_mode & S_IFMT) == type ? 0 : -EINVAL;
}

int zs_overlay_join(char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1], const char *folder, const char *name)
{
	int len = snprintf(buffer, ZS_OVERLAY_PATH_BYTES_MAX + 1, "%s%s%s", folder, *folder ? "/" : "", name);

	return len < 0 || len > ZS_OVERLAY_PATH_BYTES_MAX ? -ENAMETOOLONG : len;
}

const char *zs_overlay_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool zs_overlay_is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && path[len] == '/';
}

/* O_NONBLOCK: opening a fifo that has replaced the file must not wait for a writer. */
static int open_typed(int base, const char *path, mode_t type)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(base, path, O_RDONLY | O_NONBLOCK | (type == S_IFDIR ? O_DIRECTORY : 0));
	struct stat st;
	int r = fd < 0 ? fd : stat_typed(fd, type, &st);

	return r < 0 ? r : ZS_STEAL_FD(fd);
}

int zs_overlay_open_lower(struct zs_overlay *overlay, const char *path, mode_t type)
{
	return open_typed(overlay->lower, path, type);
}

static int chmod_fd(int fd, mode_t mode)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/self/fd/%d", fd); /* fchmod(2) takes no O_PATH descriptor */
	return chmod(name, mode) < 0 ? -errno : 0;
}

int zs_overlay_relax(int base, const char *path, mode_t type, struct zs_modes *modes)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(base, path, O_PATH);
	mode_t least = type == S_IFDIR ? S_IRWXU : S_IRUSR;
	struct stat st;
	int r = fd < 0 ? fd : stat_typed(fd, type, &st);

	if (r < 0)
		return r;
	if ((st.st_mode & least) == least)
		return 0;
	r = zs_modes_add(modes, path, st.st_mode);
	return r < 0 ? r : chmod_fd(fd, (st.st_mode & ZS_PERMISSIONS) | least);
}

/* Widens the mode of the upper layer's top directory, which the command may have shut. It is changed by its descriptor,
 * since a shut directory cannot be opened by path. */
static int relax_top(struct zs_overlay *overlay)
{
	struct stat st;
	int r;

	if (fstat(overlay->upper, &st) < 0)
		return -errno;
	if ((st.st_mode & S_IRWXU) == S_IRWXU)
		return 0;
	r = zs_modes_add(&overlay->relaxed, "", st.st_mode);
	if (r == 0 && fchmod(overlay->upper, (st.st_mode & ZS_PERMISSIONS) | S_IRWXU) < 0)
		r = -errno;
	return r;
}

int zs_overlay_open_upper(struct zs_overlay *overlay, const char *path, mode_t type)
{
	int fd = 0;

	if (!*path)
		fd = relax_top(overlay);
	else if (type == S_IFDIR) /* one that can be read but not entered would fail later */
		fd = zs_overlay_relax(overlay->upper, path, type, &overlay->relaxed);
	if (fd < 0)
		return fd;
	fd = open_typed(overlay->upper, path, type);
	if (fd != -EACCES)
		return fd;
	fd = zs_overlay_relax(overlay->upper, path, type, &overlay->relaxed);
	return fd < 0 ? fd : open_typed(overlay->upper, path, type);
}

int zs_overlay_readlink(int base, const char *path, char **ret_target)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(base, path, O_PATH);
	char target[PATH_MAX];
	ssize_t len;

	if (fd < 0)
		return fd;
	len = readlinkat(fd, "", target, sizeof target);
	if (len < 0)
		return errno == ENOENT ? -EINVAL : -errno;
	if ((size_t)len == sizeof target)
		return -ENAMETOOLONG;
	*ret_target = strndup(target, (size_t)len);
	return *ret_target ? 0 : -ENOMEM;
}

ssize_t zs_overlay_read(int fd, char *buffer, size_t size)
{
	size_t len;
	int r = zs_read_up_to(fd, size, buffer, &len);

	return r < 0 ? r : (ssize_t)len;
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
	len = zs_overlay_read(fd, bytes, (size_t)st.st_size);
	if (len < 0)
		return (int)len;
	bytes[len] = '\0';
	*ret_bytes = ZS_STEAL(bytes);
	*ret_len = (size_t)len;
	return 0;
}

int zs_overlay_content(struct zs_overlay *overlay, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error)
{
	mode_t mode = side == ZS_SIDE_OLD ? change->old_mode : change->new_mode;
	int base = side == ZS_SIDE_OLD ? overlay->lower : overlay->upper, r = -EINVAL;

	if (S_ISLNK(mode)) {
		r = zs_overlay_readlink(base, change->path, ret_bytes);
		if (r == 0)
			*ret_len = strlen(*ret_bytes);
	} else if (S_ISREG(mode)) {
		ZS_AUTO_FD int fd = (side == ZS_SIDE_OLD ? zs_overlay_open_lower : zs_overlay_open_upper)(
			overlay, change->path, S_IFREG);

		r = fd < 0 ? fd : read_all(fd, max, ret_bytes, ret_len);
	}
	return r < 0 ? zs_error_errno(error, zs_overlay_step, change->path, -r) : 0;
}

int zs_modes_add(struct zs_modes *modes, const char *path, mode_t mode)
{
	struct zs_mode_of *items = zs_with_room(modes->items, modes->count, sizeof *items);
	char *copy;

	if (!items)
		return -ENOMEM;
	modes->items = items;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	items[modes->count] = (struct zs_mode_of){ copy, mode, modes->count };
	modes->count++;
	return 0;
}

/* Sorts children before their parents. If a path has two modes, the one added later comes last and stays. */
static int deepest_first(const void *left, const void *right)
{
	const struct zs_mode_of *a = left, *b = right;
	int order = strcmp(b->path, a->path);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int set_mode(int base, const struct zs_mode_of *item)
{
	ZS_AUTO_FD int fd = zs_overlay_openat(base, item->path, O_PATH);
	struct stat st;

	/* The directory is gone: a file or a link may have taken its place, or that of one above it. */
	if (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP)
		return 0;
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_mode & S_IFMT) != (item->mode & S_IFMT))
		return 0;
	return chmod_fd(fd, item->mode & ZS_PERMISSIONS);
}

int zs_modes_set(struct zs_modes *modes, int base, const char **ret_path)
{
	int failure = 0;

	if (modes->count > 0)
		qsort(modes->items, modes->count, sizeof *modes->items, deepest_first);
	for (size_t i = 0; i < modes->count; i++) {
		int r = set_mode(base, &modes->items[i]);

		if (r < 0 && failure == 0) {
			failure = r;
			*ret_path = modes->items[i].path;
		}
	}
	return failure;
}

void zs_modes_free(struct zs_modes *modes)
{
	for (size_t i = 0; i < modes->count; i++)
		free(modes->items[i].path);
	free(modes->items);
	*modes = (struct zs_modes){ 0 };
}

bool zs_overlay_stopped(struct zs_overlay *overlay)
{
	char word;

	/* Any message now is WORD_STOP. An end of file, or another error, means that the run's process was killed. */
	if (!overlay->stopped && overlay->channel >= 0)
		overlay->stopped = recv(overlay->channel, &word, sizeof word, MSG_DONTWAIT) >= 0 ||
				   (errno != EAGAIN && errno != EINTR);
	return overlay->stopped;
}
