#include "linux/files/standard_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/mount_calls.h"
#include "policy/policy.h"
#include "policy/tier.h"

/* Memory devices of Documentation/admin-guide/devices.txt. All nodes with the same number are the same device. */
enum { MEMORY_MAJOR = 1, NULL_MINOR = 3, MODE_BITS = 07777 };

static const char *const names[ZS_STANDARD_FILES] = { "standard input", "standard output", "standard error" };

static bool is_memory(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && major(st->st_rdev) == MEMORY_MAJOR;
}

static bool is_null(const struct stat *st)
{
	return is_memory(st) && minor(st->st_rdev) == NULL_MINOR;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	if (((a->st_mode ^ b->st_mode) & S_IFMT) != 0 || a->st_rdev != b->st_rdev)
		return false;
	/* Each devpts has terminals of its own with the same numbers: they differ by device and inode. */
	return is_memory(a) || (a->st_dev == b->st_dev && a->st_ino == b->st_ino);
}

/* O_NONBLOCK: open(2) waits neither for a serial line nor for a process that has a lease on the file. */
int zs_standard_open(const char *path, int flags, const struct stat *want)
{
	ZS_AUTO_FD int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!is_same_file(&st, want))
		return S_ISCHR(want->st_mode) ? -ENODEV : -ESTALE;
	return ZS_STEAL_FD(fd);
}

static int open_device(const char *path, int flags, const struct stat *want)
{
	ZS_AUTO_FD int fd = zs_standard_open(path, flags & (O_ACCMODE | O_APPEND | O_PATH), want);

	if (fd >= 0 && !(flags & O_PATH) && fcntl(fd, F_SETFL, flags & (O_APPEND | O_NONBLOCK)) < 0)
		return -errno;
	return ZS_STEAL_FD(fd);
}

static int open_null(const struct stat *want)
{
	const unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, "/dev/null");
	ZS_AUTO_FD int mount = place < 0 ? place : zs_mount_clone(place, "", attributes);
	char path[32];

	if (mount < 0)
		return mount;
	snprintf(path, sizeof path, "/proc/self/fd/%d", mount);
	return open_device(path, O_RDWR, want);
}

int zs_standard_null(void)
{
	struct stat st;

	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		if (fstat(fd, &st) < 0)
			return -errno;
		if (is_null(&st))
			return open_null(&st);
	}
	return -ENOENT;
}

/* The device's path among the command's mounts. NULL: it has none. */
static const char *place_of(const struct stat *device)
{
	static const char *const memory[] = {
		[NULL_MINOR] = "/dev/null",
		[5] = "/dev/zero",
		[7] = "/dev/full",
		[8] = "/dev/random",
		[9] = "/dev/urandom",
	};

	if (!is_memory(device))
		return ZS_TERMINAL;
	return minor(device->st_rdev) < ZS_COUNT(memory) ? memory[minor(device->st_rdev)] : NULL;
}

/* May the caller's descriptor stay? It may when the command has no path for the device, when a terminal has hung up, or
 * when the device belongs to another user, as a terminal does after su(1): the command cannot change its mode then. */
static bool may_stay(int cause, const struct stat *device)
{
	return cause == ENOENT || cause == ENOTDIR || cause == ENODEV || cause == EIO || cause == ENXIO ||
	       (cause == EACCES && device->st_uid != geteuid());
}

static int reopen(int fd, const struct stat *device, int null)
{
	const char *place = place_of(device);
	int flags = fcntl(fd, F_GETFL);
	ZS_AUTO_FD int again = -1;

	if (flags < 0)
		return -errno;
	again = place ? open_device(place, flags, device) : -ENOENT;
	if (again >= 0)
		return dup2(again, fd) < 0 ? -errno : 0;
	if (!may_stay(-again, device))
		return again;
	return is_null(device) && null >= 0 && dup2(null, fd) < 0 ? -errno : 0;
}

int zs_standard_reopen(int null)
{
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		struct stat st;
		int r;

		if (fstat(fd, &st) < 0)
			return -errno;
		r = S_ISCHR(st.st_mode) ? reopen(fd, &st, null) : 0;
		if (r < 0)
			return r;
	}
	return 0;
}

int zs_standard_note(struct zs_standard_files *ret_files)
{
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		if (fstat(fd, &ret_files->before[fd]) < 0)
			return -errno;
		ret_files->known[fd] = true;
	}
	return 0;
}

