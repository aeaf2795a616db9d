/* Root in a workspace of another user's: in the run's user namespace nobody but root exists, and root has no powers
 * over other users' files, so it could write nothing. The workspace is therefore shown as root's own, by a mount that
 * maps its owner to root (man 2 mount_setattr, "ID-mapped mounts"): what is made there is the owner's. Root's own files
 * in it are nobody's there. Below an overlay nothing is written through it. It takes the machine's root to make one,
 * hence before the namespaces. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/files/id_map.h"
#include "linux/base/mount_calls.h"
#include "linux/files/overlay_mount.h"

static int make_mount(int place, const struct stat *owner, bool overlay)
{
	const struct zs_id_map map = { .uid = owner->st_uid, .gid = owner->st_gid };
	ZS_AUTO_FD int namespace = zs_id_map_make(&map);

	return namespace < 0 ? namespace
			     : zs_mount_clone_mapped(place, namespace, overlay ? MOUNT_ATTR_RDONLY : 0, !overlay);
}

/* A file system that has no such mounts, or a root that is not the machine's: the workspace is as it would be without,
 * and what root may not write it may not write there. */
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

	if (!workspace || run->policy->workspace_access == ZS_WORKSPACE_READ || geteuid() != 0)
		return 0;
	if (stat(workspace, &owner) < 0)
		return zs_error_errno(error, "", workspace, errno);
	if (owner.st_uid == 0)
		return 0;
	place = zs_open_place(AT_FDCWD, workspace);
	r = place < 0 ? place : 0;
	if (r == 0 && fstat(place, &owner) < 0)
		r = -errno;
	if (r < 0)
		return zs_error_errno(error, "", workspace, -r);
	r = run->mapped = make_mount(place, &owner, zs_overlay_asked(run->policy));
	return r >= 0 || is_unavailable(-r) ? 0 : zs_error_errno(error, "", workspace, -r);
}
