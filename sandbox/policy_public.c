/* What everybody may read of a tree. A policy made by root grants /etc this way: uid 0 owns /etc/shadow and host keys,
 * owning is all that reading takes, and a command of root's must be as weak as an ordinary user's. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "path.h"
#include "policy.h"
#include "preset.h"

enum { DEPTH_MAX = 16 };

enum publicity { PRIVATE, FOLDER, LINK, PUBLIC };

/* A link hides nothing, and grants nothing: whether its target may be read is decided where that lies. */
static enum publicity publicity_of(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return PRIVATE;
	if (S_ISLNK(st.st_mode))
		return LINK;
	if (S_ISDIR(st.st_mode))
		return (st.st_mode & (S_IROTH | S_IXOTH)) == (S_IROTH | S_IXOTH) ? FOLDER : PRIVATE;
	return st.st_mode & S_IROTH ? PUBLIC : PRIVATE;
}

struct children {
	char **paths;
	size_t count;
};

static void children_free(struct children *children)
{
	for (size_t i = 0; i < children->count; i++)
		free(children->paths[i]);
	free(children->paths);
}

static int children_of(const char *folder, struct children *ret_children)
{
	struct children children = { 0 };
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		char **paths;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		paths = realloc(children.paths, (children.count + 1) * sizeof *paths);
		if (!paths)
			break;
		children.paths = paths;
		paths[children.count] = zs_path_join(folder, entry->d_name);
		if (!paths[children.count])
			break;
		children.count++;
	}
	closedir(dir);
	if (entry) {
		children_free(&children);
		return -ENOMEM;
	}
	*ret_children = children;
	return 0;
}

static bool is_all_public(const char *path, unsigned depth)
{
	enum publicity publicity = publicity_of(path);
	struct children children;
	bool all = true;

	if (publicity != FOLDER)
		return publicity != PRIVATE;
	if (depth == DEPTH_MAX || children_of(path, &children) < 0)
		return false;
	for (size_t i = 0; all && i < children.count; i++)
		all = is_all_public(children.paths[i], depth + 1);
	children_free(&children);
	return all;
}

static int add(
	struct zs_policy *policy, const char *path, enum zs_access access, unsigned depth, struct zs_error *error)
{
	enum publicity publicity = publicity_of(path);
	struct children children;
	int r = 0;

	if (publicity != LINK && is_all_public(path, depth))
		return zs_policy_add_path(policy, path, access, error);
	if (publicity != FOLDER || depth == DEPTH_MAX || children_of(path, &children) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < children.count; i++)
		r = add(policy, children.paths[i], access, depth + 1, error);
	children_free(&children);
	return r;
}

int zs_policy_add_public(struct zs_policy *policy, const char *tree, enum zs_access access, struct zs_error *error)
{
	return add(policy, tree, access, 0, error);
}
