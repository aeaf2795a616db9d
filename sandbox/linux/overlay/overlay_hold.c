/* Decides which changes are held until a person has seen them. */
#include "linux/overlay/overlay_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "git/git_config.h"
#include "git/git_upstream.h"
#include "git/obeyed.h"
#include "policy/policy.h"

/* Can the change redirect a lookup? It can if the path is or was no folder: a symbolic link, or a .git file that names
 * the repository. A folder's new mode counts as well, since it decides who else may write in the folder. */
static bool can_redirect(const struct zs_change *change)
{
	return (change->new_mode && !S_ISDIR(change->new_mode)) || (change->old_mode && !S_ISDIR(change->old_mode)) ||
	       change->kind == ZS_CHANGE_MODE;
}

static enum zs_held find_obeyer(const struct zs_change *change)
{
	enum zs_obeyer obeyer = zs_obeyed(change->path);

	if (obeyer == ZS_OBEYER_NONE && can_redirect(change))
		obeyer = zs_obeyed_leads(change->path);
	if (obeyer == ZS_OBEYER_GIT)
		return ZS_HELD_GIT;
	return obeyer == ZS_OBEYER_OTHER ? ZS_HELD_SETTINGS : ZS_HELD_NOT;
}

/* The grant's path, relative to the workspace. NULL: the grant protects nothing in the workspace. */
static const char *protected_path(const struct zs_policy *policy, const struct zs_grant *grant)
{
	size_t len = strlen(policy->workspace);

	return grant->access == ZS_ACCESS_PROTECT && strncmp(grant->path, policy->workspace, len) == 0 &&
			       grant->path[len] == '/'
		       ? grant->path + len + 1
		       : NULL;
}

static bool begins_with(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncasecmp(path, folder, len) == 0 && (!path[len] || path[len] == '/');
}

/* Does the change touch a path that a plain run protects, anything inside it, or replace a folder above it? spelled:
 * only paths count that the caller has named. */
static bool is_protected(const struct zs_policy *policy, const struct zs_change *change, bool spelled)
{
	for (size_t i = 0; policy && i < policy->grant_count; i++) {
		const char *path = protected_path(policy, &policy->grants[i]);

		if (path && (!spelled || policy->grants[i].origin == ZS_ORIGIN_SPELLED) &&
			(begins_with(change->path, path) || (can_redirect(change) && begins_with(path, change->path))))
			return true;
	}
	return false;
}

/* Does the change only add remotes and upstreams to a repository's configuration? */
static bool adds_upstream(struct zs_overlay *overlay, const struct zs_change *change)
{
	static const char end[] = ".git/config";
	size_t len = strlen(change->path), tail = sizeof end - 1;
	ZS_AUTO_FREE char *old = NULL, *new = NULL;
	size_t old_len, new_len;

	return len >= tail && strcmp(change->path + len - tail, end) == 0 &&
	       (len == tail || change->path[len - tail - 1] == '/') && S_ISREG(change->old_mode) &&
	       change->old_mode == change->new_mode && !is_protected(overlay->protected, change, true) &&
	       zs_overlay_content(overlay, change, ZS_SIDE_OLD, ZS_GIT_CONFIG_BYTES_MAX, &old, &old_len, NULL) == 0 &&
	       zs_overlay_content(overlay, change, ZS_SIDE_NEW, ZS_GIT_CONFIG_BYTES_MAX, &new, &new_len, NULL) == 0 &&
	       zs_git_adds_upstream(old, old_len, new, new_len);
}

static enum zs_held overlay_hold_judge(struct zs_overlay *overlay, const struct zs_change *change)
{
	enum zs_held held = find_obeyer(change);
	mode_t type = change->new_mode & S_IFMT;

