/* Which tree of this machine a path really lies in. */
#include "path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"

/* Where path really is; of a path that does not exist yet, where its nearest existing ancestor is. */
static char *real_ancestor(const char *path)
{
	ZS_AUTO_FREE char *copy = strdup(path);

	while (copy) {
		char *real = realpath(copy, NULL);
		char *slash;

		if (real)
			return real;
		slash = strrchr(copy, '/');
		if (!slash)
			return NULL;
		if (slash == copy)
			return strdup("/");
		*slash = '\0';
	}
	return NULL;
}

static bool same_file(const char *path, const struct stat *want)
{
	struct stat have;

	return stat(path, &have) == 0 && have.st_dev == want->st_dev && have.st_ino == want->st_ino;
}

bool zs_tree_covers(const char *tree, const char *path)
{
	ZS_AUTO_FREE char *at = NULL;
	struct stat root;

	if (stat(tree, &root) < 0)
		return false;
	at = real_ancestor(path);
	while (at) {
		char *slash = strrchr(at, '/');

		if (same_file(at, &root))
			return true;
		if (slash == at || !slash)
			return same_file("/", &root);
		*slash = '\0';
	}
	return false;
}
