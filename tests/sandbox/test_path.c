/* Paths as text, and the places to which they lead on this machine. */
#include "base/path.h"

#include <limits.h>
#include <sys/stat.h>

#include "harness.h"

TEST(paths_lie_in_trees)
{
	static const struct {
		const char *path, *tree;
		bool lies;
	} rows[] = {
		{ "/a/b", "/a", true },
		{ "/a", "/a", true },
		{ "/a/b/c", "/a/b", true },
		{ "/a", "/", true },
		{ "/", "/", true },
		{ "/ab", "/a", false },
		{ "/a", "/a/b", false },
		{ "/", "/a", false },
		{ "/b/a", "/a", false },
		{ "/a/bc", "/a/b", false },
		{ "/a", "", true },
		{ "", "/a", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		CHECK(zs_path_lies_in(rows[i].path, rows[i].tree) == rows[i].lies, "%s in %s", rows[i].path,
			rows[i].tree);
}

static void make_links(const struct scratch *scratch)
{
	static const char *const links[][2] = { { "ro/to", "sub" }, { "ro/chain", "./to/" }, { "ro/up", "../ws" },
		{ "ro/nowhere", "missing" }, { "ro/far", "missing/deeper" }, { "ro/chained", "nowhere" },
		{ "ro/through", "to/missing" }, { "ro/past", "to/../missing/x" }, { "ro/to-file", "file" },
		{ "ro/in-file", "file/x" }, { "ro/sub/back", "../to-file" }, { "ro/loop", "loop" } };

	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		CHECK(symlink(links[i][1], scratch_path(scratch, links[i][0])) == 0, "%s", links[i][0]);
	CHECK(symlink(scratch_path(scratch, "out"), scratch_path(scratch, "ro/absolute")) == 0, "absolute");
}

/* The way of a missing path ends in the nearest folder that exists. A path that leads through a link to a missing place
 * has no way. It has one if a component after the link is missing. */
TEST(the_way_to_a_path)
{
	static const struct {
		const char *path, *want; /* NULL: it leads nowhere */
		size_t links;
	} rows[] = {
		{ "ro/sub", "ro/sub", 0 },
		{ "ro/none", "ro", 0 },
		{ "ro/none/x/y", "ro", 0 },
		{ "ro/none/../sub", "ro", 0 },
		{ "ro/file/x/y", "ro/file", 0 },
		{ "ro//to//none//x/", "ro/sub", 1 },
		{ "ro/to", "ro/sub", 1 },
		{ "ro/to/x", "ro/sub", 1 },
		{ "ro/to/../none", "ro", 1 },
		{ "ro/chain", "ro/sub", 2 },
		{ "ro/chain/none/missing", "ro/sub", 2 },
		{ "ro/chain/back", "ro/file", 4 },
		{ "ro/chain/back/x", "ro/file", 4 },
		{ "ro/up/none/z", "ws", 1 },
		{ "ro/absolute/none/z", "out", 1 },
		{ "ro/absolute/../ro/to/none", "ro/sub", 2 },
		{ "ro/to-file/x", "ro/file", 1 },
		{ "ro/nowhere", NULL, 0 },
		{ "ro/nowhere/x", NULL, 0 },
		{ "ro/far", NULL, 0 },
		{ "ro/far/missing/deeper", NULL, 0 },
		{ "ro/chained/x", NULL, 0 },
		{ "ro/through", NULL, 0 },
		{ "ro/through/x", NULL, 0 },
		{ "ro/past/x", NULL, 0 },
		{ "ro/in-file", NULL, 0 },
		{ "ro/in-file/x", NULL, 0 },
		{ "ro/to/../nowhere", NULL, 0 },
		{ "ro/loop", NULL, 0 },
		{ "ro/loop/x", NULL, 0 },
	};
	char *root, want[PATH_MAX];
	OWN_SCRATCH(scratch);

	make_links(&scratch);
	root = realpath(scratch.root, NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zs_place way = { 0 };
		int r = zs_path_way(scratch_path(&scratch, rows[i].path), &way);

		snprintf(want, sizeof want, "%s/%s", root, rows[i].want ? rows[i].want : "");
		if (rows[i].want)
			CHECK(r == 0 && strcmp(way.real, want) == 0 && way.link_count == rows[i].links,
				"%s: %d, %s by %zu links", rows[i].path, r, way.real ? way.real : "", way.link_count);
		else
			CHECK(r == -ELOOP, "%s: %d, %s", rows[i].path, r, way.real ? way.real : "");
		zs_place_free(&way);
	}
	free(root);
}

/* Also when the folders on the way have been met before, and when the path does not end in a name. */
TEST(a_place_is_what_realpath_says)
{
	static const char *const rows[] = { "ro/sub", "ro/sub/../sub", "ro/to/..", "ro/sub/.", "ro", "ro/chain",
		"ro/chain/..", "ro/chain/back", "ro/absolute", "ro/absolute/sub/", "ro/absolute/..", "ro/up",
		"ro/up/..", "ro/none", "ro/nowhere", "ro/file/x", "../../../../..", "ro/sub" };
	char known[PATH_MAX] = "";
	OWN_SCRATCH(scratch);

	make_links(&scratch);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const char *path = scratch_path(&scratch, rows[i]);
		char *real = realpath(path, NULL);
		struct zs_place place = { 0 };
		struct stat st;
		int r = zs_path_place(path, known, &place);

		CHECK((r == 0) == !!real && (r < 0 || strcmp(place.real, real) == 0), "%s: %d, %s", path, r,
			place.real ? place.real : "");
		if (r == 0 && place.identity.presence != ZS_ABSENT)
			CHECK(stat(real, &st) == 0 && place.identity.device == st.st_dev &&
					place.identity.inode == st.st_ino,
				"%s is %s", path, real);
		CHECK(i || place.identity.presence == ZS_PRESENT, "%s has been looked at", path);
		zs_place_free(&place);
		free(real);
	}
}
