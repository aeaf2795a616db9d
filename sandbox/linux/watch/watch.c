/* Looks at the names of a watch. It must not call malloc(), since supervisors of sessions use it: see session.h. */
#include "linux/watch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/base/mount_calls.h"
#include "linux/watch/watched_name.h"

enum { CANNOT_ENFORCE = 125 }; /* as in supervisor.c */

enum { ZFS_MAGIC = 0x2fc12fc1 }; /* ZFS is no part of the kernel, so linux/magic.h has no name for it */

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000 /* Linux 5.8; musl has no name for it */
#endif

/* A command that makes such names again and again wants a program outside to see one before it is moved aside. After
 * this many the run is ended. */
enum { MOVED_MAX = ZS_ASIDE_MAX };

/* How long the init may take to mount a file again. The command can make it wait for a processor. */
enum { AGAIN_MS = 300 };

/* How long git may take to write its index when it has changed a protected file, and how often the watch looks. */
enum { INDEX_MS = 10 * 1000, INDEX_EVERY_MS = 20 };

/* A folder is quiet after this time, which must be more than the coarsest clock of a file system in notes_changes():
 * one second, of an ext4 with inodes of 128 bytes. */
enum { REST_SECONDS = 3 };

int zs_watched_target(int folder, const char *name, char target[PATH_MAX])
{
	ssize_t len = readlinkat(folder, name, target, PATH_MAX - 1);

	if (len < 0)
		return -errno;
	target[len] = '\0';
	return 0;
}

