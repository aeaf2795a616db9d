/* Lets root work in another user's workspace. The run's user namespace maps only root, who has no capabilities over
 * other users' files there and could write nothing. So an ID-mapped mount (man 2 mount_setattr) shows the workspace's
 * owner as root: new files belong to the owner, and root's own files in the workspace are shown as nobody's. Below an
 * overlay the mount is read-only. Only root of the initial user namespace may make such a mount, so this stage comes
 * before the namespaces. */
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

/* The file system has no ID-mapped mounts, or root is a container's. The run goes on without the mount, and root can
 * write only what the owner lets others write. */
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
