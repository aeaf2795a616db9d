/* Protects the files that a command could leave in a workspace for a program that runs outside later: hooks and
 * configuration that git executes, start files of shells, the settings of other agents. A policy's "git" says how many
 * of git's files are protected. The other files are always protected, also those that do not exist yet. A file that the
 * caller has asked to write by its own name is not protected. */
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "git/git_nested.h"
#include "git/git_obeyed.h"
#include "git/obeyed.h"
#include "base/path.h"
#include "policy/preset.h"

static const char step[] = "policy";

struct guard {
	const struct zs_policy *policy; /* the policy before it was resolved */
	struct zs_policy *resolved;
	struct zs_git_places places;
	struct zs_git_orders *user; /* the files that the user's own configuration names */
	size_t first;               /* the resolved policy's grants before those of this file */
	const char *waived;         /* a git directory that the caller asked to write; NULL: none */
	struct zs_error *error;
};

static bool is_asked_for(const struct guard *guard, const char *path)
{
	for (size_t i = 0; !guard->policy->git_firm && i < guard->policy->grant_count; i++) {
		const struct zs_grant *grant = &guard->policy->grants[i];

		if (grant->access == ZS_ACCESS_WRITE && grant->origin == ZS_ORIGIN_SPELLED &&
			strcmp(grant->path, path) == 0)
			return true;
	}
	return false;
}

static int git_protect_fail(const struct guard *guard, const char *path, int cause)
{
	return zs_error_errno(guard->error, step, path, cause);
}

/* Is the path in a tree that is protected as a whole? */
static bool is_covered(const struct zs_policy *resolved, const char *path)
{
	size_t nearest = 0;
	bool covered = false;

	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->len < nearest || !zs_path_lies_in(path, grant->path))
			continue;
		covered = grant->access == ZS_ACCESS_PROTECT || (covered && grant->len == nearest);
		nearest = grant->len;
	}
	return covered;
}

static int git_protect_add(const struct guard *guard, const char *path)
{
	if (is_covered(guard->resolved, path))
		return 0;
	return zs_policy_add_grant(guard->resolved, path, ZS_ACCESS_PROTECT, ZS_ORIGIN_PRESET, false, guard->error);
}

static bool is_in_workspace(const struct guard *guard, const char *real)
{
	const struct zs_policy *resolved = guard->resolved;

	return resolved->workspace && resolved->workspace_access == ZS_WORKSPACE_WRITE &&
	       zs_path_lies_in(real, resolved->workspace);
}

/* Protects one name in a real folder, whether or not it exists. If it is a link, protects the link and its target.
 * *ret_real: the real place; NULL: it lies below a file, or behind a link that leads to no place that the command can
 * write. */
