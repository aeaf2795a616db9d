/* Finds git directories that are not called .git. Git accepts any folder with certain names in it
 * (is_git_directory() in git's setup.c; man 1 git-config, safe.bareRepository), and obeys its configuration when git is
 * called in it or below it. A run can add all of these names, add the one that was missing, or change an existing
 * repository. Only names count here, in any case (HEAD, head), since a file's content can change later. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/overlay/overlay_walk.h"
#include "git/obeyed.h"

static const char *const names[] = { "HEAD", "objects", "refs", "commondir" };

enum {
	HEAD = 1 << 0,
	OBJECTS = 1 << 1,
	REFS = 1 << 2,
	COMMONDIR = 1 << 3, /* a file that names the folder with objects and refs */
	OBEYED = 1 << 4,    /* a name that git obeys, such as config and hooks */
};

static bool is_git_directory(unsigned have)
{
	return have & HEAD && (have & COMMONDIR || (have & OBJECTS && have & REFS));
}

static unsigned find_name(const char *name)
{
	for (size_t i = 0; i < ZS_COUNT(names); i++)
		if (strcasecmp(names[i], name) == 0)
			return 1u << i;
	return 0;
}

void zs_repository_see(struct zs_walk_folder *folder, const char *name, bool whiteout)
{
	unsigned bit = find_name(name);

	if (!whiteout)
		folder->here |= bit | (zs_obeyed_in_git(name, strlen(name)) ? OBEYED : 0);
	else
		for (size_t i = 0; i < ZS_COUNT(names); i++)
			folder->taken |= strcmp(names[i], name) == 0 ? bit : 0;
}

/* Returns the names that the lower folder has. A name that cannot be looked up counts as present. */
static unsigned look_below(const struct zs_walk *walk, const struct zs_walk_folder *folder)
{
	char path[ZS_OVERLAY_PATH_BYTES_MAX + 1];
	unsigned have = 0;

	for (size_t i = 0; folder->merge != ZS_MERGE_NEW && i < ZS_COUNT(names); i++) {
		ZS_AUTO_FD int fd = -1;

		if (zs_overlay_join(path, folder->path, names[i]) < 0)
			continue;
		fd = zs_overlay_openat(walk->overlay->lower, path, O_PATH);
		if (fd != -ENOENT && fd != -ENOTDIR)
			have |= 1u << i;
	}
	return have;
}

/* The entries of a folder that are held: none, those that git obeys, those and git's names, or all. */
enum which { NONE, OBEYED_ONES, ALL_NAMES, EVERYTHING };

/* Decides which entries are held. If the run has made the folder a git directory, git's names are held, too. */
static enum which find_which(const struct zs_walk *walk, const struct zs_walk_folder *folder)
{
	char config[ZS_OVERLAY_PATH_BYTES_MAX + 1];
	unsigned before, after;

	if (folder->held)
		return EVERYTHING;
	if (folder->merge == ZS_MERGE_GONE || !folder->here)
		return NONE;
	before = look_below(walk, folder);
	after = folder->here | (folder->merge == ZS_MERGE_BOTH ? before & ~folder->taken : 0);
	/* A folder below a .git is judged by its path: overlay_hold.c. */
	if (!is_git_directory(after) ||
		(zs_overlay_join(config, folder->path, "config") >= 0 && zs_obeyed_below_git(config)))
		return NONE;
	return is_git_directory(before) ? OBEYED_ONES : ALL_NAMES;
}

static bool is_held(enum which which, const char *path)
{
	const char *name = zs_overlay_last_name(path);

	return which == EVERYTHING || zs_obeyed_in_git(name, strlen(name)) || (which == ALL_NAMES && find_name(name));
}

void zs_repository_hold(struct zs_walk *walk, const struct zs_walk_folder *folder, size_t change, size_t below)
{
	enum which which = find_which(walk, folder);

	if (which == NONE)
		return;
	for (; change < walk->overlay->count; change++)
		if (is_held(which, walk->overlay->changes[change].path))
			walk->overlay->changes[change].held = ZS_HELD_GIT;
	for (; below < walk->count; below++)
		walk->stack[below].held = is_held(which, walk->stack[below].path);
}
