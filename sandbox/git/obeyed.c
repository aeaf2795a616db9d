/* Pure. */
#include "git/obeyed.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

#define ZS_ROW_OBEYED(id, path, where, who, says) [ZS_OBEYED_##id] = { path, ZS_OBEYED_##where },

const struct zs_obeyed zs_obeyed_rows[ZS_OBEYED_COUNT] = { ZS_OBEYED(ZS_ROW_OBEYED) };

/* The files that git runs, and those that name further files of that kind (man 5 gitrepository-layout). A rebase in
 * progress has a list that may contain lines "exec COMMAND", which the next `git rebase --continue` runs. "attributes"
 * are those of info: they name filters. "gitdir" belongs to a linked worktree. */
static const char *const orders[] = { "hooks", "config", "config.worktree", "commondir", "gitdir", "attributes",
	"rebase-merge" };
/* Folders of a repository in which these names are names of branches. */
static const char *const branches[] = { "refs", "logs", "objects" };

static bool is_one_of(const char *name, size_t len, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == len && strncasecmp(name, names[i], len) == 0)
			return true;
	return false;
}

bool zs_obeyed_in_git(const char *name, size_t len)
{
	return is_one_of(name, len, orders, ZS_COUNT(orders));
}

/* A submodule's repository is .git/modules/NAME, so any depth counts. */
static bool find_git(const char *path, bool *ret_itself)
{
	static const char *const git[] = { ".git" };
	bool inside = false, first = false;

	*ret_itself = false;
	for (const char *name = path, *next; name; name = next) {
		size_t len = strcspn(name, "/");

		next = name[len] ? name + len + 1 : NULL;
		if (first && is_one_of(name, len, branches, ZS_COUNT(branches)))
			return false;
		if (inside && zs_obeyed_in_git(name, len))
			return true;
		first = is_one_of(name, len, git, ZS_COUNT(git));
		inside = inside || first;
	}
	*ret_itself = first;
	return false;
}

bool zs_obeyed_below_git(const char *path)
{
	bool itself;

	return find_git(path, &itself);
}

/* Returns the path without its first name; NULL: it has only one. */
static const char *next_name(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash ? slash + 1 : NULL;
}

static bool begins_with(const char *path, const char *names)
{
	size_t len = strlen(names);

	return strncasecmp(path, names, len) == 0 && (!path[len] || path[len] == '/');
}

static bool counts(const struct zs_obeyed *row, bool top)
{
	return row->where == ZS_OBEYED_PROJECT || (row->where == ZS_OBEYED_START && top);
}

enum zs_obeyer zs_obeyed(const char *path)
{
	if (zs_obeyed_below_git(path))
		return ZS_OBEYER_GIT;
	for (const char *rest = path; rest; rest = next_name(rest))
		for (size_t i = 0; i < ZS_OBEYED_COUNT; i++)
			if (counts(&zs_obeyed_rows[i], rest == path) && begins_with(rest, zs_obeyed_rows[i].path))
				return ZS_OBEYER_OTHER;
	return ZS_OBEYER_NONE;
}

enum zs_obeyer zs_obeyed_leads(const char *path)
{
	bool itself;

	if (find_git(path, &itself) || itself)
		return ZS_OBEYER_GIT;
	for (const char *rest = path; rest; rest = next_name(rest)) {
		size_t len = strlen(rest);

		for (size_t i = 0; i < ZS_OBEYED_COUNT; i++)
			if (counts(&zs_obeyed_rows[i], rest == path) &&
				strncasecmp(zs_obeyed_rows[i].path, rest, len) == 0 &&
				zs_obeyed_rows[i].path[len] == '/')
				return ZS_OBEYER_OTHER;
	}
	return zs_obeyed(path);
}

bool zs_obeyed_anywhere(const char *path)
{
	for (const char *rest = *path == '/' ? path + 1 : path; rest; rest = next_name(rest)) {
		if (begins_with(rest, ".git"))
			return true;
		for (size_t i = 0; i < ZS_OBEYED_COUNT; i++)
			if (begins_with(rest, zs_obeyed_rows[i].path))
				return true;
	}
	return false;
}
