/* The last look at protected names, by the journal, in a process that is not confined: see journal.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/watch/journal.h"
#include "linux/base/mount_calls.h"
#include "linux/base/process_calls.h"
#include "approval/session_place.h"
#include "linux/watch/watched_name.h"

int zs_folder_id(int folder, const char *path, char ret_id[ZS_FOLDER_ID_SIZE])
{
	struct statx st = { 0 }; /* musl's replacement for statx(2) leaves fields unset */

	if (statx(folder, path, AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st) < 0)
		return -errno;
	/* A file system that keeps no birth time leaves zero. */
	snprintf(ret_id, ZS_FOLDER_ID_SIZE, "%llx.%llx.%x", (unsigned long long)st.stx_ino,
		(unsigned long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
	return 0;
}

struct look {
	const char *at; /* the rest of the text */
	size_t left;
	bool live;        /* the journal belongs to the run of this process, which has just ended */
	bool dry;         /* only check the text */
	time_t rebooted;  /* when the machine started, if that was after the run; or 0 */
	int tree;         /* a descriptor of the present tree; -1: the tree does not exist any more */
	const char *path; /* the tree's path */
	bool failed;      /* a name could not be moved aside */
};

static void report(struct look *look, const char *path, int cause, const char *what, const char *hint)
{
	static const char *const made[] = { "appeared in a run whose processes were all killed",
		"appeared while a command ran" };
	struct zs_error error;

	zs_error_say(&error, "protect", path, cause, "%s, and %s", made[look->live], what);
	zs_error_hint(&error, 0, "%s", hint);
	zs_watch_say(&error);
}

static void last_look_complain(struct look *look, const char *path, int cause)
{
	look->failed = true;
	report(look, path, cause, "zs cannot rename it", "remove it");
}

/* A file that was born after the machine has started anew was made by no command of the run. */
static bool is_younger(const struct look *look, int folder, const char *name)
{
	struct statx st = { 0 }; /* musl's replacement for statx(2) leaves fields unset */

	return look->rebooted && statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &st) == 0 &&
	       st.stx_mask & STATX_BTIME && st.stx_btime.tv_sec > look->rebooted;
}

/* Renames the name in place, to a random name that the command cannot have occupied. path: for the message. */
static void move_aside(struct look *look, int folder, const char *path, const char *name, const char *target)
{
	char to[NAME_MAX + 1], hint[PATH_MAX + 64];
	uint64_t number;

	if (is_younger(look, folder, name))
		return;
	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) {
		last_look_complain(look, path, EIO);
		return;
	}
	snprintf(to, sizeof to, "%.200s.set-aside-%016llx", name, (unsigned long long)number);
	if (renameat(folder, name, folder, to) < 0) {
		if (errno != ENOENT)
			last_look_complain(look, path, errno);
		return;
	}
	snprintf(hint, sizeof hint, "before you use it, look at %.*s%s", (int)(strlen(path) - strlen(name)), path, to);
	report(look, path, EPERM, "zs has renamed it", hint);
	if (target && symlinkat(target, folder, name) < 0)
		last_look_complain(look, path, errno);
}

static bool says(int folder, const char *name, const char *target)
{
	char now[PATH_MAX];

	return target && zs_watched_target(folder, name, now) == 0 && strcmp(now, target) == 0;
}

/* Walks from folder to folder, one name at a time, and follows no symbolic link. A policy's paths contain no links, so
 * a link on the way was made by the command and is moved aside itself. */
