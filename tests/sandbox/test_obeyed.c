/* The rule for obeyed paths, by their names. */
#include "check.h"
#include "git/obeyed.h"

TEST(obeyed_rows)
{
	static const struct {
		const char *path;
		enum zs_obeyer obeyed, leads;
	} rows[] = {
		{ "a", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".git", ZS_OBEYER_NONE, ZS_OBEYER_GIT },
		{ "a/.GIT", ZS_OBEYER_NONE, ZS_OBEYER_GIT },
		{ ".gitx", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".git/index", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".git/config", ZS_OBEYER_GIT, ZS_OBEYER_GIT },
		{ "a/.git/hooks/pre-commit", ZS_OBEYER_GIT, ZS_OBEYER_GIT },
		{ ".git/info/attributes", ZS_OBEYER_GIT, ZS_OBEYER_GIT },
		{ ".git/worktrees/x/gitdir", ZS_OBEYER_GIT, ZS_OBEYER_GIT },
		{ ".git/modules/x/config", ZS_OBEYER_GIT, ZS_OBEYER_GIT },
		{ ".git/refs/heads/config", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ "hooks/pre-commit", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".claude", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ ".claude/settings.json", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ "a/b/.Claude/x/y", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ ".claudex", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ "x.claude", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ "a/.mcp.json", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ ".mcp.json.md", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".github", ZS_OBEYER_NONE, ZS_OBEYER_OTHER },
		{ "a/.github", ZS_OBEYER_NONE, ZS_OBEYER_OTHER },
		{ ".github/workflows/a.yml", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".github/hooks/x", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ ".vscode/launch.json", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".vscode/tasks.json", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ "opencode.json", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ "AGENTS.md", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".bashrc", ZS_OBEYER_OTHER, ZS_OBEYER_OTHER },
		{ "dotfiles/.bashrc", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ ".config/opencode/plugin/x.js", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ "", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
		{ "/", ZS_OBEYER_NONE, ZS_OBEYER_NONE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_obeyed(rows[i].path) == rows[i].obeyed && zs_obeyed_leads(rows[i].path) == rows[i].leads,
			"%s: %d %d", rows[i].path, zs_obeyed(rows[i].path), zs_obeyed_leads(rows[i].path));
}

TEST(obeyed_anywhere_rows)
{
	static const struct {
		const char *path;
		bool obeyed;
	} rows[] = {
		{ "/home/u/.bashrc", true },
		{ "/home/u/.config/opencode", true },
		{ "/home/u/.config", false },
		{ "/home/u/.codeium/windsurf/hooks.json", true },
		{ "/w/.git", true },
		{ "/w/.git/objects", true },
		{ "/w/git", false },
		{ "/", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_obeyed_anywhere(rows[i].path) == rows[i].obeyed, "%s", rows[i].path);
}

/* A row inside another row would never be used, unless it is for the home folder only. */
TEST(obeyed_rows_are_in_order)
{
	for (size_t i = 0; i < ZS_OBEYED_COUNT; i++) {
		const struct zs_obeyed *row = &zs_obeyed_rows[i];

		CHECK(row->path[0] && row->path[0] != '/' && row->path[strlen(row->path) - 1] != '/', "%s", row->path);
		CHECK(zs_obeyed_anywhere(row->path), "%s", row->path);
		CHECK((zs_obeyed(row->path) == ZS_OBEYER_OTHER) ==
				(row->where != ZS_OBEYED_HOME || strncmp(row->path, ".gemini/", 8) == 0),
			"%s", row->path);
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(zs_obeyed_rows[j].path, row->path) != 0, "%s: twice", row->path);
	}
}
