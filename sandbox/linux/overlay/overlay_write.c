/* Makes one change in the workspace. A new file is first copied from the upper layer under a temporary name, then put
 * in its place by an atomic rename. Another process may act between a check and a rename, so the old file is first
 * moved to the temporary name, then checked, and moved back if it is not the file that the change was made from. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_file.h"

static bool is_zero(const char *bytes, size_t len)
{
	return bytes[0] == '\0' && memcmp(bytes, bytes + 1, len - 1) == 0;
}

/* Copies exactly size bytes. A block of zeros becomes a hole: a sparse file of the command must not fill the disk. */
static int copy_bytes(struct zs_overlay *overlay, int from, int to, uint64_t size)
{
	enum { SIZE = 1 << 17 };
	ZS_AUTO_FREE char *buffer = malloc(SIZE);
	uint64_t left = size;
	int r;

	if (!buffer)
		return -ENOMEM;
	for (;;) {
		ssize_t have = zs_overlay_read(from, buffer, SIZE);

		if (have < 0)
			return (int)have;
		if ((uint64_t)have > left)
			return -ESTALE; /* another process is writing to the file */
		if (zs_overlay_stopped(overlay))
			return -ECANCELED;
		if (have > 0 && is_zero(buffer, (size_t)have))
			r = lseek(to, have, SEEK_CUR) < 0 ? -errno : 0;
		else
			r = zs_write_all(to, buffer, (size_t)have);
		if (r < 0)
			return r;
		left -= (uint64_t)have;
		if (have < SIZE && left)
			return -ESTALE;
		if (have < SIZE)
			return ftruncate(to, (off_t)size) < 0 ? -errno : 0;
	}
}

static int open_upper(struct zs_apply *apply, const char *path)
{
	int r = zs_apply_read_as_root(apply, true);
	ZS_AUTO_FD int fd = r < 0 ? r : zs_overlay_open_upper(apply->overlay, path, S_IFREG);

	r = zs_apply_read_as_root(apply, false);
	return r < 0 ? r : ZS_STEAL_FD(fd);
}

/* Copies the content, the mode and the mtime, which make(1) reads. */
static int copy_file(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
{
	ZS_AUTO_FD int from = open_upper(apply, change->path);
	ZS_AUTO_FD int to = -1;
	struct stat st;
	int r;

	if (from < 0)
		return from;
	if (fstat(from, &st) < 0)
		return -errno;
	to = openat(place->folder, place->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return -errno;
	r = copy_bytes(apply->overlay, from, to, change->new_size);
	if (r == 0 && fchmod(to, change->new_mode & ZS_PERMISSIONS) < 0)
		r = -errno;
	if (r == 0 && futimens(to, (struct timespec[]){ { .tv_nsec = UTIME_OMIT }, st.st_mtim }) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

static int copy_link(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
{
	ZS_AUTO_FREE char *target = NULL;
	int r = zs_apply_read_as_root(apply, true), back;

	if (r == 0)
		r = zs_overlay_readlink(apply->overlay->upper, change->path, &target);
	back = zs_apply_read_as_root(apply, false);
	if (r == 0)
		r = back;
	return r == 0 && symlinkat(target, place->folder, place->temporary) < 0 ? -errno : r;
}

static int make_fifo(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r = 0;

	if (mkfifoat(place->folder, place->temporary, 0600) < 0)
		return -errno;
	if (fchmodat(place->folder, place->temporary, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(place->folder, place->temporary, 0);
	return r;
}

int zs_apply_write(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place)
{
	if (S_ISREG(change->new_mode))
		return copy_file(apply, change, place);
	if (S_ISLNK(change->new_mode))
		return copy_link(apply, change, place);
	if (S_ISFIFO(change->new_mode))
		return make_fifo(change, place);
	return -EOPNOTSUPP;
}

/* Renames from the temporary name. A system call, since musl has no renameat2(3). */
static int rename_with(const struct zs_apply_place *place, unsigned flag)
{
	return (int)syscall(SYS_renameat2, place->folder, place->temporary, place->folder, place->name, flag);
}

/* Removes the old file, which now has the temporary name, unless it is not the one that the change was made from. */
static int remove_moved(const struct zs_change *change, const struct zs_apply_place *place)
{
	struct stat st;

	if (fstatat(place->folder, place->temporary, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!zs_apply_is_same(change, &st))
		return -ESTALE;
	/* An old directory is empty by now, unless another process has made something in it. */
	return unlinkat(place->folder, place->temporary, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
}

/* Swaps the new and the old file, then removes the old one. */
static int exchange(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r;

	if (rename_with(place, RENAME_EXCHANGE) < 0)
		return -errno;
	r = remove_moved(change, place);
	return r < 0 && rename_with(place, RENAME_EXCHANGE) < 0 ? -errno : r;
}

int zs_apply_move_in(const struct zs_change *change, const struct zs_apply_place *place)
{
	bool created = change->kind == ZS_CHANGE_CREATED;
	int r = created ? 0 : exchange(change, place);

	if (created && rename_with(place, RENAME_NOREPLACE) < 0)
		r = -errno;
	/* EINVAL: the file system has no such flags. A plain rename has to do, which cannot replace directories. */
	if (r != -EINVAL || S_ISDIR(change->new_mode) || S_ISDIR(change->old_mode))
		return r;
	return renameat(place->folder, place->temporary, place->folder, place->name) < 0 ? -errno : 0;
}

/* Moves the old file to the temporary name. */
static int move_out(const struct zs_apply_place *place)
{
	return syscall(SYS_renameat2, place->folder, place->name, place->folder, place->temporary, RENAME_NOREPLACE) < 0
		       ? -errno
		       : 0;
}

int zs_apply_remove(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r;

	if (S_ISDIR(change->old_mode))
		return unlinkat(place->folder, place->name, AT_REMOVEDIR) < 0 ? -errno : 0;
	r = move_out(place);
	if (r == -EINVAL)
		return unlinkat(place->folder, place->name, 0) < 0 ? -errno : 0;
	if (r == 0)
		r = remove_moved(change, place);
	return r < 0 && rename_with(place, RENAME_NOREPLACE) < 0 ? -errno : r;
}

int zs_apply_change_mode(const struct zs_change *change, const struct zs_apply_place *place)
{
	int r = fchmodat(place->folder, place->name, change->new_mode & ZS_PERMISSIONS, AT_SYMLINK_NOFOLLOW);

	return r < 0 ? -errno : 0;
}
