/* Finds out in which tree of this machine a path really lies. */
#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* A path that is missing or out of reach counts as no tree. Any other failure (no memory, a disk error) does not say
 * whether there is one. */
static bool path_tree_is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ELOOP || cause == ENAMETOOLONG;
}

/* Finds the real place of the path, or of its nearest existing ancestor. NULL: that is not known. */
static char *real_ancestor(const char *path)
{
	ZS_AUTO_FREE char *copy = NULL;
	struct zs_place way = { 0 };
	int r = zs_path_way(path, &way);

	if (r == 0) {
		char *real = ZS_STEAL(way.real);

		zs_place_free(&way);
		return real;
	}
	if (!path_tree_is_absent(-r))
		return NULL;
	/* A link leads nowhere, or a folder is closed to this user: uses the path's text. */
	copy = strdup(path);
	while (copy) {
		char *real = realpath(copy, NULL);
		char *slash;

		if (real)
			return real;
		if (!path_tree_is_absent(errno))
			return NULL;
		slash = strrchr(copy, '/');
		if (!slash)
			return NULL;
		if (slash == copy)
			return strdup("/");
		*slash = '\0';
	}
	return NULL;
}

struct zs_identity zs_identity_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return (struct zs_identity){ path_tree_is_absent(errno) ? ZS_ABSENT : ZS_PRESENCE_UNKNOWN, 0, 0 };
	return (struct zs_identity){ ZS_PRESENT, st.st_dev, st.st_ino };
}

/* Identifies the real path and all directories above it. Cuts the text of `real` off piece by piece. */
static struct zs_ancestry climb(char *real)
{
	struct zs_ancestry ancestry = { 0 };
	size_t depth = 2;
	char *slash = real;

	for (const char *c = real; *c; c++)
		depth += *c == '/';
	ancestry.items = malloc(depth * sizeof *ancestry.items);
	if (!ancestry.items)
		return (struct zs_ancestry){ .unknown = true };
	while (slash) {
		const struct zs_identity identity = zs_identity_of(*real ? real : "/");

		ancestry.unknown |= identity.presence == ZS_PRESENCE_UNKNOWN;
		ancestry.items[ancestry.count++] = identity;
		slash = strcmp(real, "/") == 0 ? NULL : strrchr(real, '/');
		if (slash)
			*slash = '\0';
	}
	return ancestry;
}

struct zs_ancestry zs_ancestry_of_real(const char *real)
{
	ZS_AUTO_FREE char *at = strdup(real);

	return at ? climb(at) : (struct zs_ancestry){ .unknown = true };
}

struct zs_ancestry zs_ancestry_of(const char *path)
{
	ZS_AUTO_FREE char *at = real_ancestor(path);

	return at ? climb(at) : (struct zs_ancestry){ .unknown = true };
}

void zs_ancestry_free(struct zs_ancestry *ancestry)
{
	free(ancestry->items);
	*ancestry = (struct zs_ancestry){ 0 };
}

bool zs_ancestry_holds(const struct zs_ancestry *ancestry, const struct zs_identity *tree, bool doubt)
{
	if (tree->presence == ZS_ABSENT)
		return false;
	for (size_t i = 0; tree->presence == ZS_PRESENT && i < ancestry->count; i++)
		if (ancestry->items[i].presence == ZS_PRESENT && ancestry->items[i].device == tree->device &&
			ancestry->items[i].inode == tree->inode)
			return true;
	return (ancestry->unknown || tree->presence == ZS_PRESENCE_UNKNOWN) && doubt;
}

bool zs_tree_covers(const char *tree, const char *path)
{
	const struct zs_identity identity = zs_identity_of(tree);
	struct zs_ancestry ancestry;
	bool covers;

	if (identity.presence != ZS_PRESENT)
		return identity.presence == ZS_PRESENCE_UNKNOWN;
	ancestry = zs_ancestry_of(path);
	covers = zs_ancestry_holds(&ancestry, &identity, true);
	zs_ancestry_free(&ancestry);
	return covers;
}

bool zs_path_is_shut(const char *path)
{
	ZS_AUTO_FREE char *folder = strdup(path);
	struct stat st;

	for (char *slash; folder && (slash = strrchr(folder, '/'));) {
		slash[slash == folder] = '\0'; /* "/" stays */
		if (lstat(folder, &st) == 0)
			return !S_ISDIR(st.st_mode) || st.st_uid == geteuid();
		if (errno != EACCES || slash == folder)
			return true;
	}
	return true;
}

bool zs_path_lies_in(const char *path, const char *tree)
{
	const char *rest = tree;

	/* Skips the common beginning in one loop: each grant is compared with many others, and most differ in their
	 * first letters. */
	while (*rest && *rest == *path) {
		rest++;
		path++;
	}
	return !*rest && (*path == '/' || *path == '\0' || rest == tree + 1);
}

bool zs_tree_gives_devices(const char *tree, const char *path)
{
	return !zs_path_lies_in(path, "/dev") || zs_path_lies_in(tree, "/dev");
}

