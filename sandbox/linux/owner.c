/* Root in a workspace of another user's: in the run's user namespace nobody but root exists, and root has no powers
 * over other users' files, so it could write nothing. Below an overlay the workspace is therefore shown as root's own,
 * by a mount that maps its owner to root (man 2 mount_setattr, "ID-mapped mounts"). Nothing is written through it. It
 * takes the machine's root to make one, hence before the namespaces. */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "id_map.h"
#include "mount_calls.h"
#include "overlay.h"

static int make_mount(int place, const struct stat *owner)
{
	const struct zs_id_map map = { .uid = owner->st_uid, .gid = owner->st_gid };
	ZS_AUTO_FD int namespace = zs_id_map_make(&map);

	return namespace < 0 ? namespace : zs_mount_clone_mapped(place, namespace, 0, false);
}

/* A file system that has no such mounts, or a root that is not the machine's: the workspace is as it would be without,
 * and what root may not write it may not write in the layer. */
static bool is_unavailable(int cause)
{
	return cause == EPERM || cause == EINVAL || cause == EOPNOTSUPP;
}

int zs_stage_owner(struct zs_run *run, struct zs_error *error)
{
	const char *workspace = run->policy->workspace;
	ZS_AUTO_FD int place = -1;
	struct stat owner;
	int r;

	if (!zs_overlay_asked(run->policy) || geteuid() != 0)
		return 0;
	place = zs_open_place(AT_FDCWD, workspace);
	r = place < 0 ? place : fstat(place, &owner) < 0 ? -errno : 0;
	if (r < 0)
		return zs_error_errno(error, "", workspace, -r);
	if (owner.st_uid == 0)
		return 0;
	r = run->mapped = make_mount(place, &owner);
	return r >= 0 || is_unavailable(-r) ? 0 : zs_error_errno(error, "", workspace, -r);
}
