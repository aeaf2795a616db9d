/* ID-mapped mounts (man 2 mount_setattr), which show a file's owner as another user. Root needs them for two things,
 * and only root of the initial user namespace may make them, so both stages come before the namespaces.
 *
 * Public grants let a run read only the files that every user may read. Root owns /etc/shadow, and a mode does not stop
 * the owner. So a mount shows the whole tree as nobody's, and root gets only the rights of others. This also covers
 * files that are made later. Where such a mount is not available (overlayfs has none, Docker's root may make none),
 * each public part of the tree is granted by itself (public_parts.c).
 *
 * A workspace may belong to another user. The run's user namespace maps only root, who has no capabilities over other
 * users' files there and could write nothing. So a mount shows the workspace's owner as root: new files belong to the
 * owner, and root's own files in the workspace are shown as nobody's. Below an overlay the mount is read-only. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/mount_calls.h"
#include "linux/base/process_calls.h"
#include "linux/base/users.h"
#include "linux/files/overlay_mount.h"
#include "linux/files/public.h"
#include "base/read_file.h"

/* Maps one user and one group: uid and gid are the ids on the file system, shown_uid and shown_gid the ids that the
 * mount shows. The other users of a root directory are shown as themselves, and all other ids as nobody. */
struct id_map {
	uid_t uid, shown_uid;
	gid_t gid, shown_gid;
	struct zs_users users; /* zeroed: there are none */
};

static int write_map(pid_t pid, const char *name, unsigned id, unsigned shown, const struct zs_id_range *same)
{
	char path[64], map[128];
	ZS_AUTO_FD int fd = -1;
	int len = snprintf(map, sizeof map, "%u %u 1\n", id, shown);

	if (same->count)
		len += snprintf(map + len, sizeof map - (size_t)len, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
			same->first, same->first, same->count);

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, map, (size_t)len) != len ? -errno : 0;
}

static int open_namespace(pid_t pid, const struct id_map *map)
{
	char path[64];
	int fd, r = write_map(pid, "uid_map", map->uid, map->shown_uid, &map->users.uids);

	if (r == 0)
		r = write_map(pid, "gid_map", map->gid, map->shown_gid, &map->users.gids);
	snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	if (r < 0)
		return r;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Keeps the namespace alive until this process is killed or its parent has ended. */
static _Noreturn void hold(pid_t parent)
{
	enum { SECOND_MS = 1000 };

	while (getppid() == parent)
		poll(NULL, 0, SECOND_MS);
	_exit(0);
}

/* Returns a descriptor of a user namespace with this map and without processes. A namespace begins with a process; the
 * descriptor keeps the namespace when that process has been killed. */
static int make_namespace(const struct id_map *map)
{
	pid_t parent = getpid();
	pid_t pid = zs_fork(CLONE_NEWUSER, NULL);
	int fd;

	if (pid < 0)
		return pid;
	if (pid == 0)
		hold(parent);
	fd = open_namespace(pid, map);
	while (kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	return fd;
}

/* Clones the mount, or with `tree` the tree of mounts, at a place that zs_open_place() has given. *namespace: of an
 * earlier call with the same map, or -1; close() it. */
static int clone_mapped(int place, const struct id_map *map, int *namespace, uint64_t attributes, bool tree)
{
	if (place < 0)
		return place;
	if (*namespace < 0)
		*namespace = make_namespace(map);
	return *namespace < 0 ? *namespace : zs_mount_clone_mapped(place, *namespace, attributes, tree);
}

/* Public grants */

/* Is this process root of the initial user namespace, with CAP_SYS_ADMIN? */
static int is_machines_root(bool *ret_is)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
	ZS_AUTO_FREE char *map = NULL;
	unsigned inside, outside, count;
	int r;

	*ret_is = false;
	if (geteuid() != 0)
		return 0;
	if (syscall(SYS_capget, &header, sets) < 0)
		return -errno;
	r = zs_read_file("/proc/self/uid_map", &map);
	if (r < 0)
		return r;
	*ret_is = sets[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN) &&
		  sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && !inside && !outside && count == UINT32_MAX;
	return 0;
}

/* The uid and gid that ids without a mapping are shown as. */
enum { NOBODY = 65534 };

static int mount_public(const struct zs_grant *grant, int *namespace)
{
	const struct id_map map = { NOBODY, NOBODY, NOBODY, NOBODY, { { 0, 0 }, { 0, 0 } } };
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, grant->path);

	return clone_mapped(place, &map, namespace,
		MOUNT_ATTR_RDONLY | (grant->access == ZS_ACCESS_EXEC ? 0 : MOUNT_ATTR_NOEXEC), true);
}

