/* Lists the names of a policy that are watched while a command runs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/cleanup.h"
#include "git/obeyed.h"
#include "base/path.h"
#include "linux/base/stage.h"
#include "linux/watch/watched_name.h"
#include "linux/watch/watch.h"
#include "linux/watch/journal.h"
#include "policy/preset.h"

static int watch_list_add(struct zs_watch *watch, enum zs_watched what, const char *path, size_t len)
{
	struct zs_watched_name *names = zs_with_room(watch->names, watch->count, sizeof *names), *name;

	if (!names)
		return -ENOMEM;
	watch->names = names;
	name = &names[watch->count];
	*name = (struct zs_watched_name){
		.what = what, .path = strndup(path, len), .len = len, .folder = -1, .nearer = -1
	};
	if (!name->path)
		return -ENOMEM;
	if (what == ZS_WATCHED_LINK) {
		char target[PATH_MAX];
		int r = zs_watched_target(AT_FDCWD, path, target);

		if (r == 0 && !(name->target = strdup(target)))
			r = -ENOMEM;
		if (r < 0) {
			free(name->path);
			return r;
		}
	}
	watch->count++;
	return 0;
}

static int add_way(struct zs_watch *watch, const char *path, size_t len)
{
	/* The ways of names that follow one another are mostly the same. */
	for (size_t i = watch->count; i-- > 0;)
		if (watch->names[i].what == ZS_WATCHED_WAY && watch->names[i].len == len &&
			memcmp(watch->names[i].path, path, len) == 0)
			return 0;
	return watch_list_add(watch, ZS_WATCHED_WAY, path, len);
}

/* Lists a mount, and each folder above it in the granted tree. A program outside can replace the file by rename(2):
 * then the kernel removes the mount (__detach_mounts() in fs/namespace.c). Or it can move the file or a folder above
 * it: then the mount goes along to another name. */
static int add_mount(struct zs_watch *watch, const struct zs_policy *policy, const struct zs_grant *grant)
{
	bool hidden = grant->access == ZS_ACCESS_HIDE;
	size_t tree = zs_watch_tree_around(policy, grant->path, hidden ? ZS_ACCESS_READ : ZS_ACCESS_LAYER);
	size_t len = strlen(grant->path);
	const char *slash = tree < len ? strchr(grant->path + tree + 1, '/') : NULL;
	int r = 0;

	for (; r == 0 && slash; slash = strchr(slash + 1, '/'))
		r = add_way(watch, grant->path, (size_t)(slash - grant->path));
	return r < 0 ? r : watch_list_add(watch, hidden ? ZS_WATCHED_HIDDEN : ZS_WATCHED_PROTECTED, grant->path, len);
}

/* Outside of every granted tree, a hidden path can only be a folder of the run's own root that leads to another grant.
 * It needs no mount. */
static int list_hidden(struct zs_watch *watch, const struct zs_policy *policy, const struct zs_grant *grant)
{
	int r = zs_watched_is_mount(AT_FDCWD, grant->path);

	if (r == 0)
		return zs_watch_access(policy, grant->path) == ZS_ACCESS_HIDE ? 0 : -EEXIST;
	if (r == -ENOENT || r == -ENOTDIR || r == -EACCES)
		return 0;
	return r < 0 ? r : add_mount(watch, policy, grant);
}

/* Notes for the last name whether it is a .git whose index no process of the run can write. */
static int note_index(struct zs_watch *watch, const struct zs_policy *policy)
{
	struct zs_watched_name *name = &watch->names[watch->count - 1];
	size_t len = strlen(name->path), end = strlen(ZS_GIT_FOLDER);
	ZS_AUTO_FREE char *index = zs_path_join(name->path, "index");

	if (!index)
		return -ENOMEM;
	name->index = len > end && strcmp(name->path + len - end, ZS_GIT_FOLDER) == 0 &&
		      zs_watch_access(policy, index) < ZS_ACCESS_WRITE;
	return 0;
}

/* A protected path that lies in no writable tree needs no mount. */
static int list_protected(struct zs_watch *watch, const struct zs_policy *policy, const struct zs_grant *grant)
{
	const char *path = grant->path;
	struct stat st;
	int r;

	if (zs_watch_access(policy, path) != ZS_ACCESS_WRITE)
		return 0;
	r = zs_watched_is_mount(AT_FDCWD, path);
	if (r == -ENOENT || r == -ENOTDIR)
		return watch_list_add(watch, ZS_WATCHED_ABSENT, path, strlen(path));
	if (r == -EACCES)
		return 0;
	if (r > 0) {
		r = add_mount(watch, policy, grant);
		return r < 0 ? r : note_index(watch, policy);
	}
	if (r < 0)
		return r;
	/* Nothing can be mounted over a link. */
	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return -EEXIST;
	return watch_list_add(watch, ZS_WATCHED_LINK, path, strlen(path));
}

