#include "linux/files/disk_tmp.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "linux/base/mount_calls.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"
#include "linux/base/users.h"
#include "linux/files/own_tmp.h"

/* The machine's folder for large files that nobody keeps. A run with a private /tmp never sees it, whatever it is
 * granted: its own /var/tmp covers it. */
static const char parent[] = "/var/tmp";
static const char prefix[] = ZS_OWN_TMP_DISK;

/* A younger folder may be one that another zs is about to lock. */
enum { UNLOCKED_SECONDS = 60 };

static bool has_layer(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY;
}

/* Leftovers of runs whose supervisor was killed. A living run holds the folder's lock. */

static bool is_ours(const char *name)
{
	size_t len = strlen(prefix);

	if (strncmp(name, prefix, len) != 0 || strlen(name) != len + 16)
		return false;
	for (name += len; *name; name++)
		if (!isxdigit((unsigned char)*name))
			return false;
	return true;
}

/* By a child in the user namespace to which the files of a box's users belong (zs_policy_set_users()). */
static void remove_as_users(struct zs_own_tmp *left)
{
	pid_t pid = zs_fork(0, NULL);

	if (pid == 0) {
		struct zs_error error;
		const char *object;

		if (zs_users_enter(CLONE_NEWUSER, &object, &error) == 0)
			zs_own_tmp_remove(left);
		_exit(EXIT_SUCCESS);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static int sweep(int folder, const char *name, unsigned char type, void *arg)
{
	struct zs_own_tmp left = { .made = true, .parent = folder, .folder = -1 };
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	int r;

	(void)type;
	(void)arg;
	if (!is_ours(name))
		return 0;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() || time(NULL) - st.st_mtime < UNLOCKED_SECONDS ||
		flock(fd, LOCK_EX | LOCK_NB) < 0)
		return 0;
	left.folder = fd;
	snprintf(left.name, sizeof left.name, "%s", name);
	r = zs_own_tmp_remove(&left);
	if (r == -EPERM || r == -EACCES)
		remove_as_users(&left);
	return 0; /* what is left is tried again by the next run */
}

static int check_space(int folder, uint64_t wanted, struct zs_error *error)
{
	char free[32], limit[32];
	struct statvfs st;
	uint64_t bytes;

	if (fstatvfs(folder, &st) < 0)
		return zs_error_errno(error, "", parent, errno);
	bytes = (uint64_t)st.f_bavail * st.f_frsize;
	if (bytes >= wanted)
		return 0;
	zs_bytes_text(bytes >> 20 << 20, free, sizeof free);
	zs_bytes_text(wanted, limit, sizeof limit);
	zs_error_say(error, "", parent, ENOSPC, "has %s free, and the limit tmp asks for %s", free, limit);
	return zs_error_hint(error, -ENOSPC, "free space there, or lower --limit tmp=%s", limit);
}

int zs_stage_disk_tmp(struct zs_run *run, struct zs_error *error)
{
	struct zs_own_tmp *tmp = run->own_tmp;
	uint64_t wanted = zs_policy_tmp_bytes(run->policy);
	int r;

	if (wanted <= ZS_POLICY_TMP_BYTES ||
		(run->policy->tmp != ZS_TMP_PRIVATE && !has_layer(run->policy) && !run->policy->root))
		return 0;
	r = zs_own_tmp_make(tmp, parent, prefix);
	if (r == 0 && flock(tmp->folder, LOCK_EX | LOCK_NB) < 0)
		r = -errno;
	if (r == 0) {
		ZS_AUTO_FD int folder = zs_folder_open(parent);

		/* A folder that cannot be listed keeps its leftovers. */
		if (folder >= 0)
			zs_folder_each(folder, sweep, NULL, NULL);
		r = check_space(tmp->folder, wanted, error);
		return r;
	}
	zs_error_errno(error, "", parent, -r);
	return zs_error_hint(error, r, "--limit tmp=2G needs no disk");
}

int zs_disk_tmp_open(const struct zs_run *run)
{
	const struct zs_own_tmp *tmp = run->own_tmp;
	char path[sizeof parent + sizeof tmp->name + 1];
	ZS_AUTO_FD int place = -1;
	struct stat made, found;

	if (run->policy->tier != ZS_TIER_MOUNTS || tmp->folder < 0)
		return -ENOENT;
	snprintf(path, sizeof path, "%s/%s", parent, tmp->name);
	place = zs_open_place(AT_FDCWD, path);
	if (place < 0)
		return place == -ENOENT ? -ESTALE : place;
	if (fstat(tmp->folder, &made) < 0 || fstat(place, &found) < 0)
		return -errno;
	return made.st_dev == found.st_dev && made.st_ino == found.st_ino ? ZS_STEAL_FD(place) : -ESTALE;
}

/* Is this file system ours, by its type and size, and is less than a part in 128 of it free? A program that has met the
 * limit often removes its last file. */
static bool is_full(const char *path, long type, uint64_t limit)
{
	enum { PART = 128 };
	struct statfs st;

	if (statfs(path, &st) < 0 || (long)st.f_type != type)
		return false;
	/* The kernel rounds the size up to pages. */
	if ((uint64_t)st.f_blocks != (limit + (uint64_t)st.f_bsize - 1) / (uint64_t)st.f_bsize)
		return false;
	return st.f_bfree <= st.f_blocks / PART || st.f_ffree == 0;
}

bool zs_disk_tmp_tell_full(const struct zs_policy *policy, int code)
{
	uint64_t limit = zs_policy_tmp_bytes(policy);
	const char *what = NULL;
	char text[32];

	if (code == 0 || policy->tier != ZS_TIER_MOUNTS || limit > ZS_POLICY_TMP_BYTES)
		return false;
	if (policy->tmp == ZS_TMP_PRIVATE && is_full("/tmp", TMPFS_MAGIC, limit))
		what = "/tmp";
	else if (has_layer(policy) && is_full(policy->workspace, OVERLAYFS_SUPER_MAGIC, limit))
		what = "the dry run's layer";
	else if (policy->root && is_full("/", OVERLAYFS_SUPER_MAGIC, limit))
		what = "the root directory's layer";
	if (!what)
		return false;
	zs_bytes_text(limit, text, sizeof text);
	zs_notice("zs: %s is full: its limit is %s; --limit tmp=SIZE", what, text);
	return true;
}

void zs_disk_tmp_unmount(const struct zs_run *run)
{
	static const char *const folders[] = { "/tmp", "/var/tmp" };

	for (size_t i = 0; run->own_tmp->folder >= 0 && i < ZS_COUNT(folders); i++)
		umount2(folders[i], MNT_DETACH);
}

void zs_disk_tmp_end(struct zs_run *run)
{
	int r = run->policy->tier == ZS_TIER_MOUNTS ? zs_own_tmp_remove(run->own_tmp) : 0;

	if (r < 0)
		zs_notice("zs: tmp: %s/%s: files of the run are left: %s", parent, run->own_tmp->name, strerror(-r));
}
