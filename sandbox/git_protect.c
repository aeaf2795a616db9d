/* What a command could leave in a workspace for a program that runs outside, later: hooks and configuration that git
 * executes, start files of shells, the settings of other agents. A policy's "git" says how much of git's is protected;
 * the rest always is. Only what is there: a name that does not exist yet can be made. */
#include "git_protect.h"

#include <errno.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "error.h"
#include "path.h"
#include "preset.h"

static const char step[] = "policy";

/* Of a git directory from which commits are made: what git runs, or is told by to run something. */
static const char *const executed[] = { "hooks", "config", "config.worktree", "info/attributes", NULL };

const char *const zs_obeyed_names[] = { ".gitconfig", ".gitmodules", ".mcp.json", ".bashrc", ".bash_profile",
	".bash_login", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".claude", ".codex",
	".cursor", ".gemini", ".opencode", ".zs", NULL };

static int protect(struct zs_policy *resolved, const char *folder, const char *name, struct zs_error *error)
{
	ZS_AUTO_FREE char *path = zs_path_join(folder, name);
	struct stat st;

	if (!path)
		return zs_error_errno(error, step, folder, ENOMEM);
	/* A link is no place that can be mounted over; where it leads is another's matter. */
	if (lstat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : zs_error_errno(error, step, path, errno);
	if (S_ISLNK(st.st_mode))
		return 0;
	return zs_policy_add_grant(resolved, path, ZS_ACCESS_PROTECT, ZS_ORIGIN_PRESET, false, error);
}

static int protect_all(struct zs_policy *resolved, const char *folder, const char *const *names, struct zs_error *error)
{
	int r = 0;

	for (; r == 0 && *names; names++)
		r = protect(resolved, folder, *names, error);
	return r;
}

static int protect_git(struct zs_policy *resolved, struct zs_error *error)
{
	const char *workspace = resolved->workspace;
	bool whole = resolved->git == ZS_GIT_PROTECT;
	ZS_AUTO_FREE char *dot_git = zs_path_join(workspace, ".git");
	ZS_AUTO_FREE char *common = NULL;
	int r = zs_git_common_dir(workspace, &common);

	if (!dot_git)
		return zs_error_errno(error, step, workspace, ENOMEM);
	if (r < 0 && r != -ENOENT)
		return zs_error_errno(error, step, dot_git, -r);
	if (r == 0) { /* a linked worktree: .git is a file, and what it names is elsewhere */
		r = whole ? protect(resolved, common, "", error) : protect_all(resolved, common, executed, error);
		return r < 0 ? r : protect(resolved, workspace, ".git", error);
	}
	return whole ? protect(resolved, workspace, ".git", error) : protect_all(resolved, dot_git, executed, error);
}

int zs_git_protect(struct zs_policy *resolved, struct zs_error *error)
{
	int r;

	if (!resolved->workspace || resolved->workspace_access != ZS_WORKSPACE_WRITE)
		return 0;
	r = protect_git(resolved, error);
	return r < 0 ? r : protect_all(resolved, resolved->workspace, zs_obeyed_names, error);
}
