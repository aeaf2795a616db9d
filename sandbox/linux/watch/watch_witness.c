/* Git's index as a witness: `git checkout` removes a file and makes it anew, and no event tells which program did that.
 * But git notes in its index which file it has made. Where the whole .git is protected, no process of the run can write
 * the index. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "git/git_index.h"
#include "linux/watch/watched_name.h"

struct question {
	const char *name; /* below the top of the work tree */
	const struct stat *st;
};

/* 1: the entry names this very file; -1: the entry of its name names another. */
static int ask(
	const char *path, const struct zs_git_index_entry *before, const struct zs_git_index_entry *entry, void *arg)
{
	const struct question *question = arg;
	const struct stat *st = question->st;

	(void)before;
	if (strcmp(path, question->name) != 0)
		return 0;
	return entry->stage == 0 && entry->inode == (uint32_t)st->st_ino && entry->size == (uint32_t)st->st_size &&
			       entry->changed == (uint32_t)st->st_ctim.tv_sec &&
			       entry->changed_nanoseconds == (uint32_t)st->st_ctim.tv_nsec &&
			       entry->seconds == (uint32_t)st->st_mtim.tv_sec &&
			       entry->nanoseconds == (uint32_t)st->st_mtim.tv_nsec
		       ? 1
		       : -1;
}

const struct zs_watched_name *zs_watch_index_of(const struct zs_watch *watch, const struct zs_watched_name *name)
{
	const struct zs_watched_name *found = NULL;
	size_t most = 0;

	for (size_t i = 0; i < watch->count; i++) {
		const struct zs_watched_name *git = &watch->names[i];
		size_t top = git->index ? strlen(git->path) - strlen(ZS_GIT_FOLDER) : 0;

		if (top <= most || strncmp(name->path, git->path, top) != 0 || name->path[top] != '/')
			continue;
		found = git;
		most = top;
	}
	return found;
}

static int open_git(const struct zs_watched_name *git)
{
	return openat(git->folder, git->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool zs_watch_index_is_locked(const struct zs_watched_name *git)
{
	ZS_AUTO_FD int folder = open_git(git);
	struct stat st;

	return folder >= 0 && fstatat(folder, "index.lock", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool zs_watch_index_names(const struct zs_watched_name *git, const struct zs_watched_name *name, const struct stat *st)
{
	struct question question = { name->path + strlen(git->path) - strlen(ZS_GIT_FOLDER) + 1, st };
	ZS_AUTO_FD int folder = open_git(git);
	ZS_AUTO_FD int file = folder < 0 ? -1 : openat(folder, "index", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return file >= 0 && zs_git_index_compare(-1, file, ask, &question) > 0;
}
