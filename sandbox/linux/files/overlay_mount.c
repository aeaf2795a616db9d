/* The overlay workspace: overlayfs with the real workspace as lower layer and a tmpfs, or a folder on disk
 * (disk_tmp.h), as upper layer. The command can
 * write it, the real workspace does not change, and the tmpfs is gone with the run. This stage comes before the
 * supervisor's fork: the supervisor outlives the command and hands the layers to the receiver. */
#include "linux/files/overlay_mount.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/overlay/overlay_channel.h"
#include "linux/base/mount_calls.h"
#include "linux/base/stage.h"
#include "linux/files/disk_tmp.h"

/* The most files of an upper layer in memory. */
#define UPPER_FILES "1048576"

static int overlay_mount_open_folder(int base, const char *name)
{
	int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int make_folder(int base, const char *name)
{
	return mkdirat(base, name, 0700) < 0 && errno != EEXIST ? -errno : overlay_mount_open_folder(base, name);
}

/* Makes a tmpfs. overlayfs only accepts layers of an attached mount, so it is attached on top of "/". It covers nothing
 * there, since this process's root stays the old one, which it leaves soon. */
int zs_layers_scratch(uint64_t bytes)
{
	char size[24];
	const struct zs_mount_option options[] = {
		{ "size", size },
		{ "nr_inodes", UPPER_FILES },
		{ "mode", "0700" },
		{ NULL, NULL },
	};
	ZS_AUTO_FD int scratch = -1;
	int r;

	snprintf(size, sizeof size, "%" PRIu64, bytes);
	scratch = zs_mount_new("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	r = scratch < 0 ? scratch : zs_mount_attach(scratch, AT_FDCWD, "/");
	return r < 0 ? r : ZS_STEAL_FD(scratch);
}

/* The overlay's top directory has the upper directory's mode: copies the lower layer's, and lets the owner, which is
 * this user, do all. */
static int copy_mode(const struct zs_layers *layers)
{
	struct stat st;

	if (fstat(layers->lower, &st) < 0 || fchmod(layers->upper, (st.st_mode & 0777) | S_IRWXU) < 0)
		return -errno;
	return 0;
}

int zs_layers_make(int scratch, struct zs_layers *layers)
{
	int r = scratch < 0 ? scratch : 0;

	if (r == 0)
		r = layers->upper = make_folder(scratch, "upper");
	if (r >= 0)
		r = layers->work = make_folder(scratch, "work");
	return r >= 0 && layers->lower >= 0 ? copy_mode(layers) : r < 0 ? r : 0;
}

/* An overlay of a noexec folder is noexec, too. */
static int find_attributes(int lower, uint64_t *ret_attributes)
{
	struct statvfs st;

	if (fstatvfs(lower, &st) < 0)
		return -errno;
	*ret_attributes = st.f_flag & ST_NOEXEC ? MOUNT_ATTR_NOEXEC : 0;
	return 0;
}

/* The layers are named by descriptor, so no path can be swapped meanwhile. A user namespace needs userxattr, which also
 * turns off redirects and metadata-only copies. With an index or xino the lower layer of a lasting upper one must not
 * change between two mounts (overlayfs.rst, "Changes to underlying filesystems"). */
int zs_layers_mount(const struct zs_layers *layers)
{
	char lower[32], upper[32], work[32];
	const struct zs_mount_option options[] = {
		{ "lowerdir", lower },
		{ "upperdir", upper },
		{ "workdir", work },
		{ "userxattr", NULL },
		{ "index", "off" },
		{ "xino", "off" },
		{ NULL, NULL },
	};
	uint64_t attributes;
	int r = find_attributes(layers->lower, &attributes);

	if (r < 0)
		return r;
	snprintf(lower, sizeof lower, "/proc/self/fd/%d", layers->lower);
	snprintf(upper, sizeof upper, "/proc/self/fd/%d", layers->upper);
	snprintf(work, sizeof work, "/proc/self/fd/%d", layers->work);
	return zs_mount_new("overlay", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | attributes);
}

int zs_layers_lower(const char *path)
{
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, path);

	return place < 0 ? place : overlay_mount_open_folder(place, ".");
}

int zs_layers_refuse(struct zs_error *error, const char *path, int cause, const char *hint)
{
	if (cause == EINVAL)
		zs_error_say(error, "", path, cause,
			"cannot be under an overlay: something is mounted in it, or its file system does not allow "
			"that");
	else if (cause == ENODEV)
		zs_error_say(error, "", path, cause, "this kernel has no overlayfs");
	else if (cause == ELOOP)
		return zs_error_say(error, "", path, cause, "has become a symbolic link");
	else
		zs_error_errno(error, "", path, cause);
	return zs_error_hint(error, -cause, "%s", hint);
}

static int overlay_mount_refuse(struct zs_error *error, const char *workspace, int cause)
{
	return zs_layers_refuse(
		error, workspace, cause, "without 'overlay' (--without overlay) the workspace is read-only");
}

/* Replaces the overlay by one above the ID-mapped workspace (zs_stage_owner()). The plain overlay was mounted first as
 * a test: overlayfs refuses a workspace with other mounts in it, and the mapped clone has left those out. */
static int mount_mapped(struct zs_run *run, const struct zs_layers *layers, int scratch)
{
	const struct zs_layers mapped = { run->mapped, layers->upper, layers->work };
	ZS_AUTO_FD int place = make_folder(scratch, "lower");
	int r = place < 0 ? place : zs_mount_attach(run->mapped, place, "");

	close(run->overlay);
	return r < 0 ? r : zs_layers_mount(&mapped);
}

static int overlay_mount_set_up(struct zs_run *run, struct zs_layers *layers, int *ret_scratch, struct zs_error *error)
{
	const char *workspace = run->policy->workspace;
	int r = layers->lower = zs_layers_lower(workspace);

	if (r < 0)
		return overlay_mount_refuse(error, workspace, -r);
	*ret_scratch = zs_disk_tmp_open(run);
	if (*ret_scratch == -ENOENT)
		*ret_scratch = zs_layers_scratch(zs_policy_tmp_bytes(run->policy));
	r = zs_layers_make(*ret_scratch, layers);
	if (r < 0)
		return zs_error_errno(error, "", "upper layer", -r);
	r = run->overlay = zs_layers_mount(layers);
	if (r >= 0 && run->mapped >= 0)
		r = run->overlay = mount_mapped(run, layers, *ret_scratch);
	return r < 0 ? overlay_mount_refuse(error, workspace, -r) : 0;
}

bool zs_overlay_asked(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY;
}

void zs_layers_close(const struct zs_layers *layers)
{
	const int fds[] = { layers->lower, layers->upper, layers->work };

	for (size_t i = 0; i < ZS_COUNT(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

int zs_stage_overlay(struct zs_run *run, struct zs_error *error)
{
	struct zs_layers layers = { -1, -1, -1 };
	ZS_AUTO_FD int scratch = -1;
	int r;

	if (!zs_overlay_asked(run->policy)) {
		if (run->channel < 0)
			return 0;
		zs_error_say(error, "", run->policy->workspace, EINVAL,
			"is not an overlay, and the caller waits for its changes");
		return zs_error_hint(error, -EINVAL, "give the workspace the access 'overlay'");
	}
	/* The Landlock tier runs only with the overlay waived; a caller who waits for one has not waived it. */
	if (run->policy->tier == ZS_TIER_LANDLOCK)
		return run->channel < 0 ? 0 : overlay_mount_refuse(error, run->policy->workspace, EOPNOTSUPP);
	r = overlay_mount_set_up(run, &layers, &scratch, error);
	run->overlaid = r == 0;
	if (run->overlaid && run->channel >= 0) {
		r = zs_channel_offer(run->channel, layers.lower, layers.upper, run->policy->workspace);
		if (r < 0)
			zs_error_errno(error, "", "the process that waits for the changes", -r);
	}
	zs_layers_close(&layers);
	if (run->mapped >= 0)
		close(run->mapped);
	/* A failure counts unless the policy waives the overlay and no caller waits for it. */
	return run->channel < 0 && zs_policy_gives_up(run->policy, ZS_PROMISE_OVERLAY) ? 0 : r;
}

enum zs_access zs_run_workspace_grant(const struct zs_run *run)
{
	return run->overlaid ? ZS_ACCESS_WRITE : zs_policy_workspace_grant(run->policy);
}

int zs_overlay_try(void)
{
	struct zs_layers layers = { -1, -1, -1 };
	ZS_AUTO_FD int scratch = -1;
	int mount, r = unshare(CLONE_NEWNS) < 0 ? -errno : 0;

	if (r == 0) {
		scratch = zs_layers_scratch(ZS_POLICY_TMP_BYTES);
		r = zs_layers_make(scratch, &layers);
	}
	if (r == 0)
		r = layers.lower = make_folder(scratch, "lower");
	if (r >= 0)
		r = mount = zs_layers_mount(&layers);
	if (r >= 0)
		close(mount);
	zs_layers_close(&layers);
	return r < 0 ? r : 0;
}
