#include "linux/base/mount_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

static int result(long r)
{
	return r < 0 ? -errno : (int)r;
}

static int configure(int context, const struct zs_mount_option *options)
{
	for (; options && options->name; options++) {
		unsigned command = options->value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG;

		if (syscall(SYS_fsconfig, context, command, options->name, options->value, 0) < 0)
			return -errno;
	}
	return result(syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0));
}

int zs_mount_new(const char *type, const struct zs_mount_option *options, uint64_t attributes)
{
	ZS_AUTO_FD int context = result(syscall(SYS_fsopen, type, FSOPEN_CLOEXEC));
	int r = context < 0 ? context : configure(context, options);

	return r < 0 ? r : result(syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, (unsigned)attributes));
}

/* A seccomp filter around zs may only pretend that mount_setattr(2) succeeds, so this reads the flags back. */
static int check_attributes(int mount, uint64_t attributes)
{
	static const struct {
		uint64_t attribute;
		unsigned long flag;
	} rows[] = {
		{ MOUNT_ATTR_RDONLY, ST_RDONLY },
		{ MOUNT_ATTR_NOSUID, ST_NOSUID },
		{ MOUNT_ATTR_NODEV, ST_NODEV },
		{ MOUNT_ATTR_NOEXEC, ST_NOEXEC },
	};
	struct statvfs found;

	if (!attributes)
		return 0;
	if (fstatvfs(mount, &found) < 0)
		return -errno;
	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if ((attributes & rows[i].attribute) && !(found.f_flag & rows[i].flag))
			return -EPERM;
	return 0;
}

static int set_attributes(int mount, uint64_t attributes, uint64_t propagation, bool tree)
{
	struct mount_attr attr = { .attr_set = attributes, .propagation = propagation };
	unsigned flags = AT_EMPTY_PATH | (tree ? AT_RECURSIVE : 0u);

	int r = result(syscall(SYS_mount_setattr, mount, "", flags, &attr, sizeof attr));

	return r < 0 ? r : check_attributes(mount, attributes);
}

int zs_mount_clone(int folder, const char *path, uint64_t attributes)
{
	unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW;
	ZS_AUTO_FD int mount = result(syscall(SYS_open_tree, folder, path, flags));
	int r = mount < 0 ? mount : set_attributes(mount, attributes, MS_PRIVATE, true);

	return r < 0 ? r : ZS_STEAL_FD(mount);
}

int zs_mount_clone_mapped(int folder, int user_namespace, uint64_t attributes, bool tree)
{
	unsigned recursive = tree ? AT_RECURSIVE : 0u;
	unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | recursive;
	struct mount_attr attr = {
		.attr_set = MOUNT_ATTR_IDMAP | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | attributes,
		.propagation = MS_PRIVATE,
		.userns_fd = (uint64_t)user_namespace,
	};
	ZS_AUTO_FD int mount = result(syscall(SYS_open_tree, folder, "", flags));
	int r = mount < 0
			? mount
			: result(syscall(SYS_mount_setattr, mount, "", AT_EMPTY_PATH | recursive, &attr, sizeof attr));

	return r < 0 ? r : ZS_STEAL_FD(mount);
}

int zs_mount_attach(int mount, int folder, const char *path)
{
	unsigned flags = MOVE_MOUNT_F_EMPTY_PATH | (*path ? 0u : MOVE_MOUNT_T_EMPTY_PATH);

	return result(syscall(SYS_move_mount, mount, "", folder, path, flags));
}

int zs_mount_restrict(int mount, uint64_t attributes)
{
	return set_attributes(mount, attributes, 0, false);
}

int zs_open_place(int folder, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | (folder == AT_FDCWD ? 0 : RESOLVE_BENEATH) };

	return result(syscall(SYS_openat2, folder, path, &how, sizeof how));
}

int zs_open_folder(const char *path)
{
	struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

	return result(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
}

int zs_proc_new(void)
{
	return zs_mount_new("proc", NULL, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
}

int zs_fd_path(int fd, char ret_path[PATH_MAX])
{
	char link[32];
	ssize_t len;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	len = readlink(link, ret_path, PATH_MAX - 1);
	if (len < 0)
		return -errno;
	ret_path[len] = '\0';
	return 0;
}