static int protect_name(const struct guard *guard, const char *folder, const char *name, bool last, char **ret_real)
{
	ZS_AUTO_FREE char *path = zs_path_join(folder, name);
	ZS_AUTO_FREE char *real = NULL;
	struct stat st = { 0 };
	int r;

	*ret_real = NULL;
	if (!path)
		return git_protect_fail(guard, folder, ENOMEM);
	if (last && is_asked_for(guard, path))
		return 0;
	r = lstat(path, &st) < 0 ? errno : 0;
	if (r == ENOTDIR)
		return 0;
	if (r && r != ENOENT)
		return git_protect_fail(guard, path, r);
	r = last || S_ISLNK(st.st_mode) ? git_protect_add(guard, path) : 0;
	if (r < 0)
		return r;
	real = st.st_mode ? realpath(path, NULL) : NULL;
	if (!real && st.st_mode && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
		return git_protect_fail(guard, path, errno);
	if (!real) {
		*ret_real = S_ISLNK(st.st_mode) ? NULL : ZS_STEAL(path);
		return 0;
	}
	if (S_ISLNK(st.st_mode) && !is_in_workspace(guard, real))
		return 0;
	if (S_ISLNK(st.st_mode) && last && !is_asked_for(guard, real))
		r = git_protect_add(guard, real);
	*ret_real = ZS_STEAL(real);
	return r;
}

/* names: a path with slashes, each part of which may be a link. */
static int protect(const struct guard *guard, const char *folder, const char *names)
{
	ZS_AUTO_FREE char *at = strdup(folder);

	for (const char *slash; at && (slash = strchr(names, '/')); names = slash + 1) {
		ZS_AUTO_FREE char *name = strndup(names, (size_t)(slash - names));
		char *next = NULL;
		int r = name ? protect_name(guard, at, name, false, &next) : git_protect_fail(guard, at, ENOMEM);

		if (r < 0 || !next)
			return r;
		free(at);
		at = next;
	}
	if (at) {
		ZS_AUTO_FREE char *real = NULL;

		return protect_name(guard, at, names, true, &real);
	}
	return git_protect_fail(guard, folder, ENOMEM);
}

static int protect_all(const struct guard *guard, const char *folder, const char *const *names)
{
	int r = 0;

	for (; r == 0 && *names; names++)
		r = protect(guard, folder, *names);
	return r;
}

enum rows {
	ROWS_THERE, /* those of a project that exist; the watch knows the missing ones of a repository */
	ROWS_ALL,
};

static bool is_there(const char *folder, const char *name)
{
	ZS_AUTO_FREE char *path = zs_path_join(folder, name);
	struct stat st;

	return !path || lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Protects the places in a folder that shells, editors and agents obey. */
static int protect_rows(const struct guard *guard, const char *folder, enum rows rows)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_OBEYED_COUNT; i++) {
		const struct zs_obeyed *row = &zs_obeyed_rows[i];

		if (row->where == ZS_OBEYED_PROJECT || (rows == ROWS_ALL && row->where == ZS_OBEYED_START))
			if (rows == ROWS_ALL || is_there(folder, row->path))
				r = protect(guard, folder, row->path);
	}
	return r;
}

/* Can the command write in the folder around the path? A tree that is granted as a whole is not a place that only git
 * reads. */
static bool is_writable(const struct guard *guard, const char *real)
{
	const struct zs_policy *resolved = guard->resolved;
	bool writable = is_in_workspace(guard, real);

	if (writable && strcmp(real, resolved->workspace) == 0)
		return false;
	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->access != ZS_ACCESS_WRITE || !zs_path_lies_in(real, grant->path))
			continue;
		if (real[grant->len] == '\0')
			return false;
		writable = true;
	}
	return writable;
}

static int protect_place(const char *path, void *arg)
{
	const struct guard *guard = arg;

	if (!is_writable(guard, path) || is_asked_for(guard, path) ||
		(guard->waived && zs_path_lies_in(path, guard->waived)))
		return 0;
	return git_protect_add(guard, path);
}

static int protect_what_git_obeys(struct guard *guard, const char *git_dir, const char *work_tree)
{
	const struct zs_git_repository repository = { git_dir, work_tree };

	return zs_git_obeyed(&repository, guard->user, protect_place, guard, guard->error);
}

/* Protects a git directory, whose work tree may be elsewhere. */
static int protect_git_dir(struct guard *guard, const char *git_dir, const char *work_tree)
{
	bool whole = guard->resolved->git == ZS_GIT_PROTECT, asked = is_asked_for(guard, git_dir);
	int r = whole && !asked ? git_protect_add(guard, git_dir) : 0;

	guard->waived = whole && asked ? git_dir : NULL;
	if (r == 0)
		r = protect_what_git_obeys(guard, git_dir, work_tree);
	guard->waived = NULL;
	return r;
}

/* Protects the target of a .git that is not a folder, if the command can write it. */
static int protect_behind(struct guard *guard, const char *folder, const char *dot_git, mode_t mode)
{
	ZS_AUTO_FREE char *git_dir = S_ISLNK(mode) ? realpath(dot_git, NULL) : NULL;
	int r = S_ISREG(mode) ? zs_git_dir(folder, &git_dir) : 0;

	if (r < 0 && r != -ENOENT)
		return git_protect_fail(guard, dot_git, -r);
	if (!git_dir)
		return 0;
	return is_in_workspace(guard, git_dir) ? protect_git_dir(guard, git_dir, folder)
					       : protect_what_git_obeys(guard, git_dir, folder);
}