/* Replaces a grant by its parts. The last grant takes its place. */
static void list_parts(struct zs_policy *policy, size_t index)
{
	struct zs_grant *grant = &policy->grants[index];
	ZS_AUTO_FREE char *path = ZS_STEAL(grant->path);
	enum zs_access access = grant->access;

	*grant = policy->grants[--policy->grant_count];
	zs_policy_add_public(policy, path, access);
}

static size_t find_public(const struct zs_policy *policy, size_t from)
{
	while (from < policy->grant_count && !policy->grants[from].public)
		from++;
	return from;
}

/* Returns the ID-mapped mount of the grant. -EINVAL: it is not available. */
static int try_mount(const struct zs_policy *policy, const struct zs_grant *grant, int *namespace)
{
	bool is_root = false;
	int r = policy->tier == ZS_TIER_MOUNTS ? is_machines_root(&is_root) : 0;

	if (r == 0)
		r = is_root ? mount_public(grant, namespace) : -EINVAL;
	/* The tree has been removed meanwhile: its list of parts is empty. */
	return r == -ENOENT || r == -ENOTDIR ? -EINVAL : r;
}

int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error)
{
	ZS_AUTO_FD int namespace = -1;

	for (size_t i = find_public(resolved, 0); i < resolved->grant_count; i = find_public(resolved, i)) {
		const struct zs_grant *grant = &resolved->grants[i];
		ZS_AUTO_FD int mount = try_mount(resolved, grant, &namespace);

		if (mount >= 0)
			i++;
		else if (mount == -EINVAL)
			list_parts(resolved, i);
		else
			return zs_error_errno(error, "sandbox", grant->path, -mount);
	}
	return 0;
}

int zs_stage_public(struct zs_run *run, struct zs_error *error)
{
	struct zs_public *public = &run->public;
	ZS_AUTO_FD int namespace = -1;

	for (size_t i = find_public(run->policy, 0); i < run->policy->grant_count; i = find_public(run->policy, i)) {
		const struct zs_grant *grant = &run->policy->grants[i];
		int mount = public->count < ZS_PUBLIC_MAX ? try_mount(run->policy, grant, &namespace) : -EINVAL;

		if (mount >= 0) {
			public->mounts[public->count++] = mount;
			i++;
		} else if (mount == -EINVAL) {
			list_parts(run->policy, i);
		} else {
			return zs_error_errno(error, "", grant->path, -mount);
		}
	}
	return 0;
}

void zs_public_end(struct zs_public *public)
{
	while (public->count > 0)
		close(public->mounts[--public->count]);
}

/* Another user's workspace */

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
	ZS_AUTO_FD int namespace = -1;
	struct id_map map = { 0 };
	struct stat owner;
	bool overlay;
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
	if (run->policy->users) {
		r = zs_users_find(&map.users, error);
		if (r < 0)
			return r;
	}
	map.uid = owner.st_uid;
	map.gid = owner.st_gid;
	overlay = zs_overlay_asked(run->policy);
	r = run->mapped = clone_mapped(place, &map, &namespace, overlay ? MOUNT_ATTR_RDONLY : 0, !overlay);
	return r >= 0 || is_unavailable(-r) ? 0 : zs_error_errno(error, "", workspace, -r);
}