int zs_watched_is_mount(int folder, const char *name)
{
	struct statx st = { 0 }; /* musl's replacement for statx(2) leaves fields unset */

	if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &st) < 0)
		return -errno;
	/* Kernels before 5.8 do not tell, and neither does a C library's replacement for statx(2). */
	if (!(st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT))
		return -ENOSYS;
	return (st.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

static bool is_of_mount(const struct zs_watched_name *name)
{
	return name->what >= ZS_WATCHED_PROTECTED;
}

int zs_watch_fail(struct zs_error *error, const char *path, int cause)
{
	if (cause == EEXIST || cause == ESTALE) {
		zs_error_say(error, "", path, cause,
			cause == EEXIST ? "has appeared since zs mounted the protected files"
					: "a program outside has replaced or moved it since zs mounted it");
		return zs_error_hint(error, -cause, "start again; runs of a session need a new one");
	}
	zs_error_errno(error, "", path, cause);
	if (cause == EMFILE)
		return zs_error_hint(error, -EMFILE, "each watched folder takes a descriptor: ulimit -n 1024");
	if (cause != EACCES)
		return -cause;
	return zs_error_hint(error, -EACCES,
		"zs cannot list its folder, so it would not see a change: hide or protect the folder itself");
}

static int notify(int folder)
{
	return fcntl(folder, F_NOTIFY, DN_CREATE | DN_RENAME | DN_DELETE | DN_MULTISHOT) < 0 ? -errno : 0;
}

/* The name that has opened this folder, or NULL. Names of one folder stand together in the list, so the search goes
 * backwards; paths differ mostly at their end, so the last byte is compared first. */
static const struct zs_watched_name *find_open(
	const struct zs_watch *watch, const struct zs_watched_name *until, const char *path, size_t len)
{
	while (until-- > watch->names)
		if (until->folder >= 0 && (size_t)(until->name - until->path) == len + 1 &&
			(len == 0 || until->path[len - 1] == path[len - 1]) && memcmp(until->path, path, len) == 0)
			return &watch->names[until->first];
	return NULL;
}

static int watch_open_folder(struct zs_watch *watch, struct zs_watched_name *name)
{
	char path[PATH_MAX];
	size_t len = strlen(name->path);

	memcpy(path, name->path, len + 1);
	for (;;) {
		const struct zs_watched_name *opener;
		char *slash = strrchr(path, '/');
		int r;

		*slash = '\0';
		name->name = name->path + (slash - path) + 1;
		opener = find_open(watch, name, path, (size_t)(slash - path));
		name->first = (size_t)((opener ? opener : name) - watch->names);
		if (opener) {
			name->folder = opener->folder;
			return 0;
		}
		name->folder = zs_open_folder(slash == path ? "/" : path);
		r = name->folder < 0 ? name->folder : notify(name->folder);
		if ((r != -ENOENT && r != -ENOTDIR) || slash == path)
			return r;
	}
}

/* Asks for notices of the nearest folder above the name that has been made since the start. When there is none,
 * name->folder gives the notice. Other failures are errors: the name could appear without a notice. */
static int look_nearer(struct zs_watched_name *name)
{
	char path[PATH_MAX];
	char *slash;

	if (name->nearer >= 0)
		close(name->nearer);
	name->nearer = -1;
	snprintf(path, sizeof path, "%s", name->name);
	while ((slash = strrchr(path, '/'))) {
		*slash = '\0';
		name->nearer = openat(name->folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
		if (name->nearer >= 0)
			return notify(name->nearer);
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			return -errno;
	}
	return 0;
}

/* Does this file system set ctime at each change of a folder? Those that are not listed may not; a FUSE file system
 * does as its program likes. */
static bool notes_changes(const struct statfs *fs)
{
	static const uint32_t systems[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,
		ZFS_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC };

	for (size_t i = 0; i < ZS_COUNT(systems); i++)
		if ((uint32_t)fs->f_type == systems[i])
			return true;
	return false;
}

static int see(int folder, struct zs_watched_folder *ret_seen)
{
	struct timespec now;
	struct statfs fs;
	struct stat st;

	if (fstat(folder, &st) < 0 || fstatfs(folder, &fs) < 0 || clock_gettime(CLOCK_REALTIME, &now) < 0)
		return -errno;
	*ret_seen = (struct zs_watched_folder){ st.st_dev, st.st_ino, st.st_ctim,
		now.tv_sec - st.st_ctim.tv_sec >= REST_SECONDS && notes_changes(&fs) };
	return 0;
}

static bool is_as_seen(int folder, const struct zs_watched_folder *seen)
{
	struct stat st;

	return seen->quiet && fstat(folder, &st) == 0 && st.st_dev == seen->dev && st.st_ino == seen->ino &&
	       st.st_ctim.tv_sec == seen->changed.tv_sec && st.st_ctim.tv_nsec == seen->changed.tv_nsec;
}

/* A name that was absent when its folder was seen is absent as long as the folder has not changed. This saves 1.3 us
 * for each of the 26 names of a workspace. */
static bool is_still_absent(const struct zs_watch *watch, const struct zs_watched_name *name)
{
	return name->what == ZS_WATCHED_ABSENT && watch->names[name->first].same && !strchr(name->name, '/');
}

static bool is_same_folder(const struct zs_watched_name *name)
{
	struct stat st;

	return fstatat(name->folder, name->name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == name->st.st_ino &&
	       st.st_dev == name->st.st_dev;
}

/* A file that was protected again: while it was not, the command may have opened it by O_PATH or linked it, so no later
 * change is expected. */
static bool is_same_file(const struct zs_watched_name *name)
{
	struct stat st;

	return !name->touched && fstatat(name->folder, name->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_ino == name->st.st_ino && st.st_ctim.tv_sec == name->st.st_ctim.tv_sec &&
	       st.st_ctim.tv_nsec == name->st.st_ctim.tv_nsec;
}

/* Is the name as it was? 1 or 0; a negative errno: a later change would not be noticed. */
static int watch_compare(struct zs_watched_name *name)
{
	char target[PATH_MAX];
	struct stat st;
	int r;

	if (name->what == ZS_WATCHED_WAY)
		return name->folder < 0 || is_same_folder(name);
	if (is_of_mount(name))
		return zs_watched_is_mount(name->folder, name->name) > 0 && name->until == 0 &&
		       (!name->again || is_same_file(name));
	/* git may change it. */
	if (name->what == ZS_WATCHED_INDEX)
		return 1;
	r = strchr(name->name, '/') ? look_nearer(name) : 0;
	if (r < 0)
		return r;
	if (name->what == ZS_WATCHED_ABSENT)
		return fstatat(name->folder, name->name, &st, AT_SYMLINK_NOFOLLOW) < 0 &&
		       (errno == ENOENT || errno == ENOTDIR);
	return zs_watched_target(name->folder, name->name, target) == 0 && strcmp(target, name->target) == 0;
}

/* Returns false also when that is not known. */
static bool is_as_it_was(struct zs_watched_name *name)
{
	return watch_compare(name) > 0;
}

static int see_first(const struct zs_watch *watch, struct zs_watched_name *name)
{
	int r = is_still_absent(watch, name) ? 1 : watch_compare(name);

	if (r != 0)
		return r < 0 ? r : 0;
	return is_of_mount(name) ? -ESTALE : -EEXIST;
}

int zs_watch_begin(struct zs_watch *watch, struct zs_error *error)
{
	for (size_t i = 0; i < watch->count; i++) {
		struct zs_watched_name *name = &watch->names[i];
		int r = watch_open_folder(watch, name);

		if (r == -EINVAL) {
			zs_error_say(error, "", name->path, EOPNOTSUPP,
				"is protected, and this kernel does not report new names");
			return zs_error_hint(error, -EOPNOTSUPP, "sysctl -w fs.dir-notify-enable=1");
		}
		/* This user may not list the folder, so this user's programs cannot move folders in it. */
		if (r == -EACCES && name->what == ZS_WATCHED_WAY)
			continue;
		if (r == 0 && name->first == i && !(name->same = is_as_seen(name->folder, &name->seen)))
			r = see(name->folder, &name->seen);
		if (r == 0 && name->what == ZS_WATCHED_WAY &&
			fstatat(name->folder, name->name, &name->st, AT_SYMLINK_NOFOLLOW) < 0)
			r = -errno;
		if (r == 0)
			r = see_first(watch, name);
		if (r == 0 && name->what == ZS_WATCHED_INDEX)
			r = zs_watch_index_begin(name);
		if (r < 0) {
			watch->names[name->first].seen.quiet = false;
			return zs_watch_fail(error, name->path, -r);
		}
	}
	return 0;
}

static void watch_say(const struct zs_watched_name *name, int cause, const char *what, const char *hint)
{
	struct zs_error error;

	zs_error_say(&error, name->what == ZS_WATCHED_HIDDEN ? "hide" : "protect", name->path, cause, "%s", what);
	zs_error_hint(&error, 0, "%s", hint);
	zs_watch_say(&error);
}

static void name_aside(const char *from, uint64_t number, char ret_name[PATH_MAX])
{
	snprintf(ret_name, PATH_MAX, "%s.set-aside-%016llx", from, (unsigned long long)number);
}

/* Renames it in place. The new name is random, so that the command cannot occupy it beforehand. */
static int move(struct zs_watched_name *name, const char *from)
{
	char to[PATH_MAX], hint[384];
	uint64_t number;

	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		return -EIO;
	name_aside(from, number, to);
	if (renameat(name->folder, from, name->folder, to) < 0)
		return -errno;
	for (size_t i = 0; strcmp(from, ".git") == 0 && i < ZS_ASIDE_MAX; i++)
		if (!name->aside[i]) {
			name->aside[i] = number;
			break;
		}
	snprintf(hint, sizeof hint, "before you use it, look at %.140s; --rw %.160s lets a command make it", to,
		name->path);
	watch_say(name, EPERM, "appeared while a command ran, and zs has renamed it", hint);
	return 0;
}

/* Has the init mount it again, and check that no process has it open for writing: *ret_quiet. A process that has closed
 * it is in the log by then. When the run is over, the file needs neither. */
static bool mount_again(const struct zs_watch *watch, const struct zs_watched_name *name, bool *ret_quiet)
{
	struct pollfd answer = { watch->mounter, POLLIN, 0 };
	int r = -ETIMEDOUT, none;

	*ret_quiet = true;
	if (watch->over)
		return true;
	if (watch->mounter > 0 && zs_fds_send(watch->mounter, name->path, strlen(name->path) + 1, NULL, 0) == 0 &&
		poll(&answer, 1, AGAIN_MS) > 0)
		r = zs_result_receive(watch->mounter, &none);
	*ret_quiet = r == 0;
	return (r == 0 || r == -EAGAIN) && zs_watched_is_mount(name->folder, name->name) > 0;
}

/* Waits for git's index. Meanwhile a file that is made anew is protected. */
static int await_index(const struct zs_watch *watch, struct zs_watched_name *name)
{
	const struct itimerval soon = { .it_value.tv_usec = INDEX_EVERY_MS * 1000 };

	if (name->until == 0)
		name->until = zs_now_ms() + INDEX_MS;
	if (watch->over)
		poll(NULL, 0, INDEX_EVERY_MS);
	else if (setitimer(ITIMER_REAL, &soon, NULL) < 0)
		return -errno;
	return 0;
}

static const struct zs_watched_name *find_git(const struct zs_watch *watch, const struct zs_watched_name *name)
{
	const struct zs_watched_name *git = zs_watch_index_of(watch, name);

	return git && zs_watched_is_mount(git->folder, git->name) > 0 ? git : NULL;
}

static bool is_of_git(const struct zs_watch *watch, const struct zs_watched_name *name)
{
	const struct zs_watched_name *git = find_git(watch, name);

	return git && zs_watch_index_names(git, name, &name->st);
}

/* 1: the file may stay protected; 0: that is not known yet; or a negative errno. git: it is at work. */
static int judge_again(struct zs_watch *watch, struct zs_watched_name *name, enum zs_came came, bool git)
{
	bool made = came == ZS_CAME_MADE || came == ZS_CAME_CLOSED, quiet;
	bool mounted = zs_watched_is_mount(name->folder, name->name) > 0;

	if (came == ZS_CAME_REMOVED || (made && mounted && !is_of_git(watch, name)))
		return git ? await_index(watch, name) : -ESTALE;
	if (!mount_again(watch, name, &quiet))
		return -ESTALE;
	came = zs_watch_log_tell(watch, name, &name->st);
	if (quiet && (came == ZS_CAME_MOVED || (came == ZS_CAME_CLOSED && is_of_git(watch, name))))
		return 1;
	return made && !mounted && git ? await_index(watch, name) : -ESTALE;
}

/* A mount is lost, or its file waits for git's index. */
static int protect_again(struct zs_watch *watch, struct zs_watched_name *name)
{
	int r;

	name->lost = true;
	if (name->what != ZS_WATCHED_PROTECTED ||
		(name->until == 0 && zs_watched_is_mount(name->folder, name->name) > 0))
		return -ESTALE;
	do {
		/* Before the index is read. */
		const struct zs_watched_name *witness = find_git(watch, name);
		bool git =
			witness && zs_watch_index_is_locked(witness) && (name->until == 0 || zs_now_ms() < name->until);
		enum zs_came came = zs_watch_log_tell(watch, name, &name->st);

		if (came == ZS_CAME_REMOVED && !git)
			name->what = ZS_WATCHED_ABSENT;
		r = is_of_mount(name) ? judge_again(watch, name, came, git) : 1;
	} while (r == 0 && watch->over);
	name->lost = r < 0;
	if (r <= 0)
		return r;
	if (is_of_mount(name))
		watch_say(name, ESTALE, "a program outside has replaced it; it is protected again",
			"zs saw no other change of it");
	else
		watch_say(name, ENOENT, "a program outside has removed it; no command may make it", "");
	name->again = true;
	name->touched = false;
	name->until = 0;
	name->came = ZS_CAME_NOT;
	return 0;
}

static int put_back(struct zs_watch *watch, struct zs_watched_name *name)
{
	int r;

	if (is_of_mount(name))
		return protect_again(watch, name);
	r = move(name, name->name);
	if (r == -ENOENT && name->target)
		r = 0;
	/* When a folder in between leads out of reach, that folder is moved instead. */
	if (r < 0 && strchr(name->name, '/')) {
		char first[PATH_MAX];

		snprintf(first, sizeof first, "%.*s", (int)strcspn(name->name, "/"), name->name);
		r = move(name, first);
	}
	if (r == 0 && name->target && symlinkat(name->target, name->folder, name->name) < 0)
		r = -errno;
	return r;
}

/* 1: the name had changed and has been put back; 0: it is as it was or protected again; or a negative errno. The
 * command may have removed the permission to search its own folder, so this adds it while it looks. */
static int look_at(struct zs_watch *watch, struct zs_watched_name *name)
{
	struct stat st, now;
	bool closed, changed, mount = is_of_mount(name);
	int r;

	if (name->lost)
		return -ESTALE;
	if (is_as_it_was(name))
		return 0;
	closed = fstat(name->folder, &st) == 0 && (st.st_mode & S_IRWXU) != S_IRWXU &&
		 fchmod(name->folder, (st.st_mode & 07777) | S_IRWXU) == 0;
	changed = !is_as_it_was(name);
	r = changed ? put_back(watch, name) : 0;
	/* The command has removed the name itself meanwhile. */
	if (r < 0 && !name->lost && is_as_it_was(name))
		r = changed = false;
	/* A mode that the command has set meanwhile stays. From ours the kernel may have taken setgid away. */
	if (closed && fstat(name->folder, &now) == 0 && (now.st_mode & 0777) == ((st.st_mode | S_IRWXU) & 0777) &&
		fchmod(name->folder, st.st_mode & 07777) < 0) {
		/* The owner keeps the permission. */
	}
	return r < 0 ? r : changed && !mount;
}

bool zs_watch_look(struct zs_watch *watch)
{
	zs_watch_log_read(watch);
	for (size_t i = 0; i < watch->count; i++) {
		int r = look_at(watch, &watch->names[i]);

		if (r > 0 && ++watch->moved == MOVED_MAX) {
			watch_say(&watch->names[i], EPERM, "protected names appear again and again: the run is ended",
				"");
			return false;
		}
		if (r < 0)
			return false;
	}
	zs_watch_log_close_gap(watch);
	return true;
}

/* Reports a name that could not be put back. */
static void watch_complain(const struct zs_watched_name *name, int cause)
{
	static const struct {
		const char *what, *hint;
	} texts[] = {
		[ZS_WATCHED_ABSENT] = { "appeared while a command ran, and zs cannot rename it", "remove it" },
		[ZS_WATCHED_LINK] = { "was changed while a command ran, and zs cannot restore it",
			"look at it before you use it" },
		[ZS_WATCHED_PROTECTED] = { "a program outside has replaced or moved it, and the command may have "
					   "written "
					   "it: the run is ended",
			"look at it before you use it; change it in place, or between two runs" },
		[ZS_WATCHED_HIDDEN] = { "a program outside has replaced or moved it, and the command may have read it: "
					"the run is ended",
			"change it in place, or between two runs" },
		[ZS_WATCHED_WAY] = { "a program outside has replaced or moved it, and it holds protected or hidden "
				     "files: the run is ended",
			"look at the files before you use them; move the folder between two runs" },
	};

	watch_say(name, cause, texts[name->what].what, texts[name->what].hint);
}

/* `git init` has begun a repository, and nobody misses it. */
static void remove_blank(const struct zs_watched_name *name)
{
	char aside[PATH_MAX];

	for (size_t i = 0; i < ZS_ASIDE_MAX && name->aside[i]; i++) {
		name_aside(".git", name->aside[i], aside);
		if (zs_blank_repository_remove(name->folder, aside))
			watch_say(name, EPERM, "it held no work, and zs has removed it", "");
	}
}

int zs_watch_end(struct zs_watch *watch, int code)
{
	bool clean = true, whole = true;

	watch->over = true;
	zs_watch_log_read(watch);
	for (size_t i = 0; i < watch->count; i++) {
		struct zs_watched_name *name = &watch->names[i];
		int r;

		if (name->first == i)
			name->same = is_as_seen(name->folder, &name->seen);
		r = is_still_absent(watch, name) ? 0 : look_at(watch, name);
		if (r < 0) {
			watch_complain(name, -r);
			clean = false;
		}
	}
	/* Now the names are as they stay. */
	for (size_t i = 0; i < watch->count; i++)
		remove_blank(&watch->names[i]);
	for (size_t i = 0; i < watch->count; i++)
		if (watch->names[i].what == ZS_WATCHED_INDEX)
			whole = zs_watch_index_end(watch, &watch->names[i]) && whole;
	if (!clean)
		return ZS_WATCH_UNPROTECTED;
	return whole || code != 0 ? code : CANNOT_ENFORCE;
}
