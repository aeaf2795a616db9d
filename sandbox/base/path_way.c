/* The way to a path: what could lead it elsewhere. */
#include "base/path.h"

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
