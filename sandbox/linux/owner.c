/* Root in a workspace of another user's: in the run's user namespace nobody but root exists, and root has no powers
 * over other users' files, so it could write nothing. Below an overlay the workspace is therefore shown as root's own,
 * by a mount that maps its owner to root (man 2 mount_setattr, "ID-mapped mounts"). Nothing is written through it. It
 * takes the machine's root to make one, hence before the namespaces. */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "mount_calls.h"
#include "overlay.h"

static int write_map(pid_t pid, const char *name, unsigned shown_of)
{
	char path[64], map[64];
	ZS_AUTO_FD int fd = -1;
	int len = snprintf(map, sizeof map, "%u 0 1\n", shown_of);

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, map, (size_t)len) != len ? -errno : 0;
}

static int open_namespace(pid_t pid, const struct stat *owner)
{
	char path[64];
	int fd, r = write_map(pid, "uid_map", owner->st_uid);

	if (r == 0)
		r = write_map(pid, "gid_map", owner->st_gid);
	snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
	fd = r < 0 ? r : open(path, O_RDONLY | O_CLOEXEC);
	return r < 0 ? r : fd < 0 ? -errno : fd;
}

/* Such a mount's map is that of a user namespace, which takes a process to be made, and outlives it. */
static int make_namespace(const struct stat *owner)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
	int fd;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		for (;;)
			pause();
	fd = open_namespace(pid, owner);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
	return fd;
}

static int make_mount(int place, const struct stat *owner)
{
	ZS_AUTO_FD int namespace = make_namespace(owner);

	return namespace < 0 ? namespace : zs_mount_clone_mapped(place, namespace);
}

/* A file system that has no such mounts, or a root that is not the machine's: the workspace is as it would be without,
 * and what root may not write it may not write in the layer. */
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

	if (!zs_overlay_asked(run->policy) || geteuid() != 0)
		return 0;
	place = zs_open_place(AT_FDCWD, workspace);
	r = place < 0 ? place : fstat(place, &owner) < 0 ? -errno : 0;
	if (r < 0)
		return zs_error_errno(error, "", workspace, -r);
	if (owner.st_uid == 0)
		return 0;
	r = run->mapped = make_mount(place, &owner);
	return r >= 0 || is_unavailable(-r) ? 0 : zs_error_errno(error, "", workspace, -r);
}
