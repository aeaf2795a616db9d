/* Splits a public grant into parts where no ID-mapped mount is available (id_mapped.c). A part is a file or folder that
 * every user may read as a whole, and that lies in no larger such folder. So there are few parts as long as few files
 * are private. Each file is looked at once. */
#include "linux/files/public.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder_reader.h"

/* A folder with one private file among a thousand must not use up all the grants that a policy may hold. So a folder
 * with more than SPLIT_MAX entries is granted as a whole or not at all, and all parts together have limits, too. */
enum { DEPTH_MAX = 16, SPLIT_MAX = 256, GRANTS_MAX = 640, BYTES_MAX = 48 * 1024 };

enum publicity { PRIVATE, FOLDER, LINK, PUBLIC };

struct walk {
	char path[PATH_MAX]; /* of the file that is looked at */
	size_t len;
	char **parts;
	size_t count;
};

/* A folder that the walk is in. */
struct level {
	struct walk *walk;
	unsigned depth;
	size_t first;   /* the index of its first part */
	size_t entries; /* looked at so far */
	bool all;       /* every entry so far is public */
};

/* A symbolic link is neither private nor a part: its target's own mode decides. */
static enum publicity publicity_of(int folder, const char *name, unsigned char type)
{
	struct stat st;

	if (type == DT_LNK)
		return LINK;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return PRIVATE;
	if (S_ISLNK(st.st_mode))
		return LINK;
	if (S_ISDIR(st.st_mode))
		return (st.st_mode & (S_IROTH | S_IXOTH)) == (S_IROTH | S_IXOTH) ? FOLDER : PRIVATE;
	return st.st_mode & S_IROTH ? PUBLIC : PRIVATE;
}

static void drop_parts(struct walk *walk, size_t count)
{
	while (walk->count > count)
		free(walk->parts[--walk->count]);
}

/* Adds the path as a part. When out of memory it is left out, so less is granted. */
static void add_part(struct walk *walk)
{
	size_t count = walk->count;
	char **parts = zs_with_room(walk->parts, count, sizeof *parts);

	if (!parts)
		return;
	walk->parts = parts;
	parts[count] = strdup(walk->path);
	walk->count += parts[count] != NULL;
}

static bool is_split(const struct level *level)
{
	return level->depth == 0 || level->entries <= SPLIT_MAX;
}

static bool is_all_public(struct walk *walk, int parent, const char *name, enum publicity publicity, unsigned depth);

/* Returns 1 when the rest of the folder cannot matter any more. */
static int visit_entry(int folder, const char *name, unsigned char type, void *arg)
{
	struct level *level = arg;
	struct walk *walk = level->walk;
	size_t len = walk->len, name_len = strlen(name);
	enum publicity publicity = publicity_of(folder, name, type);
	bool public = len + 1 + name_len < sizeof walk->path;

	level->entries++;
	if (public) {
		walk->path[len] = '/';
		memcpy(walk->path + len + 1, name, name_len + 1);
		walk->len = len + 1 + name_len;
		public = is_all_public(walk, folder, name, publicity, level->depth + 1);
		if (public && publicity != LINK && is_split(level))
			add_part(walk);
		walk->len = len;
		walk->path[len] = '\0';
	}
	level->all &= public;
	return !level->all && !is_split(level);
}

/* Is the file, or the whole folder, public? If not, the folder's public parts have been added. */
static bool is_all_public(struct walk *walk, int parent, const char *name, enum publicity publicity, unsigned depth)
{
	struct level level = { .walk = walk, .depth = depth, .first = walk->count, .all = true };
	ZS_AUTO_FD int fd = -1;

	if (publicity != FOLDER)
		return publicity != PRIVATE;
	if (depth < DEPTH_MAX)
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	level.all &= zs_folder_each(fd, visit_entry, &level, NULL) == 0;
	if (level.all || !is_split(&level))
		drop_parts(walk, level.first);
	return level.all;
}

static void grant(struct zs_policy *policy, const struct walk *walk, enum zs_access access)
{
	size_t bytes = 0;

	for (size_t i = 0, granted = 0; i < walk->count && granted < GRANTS_MAX; i++) {
		size_t size = strlen(walk->parts[i]) + sizeof "{\"path\":\"\",\"access\":\"read\"},";

		/* A policy cannot hold a path that is not UTF-8: it is left out. */
		if (bytes + size > BYTES_MAX ||
			zs_policy_add_grant(policy, walk->parts[i], access, ZS_ORIGIN_ESSENTIAL, false, NULL) < 0)
			continue;
		bytes += size;
		granted++;
	}
}

void zs_policy_add_public(struct zs_policy *policy, const char *tree, enum zs_access access)
{
	enum publicity publicity = publicity_of(AT_FDCWD, tree, DT_UNKNOWN);
	struct walk walk = { .len = strlen(tree) };

	if (walk.len >= sizeof walk.path)
		return;
	memcpy(walk.path, tree, walk.len + 1);
	if (is_all_public(&walk, AT_FDCWD, tree, publicity, 0) && publicity != LINK)
		add_part(&walk);
	grant(policy, &walk, access);
	drop_parts(&walk, 0);
	free(walk.parts);
}