int zs_path_would_be(const char *path, char **ret_real)
{
	ZS_AUTO_FREE char *there = strdup(path);

	while (there) {
		ZS_AUTO_FREE char *real = realpath(there, NULL);
		char *slash = strrchr(there, '/');
		struct stat st;

		if (real) {
			const char *rest = path + strlen(there);

			*ret_real = *rest ? zs_path_join(real, rest + strspn(rest, "/")) : ZS_STEAL(real);
			return *ret_real ? 0 : -ENOMEM;
		}
		if (errno != ENOENT && errno != ENOTDIR)
			return -errno;
		if (lstat(there, &st) == 0)
			return -ELOOP;
		/* "/" is always there. */
		slash[slash == there] = '\0';
	}
	return -ENOMEM;
}

bool zs_path_is_real(const char *path)
{
	ZS_AUTO_FREE char *real = NULL;

	return zs_path_would_be(path, &real) == 0 && strcmp(real, path) == 0;
}

/* A walk in progress: path.done is real. place.identity is the identity of done, once it has been looked at. */
struct walk {
	struct zs_path_walk path;
	size_t own;     /* bytes of path.rest after the path's own last link; SIZE_MAX: no link yet */
	bool in_target; /* the last component comes from a link's target */
	char *known;
	struct zs_place place;
};

/* Follows a link to its target. */
static int take_link(struct walk *walk, const char *target)
{
	struct zs_place *place = &walk->place;
	struct zs_place_link *links = zs_with_room(place->links, place->link_count, sizeof *links), *link;
	size_t folder_len = walk->path.folder_len;

	if (!links)
		return -ENOMEM;
	place->links = links;
	link = &links[place->link_count++];
	*link = (struct zs_place_link){ folder_len ? strndup(walk->path.done, folder_len) : strdup("/"),
		strdup(walk->path.done), strdup(target) };
	if (!link->folder || !link->path || !link->target)
		return -ENOMEM;
	if (!walk->in_target)
		walk->own = strlen(walk->path.rest);
	return zs_path_follow(&walk->path, target);
}

/* Looks at the place that the walk has reached. */
static int path_tree_look(struct walk *walk)
{
	const char *done = walk->path.done;
	char target[PATH_MAX];
	struct stat st;
	ssize_t len;

	walk->in_target = strlen(walk->path.rest) >= walk->own;
	walk->place.identity = (struct zs_identity){ 0 };
	if (zs_path_lies_in(walk->known, done))
		return 0;
	if (lstat(done, &st) < 0)
		return -errno;
	if (!S_ISLNK(st.st_mode)) {
		walk->place.identity = (struct zs_identity){ ZS_PRESENT, st.st_dev, st.st_ino };
		memcpy(walk->known, done, strlen(done) + 1);
		return 0;
	}
	len = readlink(done, target, sizeof target - 1);
	if (len < 0)
		return -errno;
	target[len] = '\0';
	return take_link(walk, target);
}

static int walk_along(struct walk *walk, const char *path, char known[PATH_MAX])
{
	int r = zs_path_start(&walk->path, "", path);

	walk->own = SIZE_MAX;
	walk->in_target = false;
	walk->known = known;
	walk->place = (struct zs_place){ 0 };
	while (r >= 0 && (r = zs_path_step(&walk->path)) > 0) {
		if (r == ZS_PATH_GOES_UP)
			walk->place.identity = (struct zs_identity){ 0 };
		else
			r = path_tree_look(walk);
	}
	return r;
}

static int end_walk(struct walk *walk, int r, struct zs_place *ret_place)
{
	if (r == 0) {
		walk->place.real = strdup(walk->path.done[0] ? walk->path.done : "/");
		r = walk->place.real ? 0 : -ENOMEM;
	}
	if (r < 0)
		zs_place_free(&walk->place);
	else
		*ret_place = walk->place;
	return r;
}

int zs_path_place(const char *path, char known[PATH_MAX], struct zs_place *ret_place)
{
	struct walk walk; /* its 8 KiB are not worth clearing */
	int r = walk_along(&walk, path, known);

	return end_walk(&walk, r, ret_place);
}

int zs_path_way(const char *path, struct zs_place *ret_place)
{
	char known[PATH_MAX] = "";
	struct walk walk;
	int r = walk_along(&walk, path, known);

	if (r == -ENOENT || r == -ENOTDIR) {
		/* That component does not exist, but its folder does. */
		r = walk.in_target ? -ELOOP : 0;
		walk.path.done[walk.path.folder_len] = '\0';
	}
	return end_walk(&walk, r, ret_place);
}

void zs_place_free(struct zs_place *place)
{
	for (size_t i = 0; i < place->link_count; i++) {
		free(place->links[i].folder);
		free(place->links[i].path);
		free(place->links[i].target);
	}
	free(place->links);
	free(place->real);
	*place = (struct zs_place){ 0 };
}

bool zs_way_touches(const char *path, const char *tree)
{
	struct zs_place place;
	bool touches;

	if (zs_path_way(path, &place) < 0)
		return true;
	touches = zs_tree_covers(tree, place.real);
	for (size_t i = 0; i < place.link_count && !touches; i++)
		touches = zs_tree_covers(tree, place.links[i].folder);
	zs_place_free(&place);
	return touches;
}