/* Does git take the folder for a repository? It does when these names are in it (is_git_directory() in git's setup.c).
 * The file commondir says where the last two are. A name that cannot be looked up counts as present. */
static bool is_git_directory(const char *folder)
{
	static const char *const names[] = { "HEAD", "objects", "refs", "commondir" };
	bool has[ZS_COUNT(names)];

	for (size_t i = 0; i < ZS_COUNT(names); i++) {
		ZS_AUTO_FREE char *path = zs_path_join(folder, names[i]);
		struct stat st;

		has[i] = !path || lstat(path, &st) == 0 || errno != ENOENT;
	}
	return has[0] && ((has[1] && has[2]) || has[3]);
}

/* Protects a folder without a .git. A folder with a HEAD can be a git directory itself. A folder without one cannot
 * become one once HEAD is protected. */
static int protect_bare(struct guard *guard, const char *folder)
{
	static const char *const head[] = { "HEAD", NULL };
	ZS_AUTO_FREE char *path = zs_path_join(folder, head[0]);
	struct stat st;
	int cause;

	if (!path)
		return git_protect_fail(guard, folder, ENOMEM);
	cause = lstat(path, &st) < 0 ? errno : 0;
	if (cause && cause != ENOENT)
		return git_protect_fail(guard, path, cause);
	if (!cause && is_git_directory(folder))
		return protect_what_git_obeys(guard, folder, NULL);
	return protect_all(guard, folder, cause ? head : zs_git_obeyed_names);
}

static int protect_repository(const char *folder, void *arg)
{
	struct guard *guard = arg;
	ZS_AUTO_FREE char *dot_git = zs_path_join(folder, ".git");
	struct stat st = { 0 };
	int r;

	if (!dot_git)
		return git_protect_fail(guard, folder, ENOMEM);
	if (lstat(dot_git, &st) < 0 && errno != ENOENT)
		return errno == ENOTDIR || errno == EACCES ? 0 : git_protect_fail(guard, dot_git, errno);
	if (S_ISDIR(st.st_mode))
		return protect_git_dir(guard, dot_git, folder);
	r = is_asked_for(guard, dot_git) ? 0 : git_protect_add(guard, dot_git);
	if (r < 0)
		return r;
	return st.st_mode ? protect_behind(guard, folder, dot_git, st.st_mode) : protect_bare(guard, folder);
}

/* Protects a linked worktree's repository, which the preset grants as a whole. */
static int protect_common(struct guard *guard)
{
	const char *workspace = guard->resolved->workspace;
	ZS_AUTO_FREE char *common = NULL;
	int r = zs_git_common_dir(workspace, &common);

	if (r < 0)
		return r == -ENOENT ? 0 : git_protect_fail(guard, workspace, -r);
	return protect_git_dir(guard, common, workspace);
}

/* Protects a repository around the workspace. Its configuration can name files in the workspace. */
static int protect_around(struct guard *guard)
{
	const char *workspace = guard->resolved->workspace;
	ZS_AUTO_FREE char *top = NULL;
	ZS_AUTO_FREE char *git_dir = NULL;
	int r = zs_git_around(workspace, &top, &git_dir);

	if (r < 0)
		return r == -ENOENT ? 0 : git_protect_fail(guard, workspace, -r);
	return protect_git_dir(guard, git_dir, top);
}

/* Is there room in the policy for the grants of one more repository, and for the grants that are added later? The
 * matches of patterns do not count: a command could make many, so that no repository has room. */
static bool has_room(const struct guard *guard)
{
	enum { GRANTS = 192, GRANT_BYTES = 48, BYTES = 32 * 1024 };
	const struct zs_policy *resolved = guard->resolved;
	size_t bytes = 0;

	for (size_t i = 0; i < resolved->grant_count; i++)
		if (i + resolved->matches < guard->first || i >= guard->first)
			bytes += resolved->grants[i].len + GRANT_BYTES;
	return resolved->grant_count - resolved->matches + GRANTS < ZS_POLICY_PATHS_MAX &&
	       bytes + BYTES < ZS_POLICY_BYTES_MAX;
}

static int protect_found(const char *folder, void *arg)
{
	const struct guard *guard = arg;
	int r = has_room(guard) ? 0 : 1;

	if (r == 0)
		r = protect_repository(folder, arg);
	return r == 0 ? protect_rows(guard, folder, ROWS_THERE) : r;
}

