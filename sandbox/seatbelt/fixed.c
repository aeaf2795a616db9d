/* Rules know files by where they are. So what rules speak of must not be moved, nor any folder above it that the
 * command could move: from elsewhere, everything in it could be read and written. No other folder may be put where one
 * of these is missing either, with all that is in it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "seatbelt/rules.h"

/* The outermost tree that can be written and holds the place; NULL: none does. */
static const struct zs_seatbelt_tree *writable_around(const struct zs_seatbelt_trees *trees, const char *place)
{
	for (size_t i = 0; i < trees->count; i++)
		if (trees->items[i].access == ZS_ACCESS_WRITE && zs_path_lies_in(place, trees->items[i].place))
			return &trees->items[i];
	return NULL;
}

static void put_folder(struct zs_seatbelt_writer *writer, const char *base, const char *folder)
{
	ZS_AUTO_FREE char *regex = NULL;

	zs_seatbelt_put_filter(writer, "literal", folder);
	if (strcmp(base, folder) == 0)
		return;
	regex = zs_seatbelt_regex(base, folder + strlen(base), false);
	zs_seatbelt_put_filter(writer, "regex", regex);
}

/* previous: of the same kind, before this one in the order, so that what lies above both has been put. */
static void put_above(struct zs_seatbelt_writer *writer, const char *base, const char *place, const char *previous)
{
	ZS_AUTO_FREE char *folder = strdup(place);
	char *slash;

	if (!folder)
		zs_seatbelt_put_filter(writer, "literal", NULL);
	while (folder && zs_path_lies_in(folder, base) && !(previous && zs_path_lies_in(previous, folder))) {
		put_folder(writer, base, folder);
		slash = strrchr(folder, '/');
		if (!slash || slash == folder)
			return;
		*slash = '\0';
	}
}

/* A tree that is only read or run from, inside of one that can be written, can be written. */
static bool is_fixed(const struct zs_seatbelt_tree *tree)
{
	return tree->access < ZS_ACCESS_READ || tree->access == ZS_ACCESS_WRITE;
}

void zs_seatbelt_put_fixed(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees)
{
	const char *previous = NULL;

	for (size_t i = 0; i < trees->count; i++) {
		const struct zs_seatbelt_tree *tree = &trees->items[i], *around = writable_around(trees, tree->place);

		if (!around || !is_fixed(tree) || strcmp(tree->place, "/") == 0)
			continue;
		zs_seatbelt_put(writer, previous ? "" : "(deny file-write-create file-write-unlink");
		put_above(writer, around->place, tree->place, previous);
		previous = tree->place;
	}
	zs_seatbelt_put(writer, previous ? ")\n" : "");
}
