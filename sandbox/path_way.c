/* The way to a path: what could lead it elsewhere. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "path.h"

int zs_path_way(const char *path, struct zs_place *ret_place)
{
	ZS_AUTO_FREE char *copy = strdup(path);
	char known[PATH_MAX] = "";

	while (copy) {
		char *slash = strrchr(copy, '/');
		int r = zs_path_place(copy, known, ret_place);
		struct stat st;

		if (r != -ENOENT && r != -ENOTDIR)
			return r;
		if (lstat(copy, &st) == 0 && S_ISLNK(st.st_mode))
			return -ELOOP;
		slash[slash == copy] = '\0'; /* "/" is always there */
	}
	return -ENOMEM;
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
