/* Public grants let a run read only the files that every user may read. Root needs help for that: it owns /etc/shadow,
 * and a mode does not stop the owner. An ID-mapped mount (man 2 mount_setattr) shows the whole tree as nobody's, so
 * that the rights of others apply to root, too, and to files made later. Where such a mount is not available (overlayfs
 * has none, Docker's root may make none), each public part of the tree is granted by itself (public_parts.c). This
 * stage comes before the namespaces, since only root of the initial user namespace may make the mount. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/files/id_map.h"
#include "linux/base/mount_calls.h"
#include "linux/files/public.h"
#include "base/read_file.h"

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

static int make_mount(const struct zs_grant *grant)
{
	const struct zs_id_map map = { NOBODY, NOBODY, NOBODY, NOBODY };
	uint64_t attributes = MOUNT_ATTR_RDONLY | (grant->access == ZS_ACCESS_EXEC ? 0 : MOUNT_ATTR_NOEXEC);
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, grant->path);
	ZS_AUTO_FD int namespace = place < 0 ? place : zs_id_map_make(&map);

	return namespace < 0 ? namespace : zs_mount_clone_mapped(place, namespace, attributes, true);
}

/* Replaces run->policy by a copy with the parts in place of the grant. The copy is never freed. */
static int list_parts(struct zs_run *run, size_t index)
{
	const struct zs_policy *policy = run->policy;
	struct zs_policy *listed = malloc(sizeof *listed), *parts;
	size_t count = policy->grant_count - 1;
	int r = listed ? zs_policy_new(NULL, &parts) : -ENOMEM;

	if (r < 0) {
		free(listed);
		return r;
	}
	zs_policy_add_public(parts, policy->grants[index].path, policy->grants[index].access);
	*listed = *policy;
	listed->grants = calloc(count + parts->grant_count + 1, sizeof *listed->grants);
	if (!listed->grants) {
		free(listed);
		zs_policy_free(parts);
		return -ENOMEM;
	}
	listed->grant_count = 0;
	for (size_t i = 0; i < policy->grant_count; i++)
		if (i != index)
			listed->grants[listed->grant_count++] = policy->grants[i];
	for (size_t i = 0; i < parts->grant_count; i++)
		listed->grants[listed->grant_count++] = parts->grants[i];
	run->policy = listed;
	return 0;
}

static size_t find_public(const struct zs_policy *policy, size_t from)
{
	while (from < policy->grant_count && !policy->grants[from].public)
		from++;
	return from;
}

/* Returns the ID-mapped mount of the grant. -EINVAL: it is not available. */
static int try_mount(const struct zs_policy *policy, const struct zs_grant *grant)
{
	bool is_root = false;
	int r = policy->tier == ZS_TIER_MOUNTS ? is_machines_root(&is_root) : 0;

	if (r == 0)
		r = is_root ? make_mount(grant) : -EINVAL;
	/* The tree has been removed meanwhile: its list of parts is empty. */
	return r == -ENOENT || r == -ENOTDIR ? -EINVAL : r;
}

int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error)
{
	for (size_t i = find_public(resolved, 0); i < resolved->grant_count; i = find_public(resolved, i)) {
		struct zs_grant *grant = &resolved->grants[i];
		ZS_AUTO_FD int mount = try_mount(resolved, grant);
		ZS_AUTO_FREE char *path = NULL;
		enum zs_access access = grant->access;

		if (mount < 0 && mount != -EINVAL)
			return zs_error_errno(error, "sandbox", grant->path, -mount);
		i++;
		if (mount >= 0)
			continue;
		path = ZS_STEAL(grant->path);
		*grant = resolved->grants[--resolved->grant_count];
		zs_policy_add_public(resolved, path, access);
		i--;
	}
	return 0;
}

int zs_stage_public(struct zs_run *run, struct zs_error *error)
{
	size_t made = 0;

	for (size_t i = find_public(run->policy, 0); i < run->policy->grant_count; i = find_public(run->policy, i)) {
		const struct zs_grant *grant = &run->policy->grants[i];
		int r = made < ZS_PUBLIC_MAX ? try_mount(run->policy, grant) : -EINVAL;

		if (r >= 0) {
			run->public.mounts[made++] = r;
			i++;
		} else if (r == -EINVAL) {
			r = list_parts(run, i);
		}
		if (r < 0)
			return zs_error_errno(error, "", grant->path, -r);
	}
	return 0;
}

void zs_public_end(struct zs_public *public)
{
	for (size_t i = 0; i < ZS_PUBLIC_MAX; i++) {
		if (public->mounts[i] >= 0)
			close(public->mounts[i]);
		public->mounts[i] = -1;
	}
}