static int protect_nested(struct guard *guard)
{
	const struct zs_policy *policy = guard->policy;
	struct zs_git_missed missed;
	int r = zs_git_nested(guard->resolved->workspace, protect_found, guard, &missed, guard->error);

	if (r == 0 && missed.any && policy->notice)
		policy->notice(&missed.what, policy->notice_arg);
	return r;
}

/* Protects the places in the home folder that a grant opens and that the user's own shells and agents obey. */
static int protect_home(const struct guard *guard, const char *home, const struct zs_grant *grant)
{
	ZS_AUTO_FREE char *real = home ? realpath(home, NULL) : NULL;
	int r = 0;

	if (!real)
		return home && errno == ENOMEM ? git_protect_fail(guard, home, ENOMEM) : 0;
	for (size_t i = 0; r == 0 && i < ZS_OBEYED_COUNT; i++) {
		ZS_AUTO_FREE char *path = zs_path_join(real, zs_obeyed_rows[i].path);

		if (!path)
			return git_protect_fail(guard, real, ENOMEM);
		if (zs_path_lies_in(path, grant->path) && strcmp(path, grant->path) != 0)
			r = protect(guard, real, zs_obeyed_rows[i].path);
	}
	return r;
}

/* Protects files in other trees that the command can write: a repository, or a part of the home folder. */
static int protect_others(struct guard *guard)
{
	size_t count = guard->resolved->grant_count;
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++) {
		/* The resolved policy's grants have real places. This copies the grant, since adding a grant may move
		 * the list. */
		const struct zs_grant grant = guard->resolved->grants[i];

		if (grant.access != ZS_ACCESS_WRITE || grant.origin != ZS_ORIGIN_SPELLED)
			continue;
		if (is_there(grant.path, ".git"))
			r = guard->user ? 0 : zs_git_orders_read(&guard->places, &guard->user, guard->error);
		if (r == 0 && is_there(grant.path, ".git"))
			r = protect_found(grant.path, guard);
		if (r > 0)
			r = zs_error_say(guard->error, step, grant.path, E2BIG, "does not fit into the policy");
		/* A grant of an obeyed place itself opens all of it. */
		if (r == 0 && !zs_obeyed_anywhere(grant.path))
			r = protect_home(guard, guard->policy->home, &grant);
		if (r == 0 && !zs_obeyed_anywhere(grant.path))
			r = protect_home(guard, guard->policy->account_home, &grant);
	}
	return r;
}

static int protect_everything(struct guard *guard)
{
	const char *workspace = guard->resolved->workspace;
	int r;

	if (!workspace || guard->resolved->workspace_access != ZS_WORKSPACE_WRITE)
		return protect_others(guard);
	r = zs_git_orders_read(&guard->places, &guard->user, guard->error);
	if (r == 0)
		r = zs_git_obeyed_in_folder(guard->user, workspace, protect_place, guard, guard->error);
	if (r == 0)
		r = protect_repository(workspace, guard);
	if (r == 0)
		r = protect_common(guard);
	if (r == 0)
		r = protect_around(guard);
	if (r == 0)
		r = protect_rows(guard, workspace, ROWS_ALL);
	if (r == 0)
		r = protect_nested(guard);
	return r == 0 ? protect_others(guard) : r;
}

int zs_git_protect(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	size_t first = resolved->grant_count;
	struct guard guard = { .policy = policy, .resolved = resolved, .first = first, .error = error };
	int r;

	guard.places = (struct zs_git_places){
		.home = policy->home,
		.account_home = policy->account_home,
		.config_home = policy->git_files[ZS_GIT_CONFIG_HOME],
		.global = policy->git_files[ZS_GIT_GLOBAL],
		.system = policy->git_files[ZS_GIT_SYSTEM],
		.env = policy->git_env.items,
		.env_count = policy->git_env.count,
	};
	r = protect_everything(&guard);
	zs_git_orders_free(guard.user);
	for (; policy->git_firm && first < resolved->grant_count; first++)
		resolved->grants[first].firm = true;
	return r;
}