	if (held == ZS_HELD_GIT && adds_upstream(overlay, change))
		return ZS_HELD_NOT;
	if (held != ZS_HELD_NOT)
		return held;
	if (is_protected(overlay->protected, change, false))
		return ZS_HELD_PROTECTED;
	/* An unchanged set-user-ID bit is held, too: new content in an old set-user-ID program is as dangerous. And
	 * where root applies, the folder's owner could put a file of root's in the path whose mode is about to be set.
	 */
	if (type == S_IFREG && change->new_mode & (S_ISUID | S_ISGID))
		return ZS_HELD_SET_ID;
	if (type == S_IFSOCK || type == S_IFCHR || type == S_IFBLK)
		return ZS_HELD_SPECIAL;
	return ZS_HELD_NOT;
}

/* Is a folder removed? */
static bool removes_folder(const struct zs_change *change)
{
	return S_ISDIR(change->old_mode) && !S_ISDIR(change->new_mode);
}

/* Is a folder made? */
static bool makes_folder(const struct zs_change *change)
{
	return S_ISDIR(change->new_mode) && !S_ISDIR(change->old_mode);
}

/* The reason for holding a neighbour of a held change: the same where that can be waived (git), so that both are waived
 * together. */
static enum zs_held reason_for_neighbour(enum zs_held held)
{
	return held == ZS_HELD_GIT ? ZS_HELD_GIT : ZS_HELD_NEIGHBOUR;
}

/* Finds the change of the nearest directory above the i-th change's path. In the sorted order that is the change right
 * before it, or one above that. -1: none. */
static ssize_t find_above(const struct zs_change *changes, const char *path, size_t i, const ssize_t *above)
{
	for (ssize_t up = (ssize_t)i - 1; up >= 0; up = above[up])
		if (zs_overlay_is_below(path, changes[up].path))
			return up;
	return -1;
}

static bool is_named(const struct zs_change *change, const char *name)
{
	return strcasecmp(zs_overlay_last_name(change->path), name) == 0;
}

/* Holds back a new repository whole if something in it is held back: half a repository is of no use, and git takes it
 * for a whole one. */
static void hold_repositories(struct zs_change *changes, size_t count, const ssize_t *above)
{
	for (size_t i = 0; i < count; i++) {
		ssize_t top = is_named(&changes[i], ".git")   ? (ssize_t)i
			      : is_named(&changes[i], "HEAD") ? above[i]
							      : -1;

		if (top < 0 || !makes_folder(&changes[top]) || changes[top].held)
			continue;
		for (size_t j = (size_t)top + 1;
			j < count && !changes[top].held && zs_overlay_is_below(changes[j].path, changes[top].path); j++)
			if (changes[j].held == ZS_HELD_GIT)
				changes[top].held = ZS_HELD_GIT;
	}
}

static void hold_neighbours(struct zs_change *changes, size_t count, const ssize_t *above)
{
	/* If a change is held back, the folder around it is not removed. */
	for (size_t i = count; i-- > 0;)
		if (changes[i].held && above[i] >= 0 && removes_folder(&changes[above[i]]) && !changes[above[i]].held)
			changes[above[i]].held = reason_for_neighbour(changes[i].held);
	/* If a new folder is held back, so is its content. If a folder is kept, nothing in it is deleted. */
	for (size_t i = 0; i < count; i++) {
		const struct zs_change *folder = above[i] >= 0 ? &changes[above[i]] : NULL;

		if (folder && folder->held && !changes[i].held && (makes_folder(folder) || removes_folder(folder)))
			changes[i].held = reason_for_neighbour(folder->held);
	}
}

int zs_overlay_hold(struct zs_overlay *overlay)
{
	struct zs_change *changes = overlay->changes;
	size_t count = overlay->count;
	ZS_AUTO_FREE ssize_t *above = calloc(count ? count : 1, sizeof *above);

	if (!above)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		above[i] = find_above(changes, changes[i].path, i, above);
		if (changes[i].held == ZS_HELD_NOT)
			changes[i].held = overlay_hold_judge(overlay, &changes[i]);
	}
	hold_repositories(changes, count, above);
	hold_neighbours(changes, count, above);
	return 0;
}