static void look_at(struct look *look, const char *name, const char *target)
{
	char path[PATH_MAX], *part;
	int folder = look->tree;
	struct stat st;

	if (snprintf(path, sizeof path, "%s/%s", look->path[1] ? look->path : "", name) >= (int)sizeof path)
		return;
	part = path + strlen(path) - strlen(name);
	for (;;) {
		char *slash = strchr(part, '/');
		int next;

		if (slash)
			*slash = '\0';
		if (fstatat(folder, part, &st, AT_SYMLINK_NOFOLLOW) < 0) {
			if (errno != ENOENT && errno != ENOTDIR)
				last_look_complain(look, path, errno);
			break;
		}
		if (!slash || S_ISLNK(st.st_mode)) {
			if (slash || !says(folder, part, target))
				move_aside(look, folder, path, part, slash ? NULL : target);
			break;
		}
		if (!S_ISDIR(st.st_mode))
			break;
		next = openat(folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			last_look_complain(look, path, errno);
		if (folder != look->tree)
			close(folder);
		folder = next;
		if (folder < 0)
			return;
		*slash = '/';
		part = slash + 1;
	}
	if (folder != look->tree)
		close(folder);
}

/* The text */

/* The next word, or NULL when no complete word is left. */
static const char *next(struct look *look)
{
	const char *word = look->at, *end = look->left > 0 ? memchr(word, '\0', look->left) : NULL;

	if (!end)
		return NULL;
	look->left -= (size_t)(end + 1 - word);
	look->at = end + 1;
	return word;
}

static bool next_number(struct look *look, uint64_t max, uint64_t *ret_number)
{
	const char *word = next(look);
	char *end;

	if (!word || *word < '0' || *word > '9')
		return false;
	errno = 0;
	*ret_number = strtoull(word, &end, 10);
	return *end == '\0' && errno == 0 && *ret_number <= max;
}

/* Is it a relative path without ".", ".." and empty parts? */
static bool leads_down(const char *name)
{
	for (;; name++) {
		size_t len = strcspn(name, "/");

		if (len == 0 || len > NAME_MAX || strncmp(name, ".", len) == 0 || strncmp(name, "..", len) == 0)
			return false;
		name += len;
		if (*name == '\0')
			return true;
	}
}

/* The supervisor's root directory is covered by the root that the watch has mounted over it. "/.." leads to the mount
 * on top (handle_dots() in fs/namei.c). */
static int open_tree(const struct look *look)
{
	ZS_AUTO_FD int root = open(look->live ? "/.." : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -errno : zs_open_place(root, look->path[1] ? look->path + 1 : ".");
}

/* A tree with another identity is another folder, for example in the next start of a container. The run has written
 * nothing in it. */
static bool take_tree(struct look *look)
{
	char now[ZS_FOLDER_ID_SIZE];
	const char *id;

	look->path = next(look);
	id = next(look);
	if (!id || look->path[0] != '/')
		return false;
	if (look->dry)
		return true;
	if (look->tree >= 0)
		close(look->tree);
	look->tree = open_tree(look);
	if (look->tree >= 0 && (zs_folder_id(look->tree, "", now) < 0 || strcmp(now, id) != 0)) {
		close(look->tree);
		look->tree = -1;
	}
	/* The supervisor of the run still sees the tree, so it must exist. */
	look->failed = look->failed || (look->live && look->tree < 0);
	return true;
}

/* 1; 0: it was the last line; or a negative errno. */
static int take_line(struct look *look)
{
	const char *word = next(look), *name, *target = NULL;

	if (word && strcmp(word, "end") == 0)
		return look->left == 0 ? 0 : -EBADMSG;
	if (word && strcmp(word, "tree") == 0)
		return take_tree(look) ? 1 : -EBADMSG;
	if (!word || !look->path || (strcmp(word, "absent") != 0 && strcmp(word, "link") != 0))
		return -EBADMSG;
	name = next(look);
	if (*word == 'l')
		target = next(look);
	if (!name || !leads_down(name) || (*word == 'l' && !target))
		return -EBADMSG;
	if (!look->dry && look->tree >= 0)
		look_at(look, name, target);
	return 1;
}

static int take_all(struct look look, bool dry)
{
	int r;

	look.dry = dry;
	do
		r = take_line(&look);
	while (r > 0);
	if (look.tree >= 0)
		close(look.tree);
	return r == 0 && look.failed ? -EPERM : r;
}

/* Has the watch ended, and with it all processes of the run? A process with its pid that started after `ticks` is
 * another one. */
static bool has_ended(pid_t pid, uint64_t ticks)
{
	ZS_AUTO_FD int process = pid <= 0 ? -1 : zs_pidfd_open(pid);
	struct pollfd event = { process, POLLIN, 0 };
	uint64_t start;

	if (process < 0 || zs_process_start(pid, &start) < 0 || start > ticks)
		return true;
	return poll(&event, 1, ZS_JOURNAL_WAIT_MS) > 0;
}

static time_t machine_start(void)
{
	struct timespec now = { 0 }, up = { 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return now.tv_sec - up.tv_sec;
}

int zs_last_look(const char *text, size_t len, bool live)
{
	struct look look = { .at = text, .left = len, .live = live, .tree = -1 };
	const char *magic = next(&look), *boot = next(&look);
	uint64_t pid, ticks;
	char now[64];

	if (boot && strcmp(magic, ZS_JOURNAL_MAGIC) == 0 && strcmp(boot, ZS_JOURNAL_DONE) == 0)
		return 0;
	if (!boot || strcmp(magic, ZS_JOURNAL_MAGIC) != 0 || !next_number(&look, INT_MAX, &pid) ||
		!next_number(&look, UINT64_MAX, &ticks) || take_all(look, true) < 0)
		return -EBADMSG;
	if (!live && zs_boot_id(now, sizeof now) == 0 && strcmp(now, boot) != 0)
		look.rebooted = machine_start();
	else if (!live && !has_ended((pid_t)pid, ticks))
		return -EBUSY;
	return take_all(look, false);
}
