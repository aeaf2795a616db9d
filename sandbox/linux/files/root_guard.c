/* Makes kernel file systems read-only inside a write grant, because they control more than files. In cgroupfs a command
 * could move itself out of its limits, or end processes that it cannot see (cgroup.kill). Root owns the kernel's
 * settings and needs no capability to write them; one of them names a program that the kernel starts outside of the
 * run (man 5 core). Reading stays allowed: it is harmless, and tells language runtimes how much memory they have.
 * clone3(2), which can enter a cgroup through a read-only mount, is refused by seccomp. */
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
	bool of_root; /* only root can write its files */
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

/* The tree that the command may write: index 0 is the workspace, index i the grant i-1. NULL: it is not writable. */
static const char *written_tree(const struct zs_policy *policy, size_t index)
{
	if (index == 0)
		return policy->workspace_access == ZS_WORKSPACE_WRITE ? policy->workspace : NULL;
	return policy->grants[index - 1].access == ZS_ACCESS_WRITE ? policy->grants[index - 1].path : NULL;
}

/* Makes the mount at this path of the new root read-only, if it is such a file system. */
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
	int r = zs_read_file("/proc/self/mountinfo", &mountinfo);

	for (text = mountinfo; r == 0 && zs_mount_next(&text, &mount);)
		if (controls_type(&mount) && find_grant(policy, mount.point))
			r = restrict_place(tree, mount.point);
	/* A grant inside such a file system is a mount point in the new root, though none outside. */
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
	int r = zs_read_file("/proc/self/mountinfo", &mountinfo);

	for (text = mountinfo; r == 0 && !path && zs_mount_next(&text, &mount);)
		path = controls_type(&mount) && !mount.read_only ? find_grant(policy, mount.point) : NULL;
	if (!path)
		return r;
	*ret_point = strdup(mount.point);
	*ret_path = path;
	return *ret_point ? 0 : -ENOMEM;
}
