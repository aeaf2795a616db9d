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
#include <stdlib.h>
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
#include "base/read_file.h"

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

/* A process that may not make cgroups runs without one, so this is no failure (-ENOENT). */
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

/* Opens a folder in which this process may make cgroups and move processes into them. v2: of cgroup version 2, else of
 * version 1. Returns a descriptor or a negative errno; -ENOENT: the folder is not a cgroup, or this process may not. */
static int open_parent(const char *path, bool v2)
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

/* Choosing a parent */

/* The hierarchies that can hold a limit, best first. */
static const struct holder {
	enum zs_limit limit;
	enum zs_hierarchy hierarchy;
	const char *controller; /* of version 2 that the parent must have enabled; NULL: none is needed */
	const char *how;        /* for zs doctor */
} holders[] = {
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory", "memory.max (cgroup 2)" },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, NULL, "memory.limit_in_bytes (cgroup 1)" },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_V2, "pids", "pids.max (cgroup 2)" },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_PIDS, NULL, "pids.max (cgroup 1)" },
	{ ZS_LIMIT_CPU, ZS_HIERARCHY_V2, NULL, "cpu.stat (cgroup 2)" },
	{ ZS_LIMIT_CPU, ZS_HIERARCHY_CPUACCT, NULL, "cpuacct.usage (cgroup 1)" },
};

const uint32_t zs_cgroup_limits =
	ZS_LIMIT_BIT(ZS_LIMIT_MEMORY) | ZS_LIMIT_BIT(ZS_LIMIT_PROCESSES) | ZS_LIMIT_BIT(ZS_LIMIT_CPU);

int zs_cgroup_self_read(struct zs_cgroup_self *ret_self, const char **ret_object)
{
	struct zs_cgroup_self self = { NULL, NULL };
	int r = zs_read_file(*ret_object = "/proc/self/mountinfo", &self.mountinfo);

	if (r == 0)
		r = zs_read_file(*ret_object = "/proc/self/cgroup", &self.membership);
	if (r < 0)
		zs_cgroup_self_free(&self);
	else
		*ret_self = self;
	return r;
}

void zs_cgroup_self_free(struct zs_cgroup_self *self)
{
	free(self->mountinfo);
	free(self->membership);
}

static int can_hold(const struct holder *holder, int parent)
{
	char text[4096];
	ssize_t len;

	if (!holder->controller)
		return 1;
	len = read_text(parent, "cgroup.subtree_control", text, sizeof text);
	return len < 0 ? (int)len : zs_has_word(text, (size_t)len, ' ', holder->controller);
}

/* Does zs_cgroup_choose()'s work for one folder. */
static int choose(const char *path, enum zs_hierarchy hierarchy, uint32_t wanted, struct zs_cgroup_choice *ret_choice)
{
	struct zs_cgroup_choice choice = { open_parent(path, hierarchy == ZS_HIERARCHY_V2), 0 };
	int r = choice.parent < 0 ? choice.parent : 0;

	for (size_t i = 0; r >= 0 && i < ZS_COUNT(holders); i++) {
		if (holders[i].hierarchy != hierarchy || !(wanted & ZS_LIMIT_BIT(holders[i].limit)))
			continue;
		r = can_hold(&holders[i], choice.parent);
		if (r > 0)
			choice.held |= ZS_LIMIT_BIT(holders[i].limit);
	}
	if (r >= 0 && (choice.held || !wanted)) {
		*ret_choice = choice;
		return 0;
	}
	if (choice.parent >= 0)
		close(choice.parent);
	return r < 0 ? r : -ENOENT;
}

static bool holds_more(const struct zs_cgroup_choice *a, const struct zs_cgroup_choice *b)
{
	return __builtin_popcount(a->held) > __builtin_popcount(b->held);
}

/* Chooses this process's own cgroup, or its parent if that can hold more. A cgroup with processes in it cannot enable
 * controllers for its children (man 7 cgroups, "no internal processes"), so in a systemd slice the controllers are
 * available beside us, not below. */
int zs_cgroup_choose(const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy, uint32_t wanted,
	struct zs_cgroup_choice *ret_choice)
{
	struct zs_cgroup_choice own = { -1, 0 }, above = { -1, 0 }, left;
	struct zs_cgroup_place place;
	int r = zs_cgroup_find(self->mountinfo, self->membership, hierarchy, &place);

	if (r < 0)
		return r;
	r = choose(place.path, hierarchy, wanted, &own);
	if (r == 0 && own.held == wanted) {
		*ret_choice = own;
		return 0;
	}
	if (hierarchy == ZS_HIERARCHY_V2 && (r == 0 || r == -ENOENT) && !place.is_top) {
		*strrchr(place.path, '/') = '\0';
		r = choose(place.path, hierarchy, wanted, &above);
	}
	if (r == 0 || (r == -ENOENT && own.parent >= 0)) {
		*ret_choice = holds_more(&above, &own) || own.parent < 0 ? above : own;
		left = ret_choice->parent == own.parent ? above : own;
		r = 0;
	} else {
		left = own;
	}
	if (left.parent >= 0)
		close(left.parent);
	return r;
}

int zs_cgroup_limits_probe(uint32_t wanted, const char *ret_how[ZS_LIMIT_COUNT])
{
	const char *object;
	struct zs_cgroup_self self;
	int r = zs_cgroup_self_read(&self, &object);

	for (int i = 0; i < ZS_LIMIT_COUNT; i++)
		ret_how[i] = NULL;
	if (r < 0)
		return r;
	for (enum zs_hierarchy h = 0;
		(r == 0 || r == -ENOENT) && (wanted &= zs_cgroup_limits) && h < ZS_HIERARCHY_COUNT; h++) {
		struct zs_cgroup_choice choice;

		r = zs_cgroup_choose(&self, h, wanted, &choice);
		if (r < 0)
			continue;
		close(choice.parent);
		wanted &= ~choice.held;
		for (size_t i = 0; i < ZS_COUNT(holders); i++)
			if (holders[i].hierarchy == h && (choice.held & ZS_LIMIT_BIT(holders[i].limit)))
				ret_how[holders[i].limit] = holders[i].how;
	}
	zs_cgroup_self_free(&self);
	return r == -ENOENT ? 0 : r;
}
