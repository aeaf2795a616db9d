/* Puts one change in its place, each in one step. Somebody else can come in between looking and doing, so what is to go
 * is moved first, looked at, and put back if it is not what the change was made from. */
#include "linux/overlay/overlay_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* musl has no renameat2(3) */
static int rename_with(const struct zs_apply_place *place, unsigned flag)
{
	return (int)syscall(SYS_renameat2, place->folder, place->temporary, place->folder, place->name, flag);
}

/* Removes what a change was made from, which stands under the temporary name by now. A file that came there in the last
 * moment is left. */
static int remove_moved(const struct zs_change *change, const struct zs_apply_place *place)
{
	struct stat st;

	if (fstatat(place->folder, place->temporary, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!zs_apply_is_same(change, &st))
		return -ESTALE;
	/* A directory that was is empty by now, unless somebody has put something there. */
	return unlinkat(place->folder, place->temporary, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) < 0 ? -errno : 0;
}

/* Swaps the two. */
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
	/* A file system without the flags */
	if (r != -EINVAL || S_ISDIR(change->new_mode) || S_ISDIR(change->old_mode))
		return r;
	return renameat(place->folder, place->temporary, place->folder, place->name) < 0 ? -errno : 0;
}

/* renameat2(2), from the name to the temporary one. */
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
