/* What everybody may read of a tree, as grants of its parts: of a public grant, where no mount can say the same
 * (linux/public.c). */
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

/* The tree belongs to the machine, and one odd folder of it (a thousand files beside a private one) must not use up
 * what a policy may hold; so there is a limit to a folder that is granted piece by piece, beyond which none of it is,
 * and one to the whole. */
enum { SPLIT_MAX = 256, GRANTS_MAX = 640, BYTES_MAX = 48 * 1024 };

struct budget {
	struct zs_policy *policy;
	enum zs_access access;
	size_t grants, bytes;
};

static void add(struct budget *budget, const char *path, unsigned depth)
{
	enum publicity publicity = publicity_of(path);
	size_t size = strlen(path) + sizeof "{\"path\":\"\",\"access\":\"read\"},";
	struct children children;

	if (publicity != LINK && is_all_public(path, depth)) {
		if (budget->grants == GRANTS_MAX || budget->bytes + size > BYTES_MAX)
			return;
		/* What a policy cannot hold, a name that is not UTF-8, is not granted. */
		if (zs_policy_add_grant(budget->policy, path, budget->access, ZS_ORIGIN_ESSENTIAL, false, NULL) < 0)
			return;
		budget->grants++;
		budget->bytes += size;
		return;
	}
	if (publicity != FOLDER || depth == DEPTH_MAX || children_of(path, &children) < 0)
		return;
	/* But the tree itself, which holds passwd and hosts, is granted as far as that goes. */
	for (size_t i = 0; (depth == 0 || children.count <= SPLIT_MAX) && i < children.count; i++)
		add(budget, children.paths[i], depth + 1);
	children_free(&children);
}

void zs_policy_add_public(struct zs_policy *policy, const char *tree, enum zs_access access)
{
	struct budget budget = { .policy = policy, .access = access };

	add(&budget, tree, 0);
}
