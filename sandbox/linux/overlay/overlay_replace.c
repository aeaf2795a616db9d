/* Makes one change in the workspace by atomic renames. Another process may act between a check and a rename, so the old
 * file is first moved to the temporary name, then checked, and moved back if it is not the file that the change was
 * made from. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