void zs_standard_put_back(const struct zs_standard_files *files)
{
	for (int fd = 0; fd < ZS_STANDARD_FILES; fd++) {
		const struct stat *was = &files->before[fd];
		struct stat st;
		int r = 0;

		/* An exchanged file can only be changed by its path, by a command that may write it. */
		if (files->regular[fd].kind != ZS_STANDARD_KEPT)
			continue;
		if (!files->known[fd] || fstat(fd, &st) < 0 || st.st_dev != was->st_dev || st.st_ino != was->st_ino)
			continue;
		if (st.st_mode == was->st_mode && st.st_uid == was->st_uid && st.st_gid == was->st_gid)
			continue;
		/* The owner first: chown(2) clears the set-user-ID and set-group-ID bits. */
		if (st.st_uid != was->st_uid || st.st_gid != was->st_gid)
			r = fchown(fd, was->st_uid, was->st_gid);
		if (fchmod(fd, was->st_mode & MODE_BITS) < 0)
			r = -1;
		zs_notice("zs: %s: the command has changed its mode or owner; %s", names[fd],
			r == 0 ? "zs has restored it" : "zs cannot restore it");
	}
}

/* Refuses a socket that can be connected to another peer. A network socket always can, and it keeps the network
 * namespace that it was made in. An AF_UNIX socket can when it is unconnected or sends datagrams. */
static int check_socket(const struct zs_policy *policy, int fd, const char *name, struct zs_error *error)
{
	struct sockaddr_un peer;
	socklen_t peer_size = sizeof peer, domain_size = sizeof(int), type_size = sizeof(int);
	int domain, type;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) < 0 ||
		getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) < 0)
		return zs_error_errno(error, "", name, errno);
	if (domain != AF_UNIX && policy->network == ZS_NETWORK_FULL)
		return 0;
	if (domain == AF_UNIX &&
		((policy->sockets.count > 0 && !zs_policy_has_broker(policy)) ||
			(type != SOCK_DGRAM && getpeername(fd, (struct sockaddr *)&peer, &peer_size) == 0)))
		return 0;
	zs_error_say(error, "", name, EPERM, "is a socket that the command could connect to other peers");
	return zs_error_hint(error, -EPERM, "put a pipe between: cat | zs …");
}

/* A directory descriptor reaches all of the machine's files by openat(fd, "..", …). */
int zs_standard_check(const struct zs_policy *policy, struct zs_error *error)
{
	int r = 0;

	for (int fd = 0; r == 0 && fd <= 2; fd++) {
		struct stat st;

		if (fstat(fd, &st) < 0)
			return zs_error_errno(error, "", names[fd], errno);
		if (S_ISSOCK(st.st_mode))
			r = check_socket(policy, fd, names[fd], error);
		if (!S_ISDIR(st.st_mode))
			continue;
		zs_error_say(error, "", names[fd], EISDIR,
			"is a directory, through which the command could reach other files");
		return zs_error_hint(error, -EISDIR, "redirect it to a file or to /dev/null");
	}
	return r;
}

/* Opens the terminal's path with O_PATH. -ENOENT: it has none here, for example because another container made it. */
static int open_name(int terminal)
{
	ZS_AUTO_FD int place = -1;
	char name[PATH_MAX];
	struct stat want, have;

	if (zs_fd_path(terminal, name) == 0)
		place = zs_open_place(AT_FDCWD, name);
	return place >= 0 && fstat(terminal, &want) == 0 && fstat(place, &have) == 0 && S_ISCHR(have.st_mode) &&
			       is_same_file(&have, &want)
		       ? ZS_STEAL_FD(place)
		       : -ENOENT;
}

int zs_terminal_show(struct zs_root_tree *tree, bool *ret_shown)
{
	/* A terminal can be written on a read-only mount, but its mode and owner cannot be changed. */
	const unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

	*ret_shown = false;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		ZS_AUTO_FD int place = isatty(fd) ? open_name(fd) : -ENOENT;
		ZS_AUTO_FD int mount = place < 0 ? place : zs_mount_clone(place, "", attributes);
		int r;

		if (mount == -ENOENT)
			continue;
		r = mount < 0 ? mount : zs_root_attach(tree, mount, ZS_TERMINAL, false);
		*ret_shown = r == 0;
		return r;
	}
	return 0;
}
