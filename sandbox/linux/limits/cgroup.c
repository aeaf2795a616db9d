#include "linux/limits/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder_reader.h"
#include "linux/limits/cgroup_place.h"

static const char prefix[] = "zs-";

enum {
	KILL_MS = 10000,  /* an uninterruptible wait in the kernel delays a process's end */
	REMOVE_MS = 2000, /* wait(2) can return before the last process has left the cgroup */
	DEPTH_MAX = 32,   /* of nested cgroups that are removed */
};

/* Opens a file of a folder without following a symbolic link, though cgroupfs has none. */
static int open_at(int folder, const char *name, int flags)
{
	int fd = openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 ? -errno : fd;
}

/* A missing right to make cgroups is no failure: the caller does without (-ENOENT). */
static int absent_if_denied(int r)
{
	return r == -EACCES || r == -EROFS ? -ENOENT : r;
}

/* Uses the system call: where the kernel lacks it, musl's faccessat(3) starts a process instead. */
static int may_write(int folder, const char *name)
{
	return syscall(SYS_faccessat2, folder, name, W_OK, AT_EACCESS) < 0 ? -errno : 0;
}

/* May this process make cgroups here and move itself into them? Moving takes the right to write cgroup.procs of the
 * common ancestor, which is this folder. */
static int check_parent(int folder, bool v2)
{
	struct statfs fs;
	int r;

	if (fstatfs(folder, &fs) < 0)
		return -errno;
	/* Another file system has been mounted there. */
	if ((unsigned long)fs.f_type != (v2 ? CGROUP2_SUPER_MAGIC : CGROUP_SUPER_MAGIC))
		return -ENOENT;
	r = may_write(folder, ".");
	return r < 0 ? r : may_write(folder, "cgroup.procs");
}

int zs_cgroup_open_parent(const char *path, bool v2)
{
	ZS_AUTO_FD int folder = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
	int r = folder < 0 ? folder : check_parent(folder, v2);

	return r < 0 ? absent_if_denied(r) : ZS_STEAL_FD(folder);
}

/* Removes a left-over cgroup that no process has locked. rmdir(2) fails while it has processes, which is fine. */
static int remove_leftover(int parent, const char *name, unsigned char type, void *arg)
{
	ZS_AUTO_FD int left = type == DT_DIR && strncmp(name, prefix, sizeof prefix - 1) == 0
				      ? open_at(parent, name, O_RDONLY | O_DIRECTORY)
				      : -1;

	(void)arg;
	if (left >= 0 && flock(left, LOCK_EX | LOCK_NB) == 0)
		unlinkat(parent, name, AT_REMOVEDIR);
	return 0;
}

/* -EAGAIN: another process removed the cgroup (remove_leftover()) before it was locked. */
static int make_one(int parent, struct zs_cgroup *ret_cgroup)
{
	struct zs_cgroup cgroup = { .parent = parent };
	struct stat own, named;
	uint64_t number;
	int r = 0;

	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		return -errno;
	snprintf(cgroup.name, sizeof cgroup.name, "%s%016" PRIx64, prefix, number);
	if (mkdirat(parent, cgroup.name, 0755) < 0)
		return errno == EEXIST ? -EAGAIN : absent_if_denied(-errno);
	cgroup.fd = open_at(parent, cgroup.name, O_RDONLY | O_DIRECTORY);
	if (cgroup.fd < 0)
		r = cgroup.fd == -ENOENT ? -EAGAIN : cgroup.fd;
	else if (flock(cgroup.fd, LOCK_EX | LOCK_NB) < 0)
		r = errno == EWOULDBLOCK ? -EAGAIN : -errno;
	else if (fstat(cgroup.fd, &own) < 0)
		r = -errno;
	else if (fstatat(parent, cgroup.name, &named, AT_SYMLINK_NOFOLLOW) < 0)
		r = errno == ENOENT ? -EAGAIN : -errno;
	else if (own.st_ino != named.st_ino)
		r = -EAGAIN;
	if (r == 0) {
		*ret_cgroup = cgroup;
		return 0;
	}
	if (cgroup.fd >= 0)
		close(cgroup.fd);
	unlinkat(parent, cgroup.name, AT_REMOVEDIR);
	return r;
}

int zs_cgroup_make(int parent, struct zs_cgroup *ret_cgroup)
{
	enum { TRIES = 16 };
	int r = -EAGAIN;

	for (int i = 0; i < TRIES && r == -EAGAIN; i++)
		r = make_one(parent, ret_cgroup);
	return r;
}

int zs_cgroup_write(const struct zs_cgroup *cgroup, const char *file, const char *text)
{
	ZS_AUTO_FD int fd = open_at(cgroup->fd, file, O_WRONLY);
	size_t len = strlen(text);
	ssize_t written = fd < 0 ? 0 : write(fd, text, len);

	if (fd < 0)
		return fd;
	if (written < 0)
		return -errno;
	return (size_t)written == len ? 0 : -EIO;
}

