/* Removes a repository that a command began, and that zs has moved aside: nothing but the files of git's template is in
 * it. A process outside may write in it meanwhile. So this removes only names that the template has, and a folder with
 * anything else in it stays. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder_reader.h"
#include "base/read_file.h"
#include "git/git_config.h"
#include "linux/watch/watched_name.h"

enum { CONFIG_BYTES_MAX = 512 };

/* The keys of core that git init sets. */
static const char *const own_keys[] = { "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase",
	"precomposeunicode", "symlinks" };

/* The folders, the deepest first, with patterns of the files that each may have. git tries the file system out with a
 * file of seven letters. */
static const struct part {
	const char *folder;
	const char *files[6];
} parts[] = {
	{ "hooks", { "*.sample" } },
	{ "info", { "exclude" } },
	{ "branches", { NULL } },
	{ "objects/info", { NULL } },
	{ "objects/pack", { NULL } },
	{ "objects", { NULL } },
	{ "refs/heads", { NULL } },
	{ "refs/tags", { NULL } },
	{ "refs", { NULL } },
	{ ".", { "HEAD", "config", "config.lock", "description", "t??????" } },
};

struct visit {
	const struct part *part;
	bool remove;
};

static bool is_part(const struct part *in, const char *name)
{
	size_t len = strcmp(in->folder, ".") == 0 ? 0 : strlen(in->folder) + 1;

	for (size_t i = 0; i < ZS_COUNT(parts); i++)
		if (strncmp(parts[i].folder, in->folder, len ? len - 1 : 0) == 0 && strlen(parts[i].folder) > len &&
			strcmp(parts[i].folder + len, name) == 0)
			return true;
	return false;
}

static int check_entry(const struct zs_git_entry *entry, void *arg)
{
	(void)arg;
	for (size_t i = 0; strcmp(entry->section, "core") == 0 && !entry->subsection && i < ZS_COUNT(own_keys); i++)
		if (strcmp(entry->key, own_keys[i]) == 0)
			return 0;
	return -ENOTEMPTY;
}

/* A configuration with anything else shows a person what the command was about to do. */
static bool is_own_config(int folder, const char *name)
{
	ZS_AUTO_FD int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char text[CONFIG_BYTES_MAX + 1];
	unsigned line;
	size_t len;

	return fd >= 0 && zs_read_up_to(fd, sizeof text, text, &len) == 0 && len < sizeof text &&
	       zs_git_config_each(text, len, check_entry, NULL, &line) == 0;
}

/* Visits one name of a folder: -ENOTEMPTY if the template has no such name. */
static int visit(int folder, const char *name, unsigned char type, void *arg)
{
	const struct visit *visit = arg;
	struct stat st;

	(void)type;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return is_part(visit->part, name) ? 0 : -ENOTEMPTY;
	for (const char *const *file = visit->part->files; *file; file++)
		if (S_ISREG(st.st_mode) && fnmatch(*file, name, 0) == 0 &&
			(strncmp(name, "config", 6) != 0 || is_own_config(folder, name)))
			return visit->remove && unlinkat(folder, name, 0) < 0 ? -errno : 0;
	return -ENOTEMPTY;
}

static int visit_all(int repository, bool remove)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++) {
		struct visit each = { &parts[i], remove };
		ZS_AUTO_FD int folder =
			openat(repository, parts[i].folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (folder < 0) {
			r = errno == ENOENT ? 0 : -errno;
			continue;
		}
		r = zs_folder_each(folder, visit, &each, NULL);
		if (r == 0 && remove && i + 1 < ZS_COUNT(parts) &&
			unlinkat(repository, parts[i].folder, AT_REMOVEDIR) < 0)
			r = -errno;
	}
	return r;
}

bool zs_blank_repository_remove(int folder, const char *name)
{
	ZS_AUTO_FD int repository = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return repository >= 0 && visit_all(repository, false) == 0 && visit_all(repository, true) == 0 &&
	       unlinkat(folder, name, AT_REMOVEDIR) == 0;
}