static bool is_granted(const struct zs_policy *policy, const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].len == len && memcmp(policy->grants[i].path, path, len) == 0)
			return true;
	return false;
}

/* Lists a missing name that git or an agent would obey in a repository. Names that exist have grants. */
static int list_row(struct zs_watch *watch, const struct zs_policy *policy, const char *root, const char *name)
{
	ZS_AUTO_FREE char *path = zs_path_join(root, name);
	struct stat st;

	if (!path)
		return -ENOMEM;
	if (is_granted(policy, path) || zs_watch_access(policy, path) != ZS_ACCESS_WRITE)
		return 0;
	if (lstat(path, &st) == 0)
		return -EEXIST;
	return errno == ENOENT || errno == ENOTDIR ? watch_list_add(watch, ZS_WATCHED_ABSENT, path, strlen(path)) : 0;
}

/* Lists the index of the repository whose work tree is root, if the command can write it: --git allow. */
static int list_index(struct zs_watch *watch, const struct zs_policy *policy, const char *root)
{
	ZS_AUTO_FREE char *git_dir = NULL, *path = NULL;
	int r = policy->git == ZS_GIT_PROTECT ? -ENOENT : zs_git_dir(root, &git_dir);

	if (r < 0 && r != -ENOENT)
		return r;
	path = git_dir ? zs_path_join(git_dir, "index") : zs_path_join(root, ".git/index");
	if (!path)
		return -ENOMEM;
	if (zs_watch_access(policy, path) != ZS_ACCESS_WRITE)
		return 0;
	r = watch_list_add(watch, ZS_WATCHED_INDEX, path, strlen(path));
	if (r == 0 && !(watch->names[watch->count - 1].target = strdup(root)))
		r = -ENOMEM;
	return r;
}

/* Lists the missing names that agents obey at the top of a repository below the workspace, which a grant of its .git
 * shows, and its index. The policy has no grants for these names: a hundred repositories would exceed its room. It has
 * grants for those of the workspace itself, and for symbolic links on the way to a name. */
static int list_repository(struct zs_watch *watch, const struct zs_policy *policy, const struct zs_grant *grant)
{
	static const char *const ends[] = { "/.git", "/.git/hooks" };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(ends); i++) {
		size_t len = strlen(ends[i]);
		ZS_AUTO_FREE char *root = NULL;

		if (grant->len <= len || strcmp(grant->path + grant->len - len, ends[i]) != 0)
			continue;
		root = strndup(grant->path, grant->len - len);
		if (!root)
			return -ENOMEM;
		if (policy->workspace && strcmp(root, policy->workspace) == 0)
			return 0;
		r = list_index(watch, policy, root);
		for (size_t j = 0; r == 0 && j < ZS_OBEYED_COUNT; j++)
			if (zs_obeyed_rows[j].where == ZS_OBEYED_PROJECT)
				r = list_row(watch, policy, root, zs_obeyed_rows[j].path);
	}
	return r;
}

static int list(struct zs_watch *watch, const struct zs_policy *policy, struct zs_error *error)
{
	int top = policy->workspace ? list_index(watch, policy, policy->workspace) : 0;

	if (top < 0)
		return zs_watch_fail(error, policy->workspace, -top);
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		int r = 0;

		if (grant->access == ZS_ACCESS_PROTECT)
			r = list_protected(watch, policy, grant);
		if (r == 0 && grant->access == ZS_ACCESS_PROTECT)
			r = list_repository(watch, policy, grant);
		if (grant->access == ZS_ACCESS_HIDE)
			r = list_hidden(watch, policy, grant);
		if (r < 0)
			return zs_watch_fail(error, grant->path, -r);
	}
	return 0;
}

/* In a session each run begins its own watch, and the session writes one journal. */
int zs_stage_watch(struct zs_run *run, struct zs_error *error)
{
	int r = list(run->watch, run->policy, error);

	if (r == 0 && !run->shared)
		r = zs_watch_begin(run->watch, error);
	if (r < 0)
		return r;
	r = zs_journal_write(run->journal, run->policy, run->watch, run->overlaid);
	return r < 0 ? zs_error_errno(error, "", "journal", -r) : 0;
}