/* Reads a cgroup file, which is short, with one read(2). Returns its length or a negative errno. */
static ssize_t read_text(int folder, const char *file, char *text, size_t size)
{
	ZS_AUTO_FD int fd = open_at(folder, file, O_RDONLY);
	ssize_t len = fd < 0 ? fd : read(fd, text, size - 1);

	if (fd >= 0 && len < 0)
		return -errno;
	if (len >= 0)
		text[len] = '\0';
	return len;
}

int zs_cgroup_number(const struct zs_cgroup *cgroup, const char *file, const char *key, uint64_t *ret_number)
{
	char text[4096], *at = text;
	size_t key_len = key ? strlen(key) : 0;
	ssize_t len = read_text(cgroup->fd, file, text, sizeof text);

	if (len < 0)
		return (int)len;
	while (key && *at && !(strncmp(at, key, key_len) == 0 && at[key_len] == ' ')) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return *at && sscanf(at + key_len, "%" SCNu64, ret_number) == 1 ? 0 : -ENOENT;
}

int zs_cgroup_lists(int folder, const char *file, const char *word)
{
	char text[4096];
	ssize_t len = read_text(folder, file, text, sizeof text);

	return len < 0 ? (int)len : zs_has_word(text, (size_t)len, ' ', word);
}

/* Uses CLONE_INTO_CGROUP, since moving a process later makes all processors synchronize, which is slow. */
pid_t zs_cgroup_fork(const struct zs_cgroup *cgroup)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP,
		.exit_signal = SIGCHLD,
		.cgroup = (uint64_t)cgroup->fd,
	};
	long pid = syscall(SYS_clone3, &args, sizeof args);

	return pid < 0 ? (pid_t)-errno : (pid_t)pid;
}

/* Waits with poll(2) for cgroup.events, which signals POLLPRI when a value in it changes. */
int zs_cgroup_kill(const struct zs_cgroup *cgroup)
{
	ZS_AUTO_FD int events = open_at(cgroup->fd, "cgroup.events", O_RDONLY);
	int64_t deadline = zs_now_ms() + KILL_MS;
	int r;

	if (events < 0)
		return events;
	/* The cgroup need not be frozen first: cgroup.kill also catches concurrent forks and frozen processes (Linux
	 * 5.14). */
	r = zs_cgroup_write(cgroup, "cgroup.kill", "1");
	if (r < 0)
		return r;
	for (;;) {
		struct pollfd change = { events, POLLPRI, 0 };
		char text[256];
		ssize_t len = pread(events, text, sizeof text - 1, 0);

		if (len < 0)
			return -errno;
		text[len] = '\0';
		if (strstr(text, "populated 0"))
			return 0;
		if (zs_now_ms() >= deadline)
			return -ETIMEDOUT;
		if (poll(&change, 1, (int)(deadline - zs_now_ms())) < 0 && errno != EINTR)
			return -errno;
	}
}

/* Removes a cgroup that a tracked process has made below its own, with those below that. */
static int remove_nested(int parent, const char *name, unsigned char type, void *arg)
{
	int depth = *(int *)arg + 1;
	ZS_AUTO_FD int folder = -1;

	if (type != DT_DIR)
		return 0;
	if (depth <= DEPTH_MAX)
		folder = open_at(parent, name, O_RDONLY | O_DIRECTORY);
	if (folder >= 0)
		zs_folder_each(folder, remove_nested, &depth, NULL);
	unlinkat(parent, name, AT_REMOVEDIR);
	return 0;
}

static int try_remove(const struct zs_cgroup *cgroup)
{
	int depth = 0, r;

	if (unlinkat(cgroup->parent, cgroup->name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno != EBUSY)
		return -errno;
	zs_folder_list(cgroup->fd, remove_nested, &depth);
	r = zs_cgroup_kill(cgroup);
	return r == 0 || r == -ENOENT ? -EBUSY : r; /* version 1 has no cgroup.kill */
}

int zs_cgroup_remove(struct zs_cgroup *cgroup)
{
	int64_t deadline = zs_now_ms() + REMOVE_MS;
	int r;

	if (cgroup->fd < 0)
		return 0;
	while ((r = try_remove(cgroup)) == -EBUSY && zs_now_ms() < deadline)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	zs_folder_list(cgroup->parent, remove_leftover, NULL);
	zs_cgroup_close(cgroup);
	return r;
}

void zs_cgroup_close(struct zs_cgroup *cgroup)
{
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	if (cgroup->parent >= 0)
		close(cgroup->parent);
	*cgroup = ZS_CGROUP_NONE;
}
