/* The cgroup file systems that a grant to write shows: moving itself into another cgroup, the command would leave its
 * limits, and with cgroup.kill it would end processes that it cannot see. Reading them is harmless, and tells runtimes
 * how much memory they have. clone3(2), which enters a cgroup whatever its mount allows, is refused by seccomp. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/vfs.h>

#include "cgroup_place.h"
#include "cleanup.h"
#include "mount_calls.h"
#include "path.h"
#include "policy.h"
#include "read_file.h"
#include "root_tree.h"

/* They are mounted in /sys, but where limits are to hold anywhere is looked. */
static bool can_show(const struct zs_policy *policy)
{
	bool limited = policy->limits.memory_bytes || policy->limits.processes || policy->limits.cpu_seconds;

	for (size_t i = 0; i < policy->grant_count; i++) {
		const char *path = policy->grants[i].path;

		if (policy->grants[i].access == ZS_ACCESS_WRITE &&
			(limited || zs_path_lies_in("/sys", path) || zs_path_lies_in(path, "/sys")))
			return true;
	}
	return limited && policy->workspace_access == ZS_WORKSPACE_WRITE;
}

/* What is there in the new root. */
static int restrict_place(const struct zs_root_tree *tree, const char *path)
{
	ZS_AUTO_FD int place = zs_open_place(tree->root, path[1] ? path + 1 : ".");
	struct statfs fs;

	if (place < 0)
		return place == -ENOENT || place == -ENOTDIR || place == -EACCES || place == -ELOOP ? 0 : place;
	if (fstatfs(place, &fs) < 0)
		return -errno;
	if ((unsigned long)fs.f_type != CGROUP2_SUPER_MAGIC && (unsigned long)fs.f_type != CGROUP_SUPER_MAGIC)
		return 0;
	return zs_mount_restrict(place, MOUNT_ATTR_RDONLY);
}

int zs_root_guard_cgroups(const struct zs_root_tree *tree, const struct zs_policy *policy)
{
	ZS_AUTO_FREE char *mountinfo = NULL;
	struct zs_cgroup_mount mount;
	const char *text;
	int r = 0;

	if (!can_show(policy))
		return 0;
	r = zs_read_file("/proc/self/mountinfo", &mountinfo);
	for (text = mountinfo; r == 0 && zs_cgroup_mount_next(&text, &mount);)
		r = restrict_place(tree, mount.point);
	/* A part of one is no mount point outside, and one inside. */
	for (size_t i = 0; r == 0 && i < policy->grant_count; i++)
		if (policy->grants[i].access == ZS_ACCESS_WRITE)
			r = restrict_place(tree, policy->grants[i].path);
	return r;
}

static const char *find_grant(const struct zs_policy *policy, const char *point)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		const char *path = policy->grants[i].path;

		if (policy->grants[i].access == ZS_ACCESS_WRITE &&
			(zs_path_lies_in(path, point) || zs_path_lies_in(point, path)))
			return path;
	}
	return NULL;
}

int zs_find_cgroup_grant(const struct zs_policy *policy, const char **ret_path)
{
	ZS_AUTO_FREE char *mountinfo = NULL;
	struct zs_cgroup_mount mount;
	const char *text, *path = NULL;
	int r = zs_read_file("/proc/self/mountinfo", &mountinfo);

	for (text = mountinfo; r == 0 && !path && zs_cgroup_mount_next(&text, &mount);)
		path = find_grant(policy, mount.point);
	if (r == 0)
		*ret_path = path;
	return r;
}
