/* Compares git's index with protected names at the end of a run.
 *
 * A command that may write a repository can check out another version of a protected file, and git goes on when it
 * cannot write the file: after `git checkout main` the branch and the index are main's, the file is not, and the next
 * `git commit -a` would commit it there. So a run that has changed the entry of a protected name does not succeed if
 * the file is not what the entry says. git add of a file that the user has changed passes: then the two agree. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "git/git_index.h"
#include "linux/watch/watch.h"
#include "linux/watch/watched_name.h"

/* The most names of one repository that have a line of their own. */
enum { SHOWN = 8 };

struct comparison {
	const struct zs_watch *watch;
	const char *root;
	unsigned count; /* of names that do not agree */
};

/* Returns a descriptor, ZS_INDEX_NONE or ZS_INDEX_UNREAD. */
static int open_index(const struct zs_watched_name *index)
{
	int fd = openat(index->folder, index->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? ZS_INDEX_NONE : ZS_INDEX_UNREAD;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return ZS_INDEX_UNREAD;
}

int zs_watch_index_begin(struct zs_watched_name *index)
{
	errno = 0;
	index->before = open_index(index);
	return index->before == ZS_INDEX_UNREAD && errno != 0 && errno != EACCES ? -errno : 0;
}

static bool is_watched(const struct zs_watch *watch, const char *path)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct zs_watched_name *name = &watch->names[i];

		if ((name->what == ZS_WATCHED_ABSENT || name->what == ZS_WATCHED_LINK ||
			    name->what == ZS_WATCHED_PROTECTED) &&
			zs_path_lies_in(path, name->path))
			return true;
	}
	return false;
}

/* Can a person paste the path into a shell as it is? */
static bool is_plain(const char *path)
{
	return path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%,:")] == '\0';
}

enum cure { RESTORE, REMOVE, LOOK };

static int report(struct comparison *comparison, const char *name, enum cure cure, const char *what)
{
	char path[PATH_MAX], hint[sizeof(((struct zs_error *)0)->hint)];
	const char *root = comparison->root;
	struct zs_error error;
	int len = 0;

	if (comparison->count++ >= SHOWN)
		return 0;
	if (cure == RESTORE)
		len = snprintf(
			hint, sizeof hint, "outside of zs 'git -C %s restore -- %s' makes it what git has", root, name);
	if (cure == REMOVE)
		len = snprintf(hint, sizeof hint, "outside of zs 'rm %s/%s' removes it as well", root, name);
	if (cure == LOOK || len >= (int)sizeof hint || !is_plain(root) || !is_plain(name))
		snprintf(hint, sizeof hint, "outside of zs 'git status' shows it");
	snprintf(path, sizeof path, "%s/%s", root, name);
	zs_error_say(&error, "git", path, EPERM, "git has %s", what);
	zs_error_hint(&error, 0, "%s", hint);
	zs_watch_say(&error);
	return 0;
}

/* Has git found the file equal to its content? Some programs that write an index know no nanoseconds. */
static bool agrees(const struct zs_git_index_entry *entry, const struct stat *st)
{
	return entry->seconds == (uint32_t)st->st_mtim.tv_sec && entry->size == (uint32_t)st->st_size &&
	       (!entry->nanoseconds || entry->nanoseconds == (uint32_t)st->st_mtim.tv_nsec);
}

static int compare(
	const char *name, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg)
{
	struct comparison *comparison = arg;
	char path[PATH_MAX];
	struct stat st;
	bool missing, same;

	if (snprintf(path, sizeof path, "%s/%s", comparison->root, name) >= (int)sizeof path ||
		!is_watched(comparison->watch, path))
		return 0;
	missing = lstat(path, &st) < 0;
	same = before && after && zs_git_index_same(before, after);
	if (!after)
		return missing || before->skipped
			       ? 0
			       : report(comparison, name, REMOVE, "removed it, but it is protected and has stayed");
	if (after->skipped)
		return 0;
	if (after->stage)
		return report(comparison, name, LOOK, "a conflict in it, but it is protected and has stayed as it was");
	/* zs has moved aside what git has written: then the entry has the time of the moved file. */
	if (missing)
		return same && before->seconds == after->seconds && before->nanoseconds == after->nanoseconds
			       ? 0
			       : report(comparison, name, RESTORE, "made it, but the name is protected");
	return same || agrees(after, &st) ? 0
					  : report(comparison, name, RESTORE,
						    "taken another version of it, but it is protected and has stayed "
						    "as it was");
}

static bool is_same_file(int a, int b)
{
	struct stat st, other;

	return a >= 0 && b >= 0 && fstat(a, &st) == 0 && fstat(b, &other) == 0 && st.st_dev == other.st_dev &&
	       st.st_ino == other.st_ino && st.st_size == other.st_size && st.st_ctim.tv_sec == other.st_ctim.tv_sec &&
	       st.st_ctim.tv_nsec == other.st_ctim.tv_nsec;
}

bool zs_watch_index_end(const struct zs_watch *watch, const struct zs_watched_name *index)
{
	struct comparison comparison = { .watch = watch, .root = index->target };
	ZS_AUTO_FD int after = -1;
	struct zs_error error;
	int r;

	/* git cannot read it either. */
	if (index->before == ZS_INDEX_UNREAD)
		return true;
	after = open_index(index);
	if (is_same_file(index->before, after))
		return true;
	r = after == ZS_INDEX_UNREAD ? -EBADMSG : zs_git_index_compare(index->before, after, compare, &comparison);
	if (r < 0) {
		zs_error_say(&error, "git", index->path, -r,
			"has changed, and zs cannot compare it with the protected files");
		zs_error_hint(&error, 0, "run outside of zs: git update-index --no-split-index, and git status");
		zs_watch_say(&error);
	} else if (comparison.count > SHOWN) {
		zs_error_say(&error, "git", index->path, EPERM, "%u more protected files are not as it says",
			comparison.count - SHOWN);
		zs_error_hint(&error, 0, "outside of zs, git status lists them");
		zs_watch_say(&error);
	}
	return r == 0 && comparison.count == 0;
}
