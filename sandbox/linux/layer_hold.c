/* Which changes a person should see before they take effect. Pure. */
#include "layer_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cleanup.h"
#include "git_protect.h"

/* What git runs, and the files that say where else it reads such (man 5 gitrepository-layout). A rebase that seems to
 * be going on may have a list with lines "exec COMMAND" in it, for the next `git rebase --continue`. */
static const char *const orders[] = { "hooks", "config", "config.worktree", "commondir", "rebase-merge" };
/* Folders of a repository in which those are names of branches. */
static const char *const branches[] = { "refs", "logs", "objects" };

static bool is_one_of(const char *name, size_t len, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == len && strncasecmp(name, names[i], len) == 0)
			return true;
	return false;
}

bool zs_git_obeys(const char *name, size_t len)
{
	return is_one_of(name, len, orders, ZS_COUNT(orders));
}

/* A submodule's repository is .git/modules/NAME, so any depth counts. The case does not matter: the workspace may be on
 * a file system where it does not. */
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
		if (inside && zs_git_obeys(name, len))
			return true;
		first = is_one_of(name, len, git, ZS_COUNT(git));
		inside = inside || first;
	}
	*ret_itself = first;
	return false;
}

bool zs_is_below_git(const char *path)
{
	bool itself;

	return find_git(path, &itself);
}

/* Does git take orders from it? A .git that is no folder says where the repository is. */
static bool is_gits(const struct zs_change *change)
{
	bool itself, below = find_git(change->path, &itself);

	return below || (itself && ((change->new_mode && !S_ISDIR(change->new_mode)) ||
					   (change->old_mode && !S_ISDIR(change->old_mode))));
}

/* At the top of the workspace: where a policy that lets it be written protects it, too. */
static bool is_obeyed(const char *path)
{
	size_t len = strcspn(path, "/");

	for (const char *const *name = zs_obeyed_names; *name; name++)
		if (strlen(*name) == len && strncasecmp(path, *name, len) == 0)
			return true;
	return false;
}

static enum zs_held judge(const struct zs_change *change)
{
	mode_t type = change->new_mode & S_IFMT;

	if (is_gits(change))
		return ZS_HELD_GIT;
	if (is_obeyed(change->path))
		return ZS_HELD_SETTINGS;
	/* Not only where it is new: a new program in an old one's set-user-id is as bad, and where root applies, others
	 * who own the folder could put a file of root's where such a mode is about to be set. */
	if (type == S_IFREG && change->new_mode & (S_ISUID | S_ISGID))
		return ZS_HELD_SET_ID;
	if (type == S_IFSOCK || type == S_IFCHR || type == S_IFBLK)
		return ZS_HELD_SPECIAL;
	return ZS_HELD_NOT;
}

static bool goes(const struct zs_change *change)
{
	return S_ISDIR(change->old_mode) && !S_ISDIR(change->new_mode);
}

static bool comes(const struct zs_change *change)
{
	return S_ISDIR(change->new_mode) && !S_ISDIR(change->old_mode);
}

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && path[len] == '/';
}

/* Neighbours are held for the first one's reason where that can be waived, so that both are waived together. */
static enum zs_held pass_on(enum zs_held held)
{
	return held == ZS_HELD_GIT ? ZS_HELD_GIT : ZS_HELD_NEIGHBOUR;
}

/* The nearest change above the i-th: its predecessor in the tree's order, or one above that. -1: none. */
static ssize_t find_above(const struct zs_change *changes, const char *path, size_t i, const ssize_t *above)
{
	for (ssize_t up = (ssize_t)i - 1; up >= 0; up = above[up])
		if (is_below(path, changes[up].path))
			return up;
	return -1;
}

static void spread(struct zs_change *changes, size_t count, const ssize_t *above)
{
	/* What stays keeps its folder. */
	for (size_t i = count; i-- > 0;)
		if (changes[i].held && above[i] >= 0 && goes(&changes[above[i]]) && !changes[above[i]].held)
			changes[above[i]].held = pass_on(changes[i].held);
	/* What is in a folder that does not come does not either; and of one that stays nothing goes. */
	for (size_t i = 0; i < count; i++) {
		const struct zs_change *folder = above[i] >= 0 ? &changes[above[i]] : NULL;

		if (folder && folder->held && !changes[i].held && (comes(folder) || goes(folder)))
			changes[i].held = pass_on(folder->held);
	}
}

int zs_layer_hold(struct zs_change *changes, size_t count)
{
	ZS_AUTO_FREE ssize_t *above = calloc(count ? count : 1, sizeof *above);

	if (!above)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		above[i] = find_above(changes, changes[i].path, i, above);
		if (changes[i].held == ZS_HELD_NOT)
			changes[i].held = judge(&changes[i]);
	}
	spread(changes, count, above);
	return 0;
}
