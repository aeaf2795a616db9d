/* The file systems that control what is outside of the run. A grant to write that shows one would be more than a tree
 * of files: moving itself into another cgroup, the command would leave its limits, and with cgroup.kill it would end
 * processes that it cannot see; and root owns the kernel's settings, for whose writing it needs no capability, one of
 * which names a program that the kernel starts outside (man 5 core). Reading them is harmless, and tells runtimes how
 * much memory they have. clone3(2), which enters a cgroup whatever its mount allows, is refused by seccomp. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "linux/limits/cgroup_place.h"
#include "base/cleanup.h"
#include "linux/base/mount_calls.h"
#include "base/path.h"
#include "policy/policy.h"
#include "base/read_file.h"
#include "linux/files/root_tree.h"

enum { CONFIGFS_MAGIC = 0x62656570 }; /* fs/configfs/mount.c */

static const struct control {
	const char *type;
	unsigned long magic;
	bool of_root; /* all of it is root's: nobody else can write it anyway */
} controls[] = {
	{ "cgroup2", CGROUP2_SUPER_MAGIC, false },
	{ "cgroup", CGROUP_SUPER_MAGIC, false },
	{ "proc", PROC_SUPER_MAGIC, true },
	{ "sysfs", SYSFS_MAGIC, true },
	{ "debugfs", DEBUGFS_MAGIC, true },
	{ "tracefs", TRACEFS_MAGIC, true },
	{ "securityfs", SECURITYFS_MAGIC, true },
	{ "selinuxfs", SELINUX_MAGIC, true },
	{ "smackfs", SMACK_MAGIC, true },
	{ "configfs", CONFIGFS_MAGIC, true },
	{ "bpf", BPF_FS_MAGIC, true },
	{ "binfmt_misc", BINFMTFS_MAGIC, true },
	{ "efivarfs", EFIVARFS_MAGIC, true },
	{ "pstore", PSTOREFS_MAGIC, true },
};

static bool is_control(const struct control *control)
{
	return !control->of_root || geteuid() == 0;
}

static bool controls_type(const struct zs_mount_line *mount)
{
	for (size_t i = 0; i < ZS_COUNT(controls); i++)
		if (zs_mount_is(mount, controls[i].type) && is_control(&controls[i]))
			return true;
	return false;
}

static bool controls_magic(unsigned long magic)
{
	for (size_t i = 0; i < ZS_COUNT(controls); i++)
		if (controls[i].magic == magic && is_control(&controls[i]))
			return true;
	return false;
}

/* The trees that the command may write: the workspace, then the grants. NULL: no such. */
static const char *written_tree(const struct zs_policy *policy, size_t index)
{
	if (index == 0)
		return policy->workspace_access == ZS_WORKSPACE_WRITE ? policy->workspace : NULL;
	return policy->grants[index - 1].access == ZS_ACCESS_WRITE ? policy->grants[index - 1].path : NULL;
}

/* Cgroups are mounted in /sys, but where limits are to hold anywhere is looked; so it is for root, in whose tree
 * another system's /proc may be mounted. */
static bool can_show(const struct zs_policy *policy)
{
	if (policy->limits.memory_bytes || policy->limits.processes || policy->limits.cpu_seconds || geteuid() == 0)
		return true;
	for (size_t i = 0; i <= policy->grant_count; i++) {
		const char *path = written_tree(policy, i);

		if (path && (zs_path_lies_in("/sys", path) || zs_path_lies_in(path, "/sys")))
			return true;
	}
	return false;
}

/* Restricts the place in the new root. */
static int restrict_place(const struct zs_root_tree *tree, const char *path)
{
	ZS_AUTO_FD int place = zs_open_place(tree->root, path[1] ? path + 1 : ".");
	struct statfs fs;

	if (place < 0)
		return place == -ENOENT || place == -ENOTDIR || place == -EACCES || place == -ELOOP ? 0 : place;
	if (fstatfs(place, &fs) < 0)
		return -errno;
	return controls_magic((unsigned long)fs.f_type) ? zs_mount_restrict(place, MOUNT_ATTR_RDONLY) : 0;
}

static const char *find_grant(const struct zs_policy *policy, const char *point)
{
	for (size_t i = 0; i <= policy->grant_count; i++) {
		const char *path = written_tree(policy, i);

		if (path && (zs_path_lies_in(path, point) || zs_path_lies_in(point, path)))
			return path;
	}
	return NULL;
}

int zs_root_guard_controls(const struct zs_root_tree *tree, const struct zs_policy *policy)
{
	ZS_AUTO_FREE char *mountinfo = NULL;
	struct zs_mount_line mount;
	const char *text;
	int r = 0;

	if (!can_show(policy))
		return 0;
	r = zs_read_file("/proc/self/mountinfo", &mountinfo);
	for (text = mountinfo; r == 0 && zs_mount_next(&text, &mount);)
		if (controls_type(&mount) && find_grant(policy, mount.point))
			r = restrict_place(tree, mount.point);
	/* A part of one is no mount point outside, and one inside. */
	for (size_t i = 0; r == 0 && i <= policy->grant_count; i++)
		if (written_tree(policy, i))
			r = restrict_place(tree, written_tree(policy, i));
	return r;
}

int zs_find_control_grant(const struct zs_policy *policy, char **ret_point, const char **ret_path)
{
	ZS_AUTO_FREE char *mountinfo = NULL;
	struct zs_mount_line mount;
	const char *text, *path = NULL;
	int r;

	if (!can_show(policy))
		return 0;
	r = zs_read_file("/proc/self/mountinfo", &mountinfo);
	for (text = mountinfo; r == 0 && !path && zs_mount_next(&text, &mount);)
		path = controls_type(&mount) && !mount.read_only ? find_grant(policy, mount.point) : NULL;
	if (!path)
		return r;
	*ret_point = strdup(mount.point);
	*ret_path = path;
	return *ret_point ? 0 : -ENOMEM;
}
