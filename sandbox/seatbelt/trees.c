/* Writes grants as rules, in the order of their places, so that the deeper grant counts, as in the mounts of Linux
 * (sandbox/linux/files/mounts.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "seatbelt/place.h"
#include "seatbelt/rules.h"

static const char step[] = "policy";

/* Orders places so that a tree's content follows it at once: "/" sorts before every other byte. */
static int compare_places(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	if (*a == *b)
		return 0;
	if (!*a || !*b)
		return *a ? 1 : -1;
	if (*a == '/' || *b == '/')
		return *a == '/' ? -1 : 1;
	return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

static int trees_compare(const void *a_, const void *b_)
{
	const struct zs_seatbelt_tree *a = a_, *b = b_;
	int order = compare_places(a->place, b->place);

	return order ? order : (int)b->access - (int)a->access;
}

static int trees_add(struct zs_seatbelt_trees *trees, const char *field, const char *path, enum zs_access access,
	bool public, struct zs_error *error)
{
	struct zs_seatbelt_tree *tree = &trees->items[trees->count];
	int r = zs_seatbelt_place(field, path, &tree->place, error);

	if (r < 0)
		return r;
	tree->access = access;
	tree->public = public;
	trees->count++;
	return 0;
}

static int add_policy(struct zs_seatbelt_trees *trees, const struct zs_policy *policy, struct zs_error *error)
{
	int r = 0;

	if (policy->workspace)
		r = trees_add(trees, "workspace", policy->workspace, zs_policy_workspace_grant(policy), false, error);
	for (size_t i = 0; r == 0 && i < policy->grant_count; i++)
		r = trees_add(
			trees, step, policy->grants[i].path, policy->grants[i].access, policy->grants[i].public, error);
	return r;
}

/* /private/var/folders/ab/cd belongs to one user, and the folders above it to everybody. */
static int add_user_tmp(struct zs_seatbelt_trees *trees, const char *path, struct zs_error *error)
{
	static const char all[] = "/private/var/folders/";
	int r = trees_add(trees, "tmp", path, ZS_ACCESS_WRITE, false, error);
	const char *place = r < 0 ? "" : trees->items[trees->count - 1].place;

	if (r < 0 || (strncmp(place, all, sizeof all - 1) == 0 && strchr(place + sizeof all - 1, '/')))
		return r;
	return zs_error_say(error, "tmp", path, EINVAL, "is no user's own folder of /var/folders");
}

int zs_seatbelt_trees_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_trees *ret_trees, struct zs_error *error)
{
	enum { OTHERS = 2 }; /* workspace and temporary folder */
	const struct zs_policy *policy = request->policy;
	struct zs_seatbelt_trees trees = { 0 };
	int r;

	trees.items = calloc(policy->grant_count + OTHERS, sizeof *trees.items);
	if (!trees.items)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = add_policy(&trees, policy, error);
	if (r == 0 && policy->tmp == ZS_TMP_SHARED && request->user_tmp)
		r = add_user_tmp(&trees, request->user_tmp, error);
	if (r < 0) {
		zs_seatbelt_trees_free(&trees);
		return r;
	}
	qsort(trees.items, trees.count, sizeof *trees.items, trees_compare);
	*ret_trees = trees;
	return 0;
}

void zs_seatbelt_trees_free(struct zs_seatbelt_trees *trees)
{
	for (size_t i = 0; trees->items && i < trees->count; i++)
		free(trees->items[i].place);
	free(trees->items);
	*trees = (struct zs_seatbelt_trees){ 0 };
}

/* A rule of "file-read*" does not change what a rule of "file-read-metadata" says. So where one rule names a part of
 * the whole, all rules name it. A hard link is another name for a file's content, so it can be made only to files that
 * can be written; a clone is a copy. */
#define LOOK " file-read-metadata file-test-existence"
#define RUN " file-map-executable process-exec*"
static const char *const operations[ZS_ACCESS_COUNT] = {
	[ZS_ACCESS_HIDE] = "(deny file-read*" LOOK " file-clone file-write* file-link" RUN,
	[ZS_ACCESS_PROTECT] = "(deny file-write* file-link file-clone",
	[ZS_ACCESS_READ] = "(allow file-read*" LOOK " file-clone",
	[ZS_ACCESS_EXEC] = "(allow file-read*" LOOK " file-clone" RUN,
	[ZS_ACCESS_LAYER] = "(allow file-read*" LOOK " file-clone" RUN, /* without its layer */
	[ZS_ACCESS_WRITE] = "(allow file-read*" LOOK " file-clone file-write* file-link" RUN,
};

/* A person may write a path in one of its spellings, and a file may appear later in another. So the rules name all
 * spellings below the outermost tree around the path. A tree that is not spelled as on disk grants nothing. */
static void put_spellings(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees, const struct zs_seatbelt_tree *tree)
{
	for (const struct zs_seatbelt_tree *around = trees->items; around < tree; around++) {
		char *regex;

		if (around->access < ZS_ACCESS_READ || !zs_path_lies_in(tree->place, around->place) ||
			strcmp(tree->place, around->place) == 0)
			continue;
		regex = zs_seatbelt_regex(around->place, tree->place + strlen(around->place), true);
		zs_seatbelt_put_filter(writer, "regex", regex);
		free(regex);
		return;
	}
}

static void put_tree(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees, const struct zs_seatbelt_tree *tree)
{
	zs_seatbelt_put(writer, operations[tree->access]);
	if (tree->public)
		zs_seatbelt_put(writer, " (require-all (file-mode #o0004)");
	zs_seatbelt_put_filter(writer, "subpath", tree->place);
	if (tree->public)
		zs_seatbelt_put(writer, ")");
	if (tree->access < ZS_ACCESS_READ)
		put_spellings(writer, trees, tree);
	zs_seatbelt_put(writer, ")\n");
}

/* Has a rule before this tree's shown the folder already? It has if the nearest tree around the folder is not
 * hidden. */
static bool trees_is_shown(const struct zs_seatbelt_trees *trees, size_t before, const char *folder)
{
	while (before-- > 0)
		if (zs_path_lies_in(folder, trees->items[before].place))
			return trees->items[before].access != ZS_ACCESS_HIDE;
	return false;
}

/* Does the folder lie on the way to the tree before, through the same folders? */
static bool is_on_way(const struct zs_seatbelt_trees *trees, size_t before, const char *folder)
{
	const struct zs_seatbelt_tree *tree = before ? &trees->items[before - 1] : NULL;

	return tree && tree->access >= ZS_ACCESS_READ && zs_path_lies_in(tree->place, folder);
}

/* realpath(3) and getcwd(3) look at each folder on the way. The rules show these folders, but not their content. */
static void put_way(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees, size_t index)
{
	ZS_AUTO_FREE char *folder = strdup(trees->items[index].place);
	const char *before = "(allow" LOOK;
	char *slash;

	if (!folder)
		zs_seatbelt_put_filter(writer, "literal", NULL);
	while (folder && (slash = strrchr(folder, '/')) && slash != folder) {
		*slash = '\0';
		if (is_on_way(trees, index, folder) || trees_is_shown(trees, index, folder))
			break;
		zs_seatbelt_put(writer, before);
		zs_seatbelt_put_filter(writer, "literal", folder);
		before = "";
	}
	zs_seatbelt_put(writer, *before ? "" : ")\n");
}

/* A link's path cannot be resolved: the link lies where its folder is. */
static void put_link(struct zs_seatbelt_writer *writer, const char *path)
{
	ZS_AUTO_FREE char *folder = strdup(path);
	char *slash;

	zs_seatbelt_put(writer, "(allow file-read*" LOOK);
	zs_seatbelt_put_filter(writer, "literal", folder);
	zs_seatbelt_put(writer, ")\n(allow" LOOK " (literal \"/\")");
	while (folder && (slash = strrchr(folder, '/')) && slash != folder) {
		*slash = '\0';
		zs_seatbelt_put_filter(writer, "literal", folder);
	}
	zs_seatbelt_put(writer, ")\n");
}

void zs_seatbelt_put_links(struct zs_seatbelt_writer *writer, const struct zs_policy *policy)
{
	for (size_t i = 0; i < policy->link_count; i++)
		put_link(writer, policy->links[i].path);
}

/* A rule for a place does not apply to its second name, so a grant of a tree that holds both names does not grant the
 * second. */
static void put_data_volume(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees)
{
	if (!trees_is_shown(trees, trees->count, zs_seatbelt_data_volume))
		return;
	zs_seatbelt_put(writer, operations[ZS_ACCESS_HIDE]);
	zs_seatbelt_put_filter(writer, "subpath", zs_seatbelt_data_volume);
	zs_seatbelt_put(writer, ")\n");
}

void zs_seatbelt_put_trees(struct zs_seatbelt_writer *writer, const struct zs_seatbelt_trees *trees)
{
	for (size_t i = 0; i < trees->count; i++) {
		if (trees->items[i].access >= ZS_ACCESS_READ)
			put_way(writer, trees, i);
		put_tree(writer, trees, &trees->items[i]);
	}
	put_data_volume(writer, trees);
}

/* Rules know files by their places. So neither the files of rules nor the folders above them may be moved by the
 * command: at another place, everything in them could be read and written. If one of them is missing, no other folder
 * may be moved to its place with its content. */

/* Finds the outermost writable tree that holds the place; NULL: there is none. */
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

/* previous: the place before this one in the order, of the same kind. The folders above both have been written
 * already. */
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

/* A read or exec tree inside a writable tree can be written. */
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
