/* Finds the repository of a linked worktree (man 1 git-worktree, "DETAILS") or of a submodule. The worktree's .git is a
 * file, "gitdir: PATH", which a command may have rewritten in an earlier run. So it counts only if the other side,
 * which the command could not write, points back at this worktree. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "git/git_config.h"
#include "base/path.h"
#include "policy/policy.h"
#include "policy/preset.h"

/* Reads the one line of a small regular file, without its prefix. NULL: there is no such line, and errno is 0; or the
 * file could not be read, and errno says why. */
static char *git_worktree_read_line(const char *path, const char *prefix)
{
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	char text[PATH_MAX + 16];
	size_t skip = strlen(prefix);
	struct stat st;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	len = S_ISREG(st.st_mode) ? read(fd, text, sizeof text - 1) : 0;
	if (len < 0)
		return NULL;
	errno = 0;
	if (len == 0 || (size_t)len == sizeof text - 1)
		return NULL;
	text[len] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	return strncmp(text, prefix, skip) == 0 && text[skip] ? strdup(text + skip) : NULL;
}

/* Finds the real place of a path that is written in a file of `folder`. */
static char *real_from(const char *folder, const char *path)
{
	ZS_AUTO_FREE char *joined = NULL;

	if (path[0] == '/')
		return realpath(path, NULL);
	joined = zs_path_join(folder, path);
	return joined ? realpath(joined, NULL) : NULL;
}

static bool is_git_dir(const char *folder)
{
	ZS_AUTO_FREE char *head = zs_path_join(folder, "HEAD");
	ZS_AUTO_FREE char *objects = zs_path_join(folder, "objects");
	struct stat st;

	return head && objects && lstat(head, &st) == 0 && lstat(objects, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Does git_dir's file "gitdir" name dot_git? */
static bool points_back(const char *git_dir, const char *dot_git)
{
	ZS_AUTO_FREE char *file = zs_path_join(git_dir, "gitdir");
	ZS_AUTO_FREE char *written = file ? git_worktree_read_line(file, "") : NULL;
	ZS_AUTO_FREE char *named = written ? real_from(git_dir, written) : NULL;
	ZS_AUTO_FREE char *real = realpath(dot_git, NULL);

	return named && real && strcmp(named, real) == 0;
}

/* A submodule's configuration names its work tree. */
struct work_tree {
	const char *git_dir, *folder;
	bool named;
};

static int compare_work_tree(const struct zs_git_entry *entry, void *arg)
{
	struct work_tree *tree = arg;

	if (strcmp(entry->name, "core.worktree") == 0 && entry->value) {
		ZS_AUTO_FREE char *named = real_from(tree->git_dir, entry->value);

		tree->named = named && strcmp(named, tree->folder) == 0;
	}
	return 0;
}

static bool is_submodule_of(const char *git_dir, const char *workspace)
{
	ZS_AUTO_FREE char *real = realpath(workspace, NULL);
	ZS_AUTO_FREE char *config = zs_path_join(git_dir, "config");
	ZS_AUTO_FREE char *text = NULL;
	struct work_tree tree = { git_dir, real, false };
	unsigned line;
	size_t len;

	return real && config && is_git_dir(git_dir) && zs_git_config_read(config, &text, &len) == 0 &&
	       zs_git_config_each(text, len, compare_work_tree, &tree, &line) == 0 && tree.named;
}

/* Cuts the last component off. False: it is not `name`; with name NULL any component is cut. */
static bool git_worktree_cut(char *path, const char *name)
{
	char *slash = strrchr(path, '/');

	if (!slash || slash == path || (name && strcmp(slash + 1, name) != 0))
		return false;
	*slash = '\0';
	return true;
}

int zs_git_dir(const char *folder, char **ret_git_dir)
{
	ZS_AUTO_FREE char *dot_git = zs_path_join(folder, ".git");
	ZS_AUTO_FREE char *written = dot_git ? git_worktree_read_line(dot_git, "gitdir: ") : NULL;
	char *git_dir;

	if (!dot_git)
		return -ENOMEM;
	/* The file is missing, a link, or not readable for this user. Any other failure is an error. */
	if (!written && errno && errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != EACCES)
		return -errno;
	git_dir = written ? real_from(folder, written) : NULL;
	if (!git_dir)
		return -ENOENT;
	*ret_git_dir = git_dir;
	return 0;
}

int zs_git_common_dir(const char *workspace, char **ret_folder)
{
	ZS_AUTO_FREE char *dot_git = zs_path_join(workspace, ".git");
	ZS_AUTO_FREE char *git_dir = NULL;
	int r = dot_git ? zs_git_dir(workspace, &git_dir) : -ENOMEM;

	if (r < 0)
		return r;
	if (is_submodule_of(git_dir, workspace)) {
		*ret_folder = ZS_STEAL(git_dir);
		return 0;
	}
	if (!points_back(git_dir, dot_git))
		return -ENOENT;
	/* git makes it COMMON/worktrees/NAME. The file "commondir" either says the same or cannot be trusted. */
	if (!git_worktree_cut(git_dir, NULL) || !git_worktree_cut(git_dir, "worktrees") || !is_git_dir(git_dir))
		return -ENOENT;
	*ret_folder = ZS_STEAL(git_dir);
	return 0;
}

int zs_git_around(const char *folder, char **ret_top, char **ret_git_dir)
{
	ZS_AUTO_FREE char *top = strdup(folder);
	ZS_AUTO_FREE char *dot_git = zs_path_join(folder, ".git");
	struct stat st;
	int r;

	if (!top || !dot_git)
		return -ENOMEM;
	if (lstat(dot_git, &st) == 0)
		return -ENOENT;
	while (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP) {
		if (!git_worktree_cut(top, NULL))
			return -ENOENT;
		free(dot_git);
		dot_git = zs_path_join(top, ".git");
		if (!dot_git)
			return -ENOMEM;
		if (stat(dot_git, &st) < 0)
			continue;
		/* git obeys no other user's repository (safe.directory in man 1 git-config). */
		if (st.st_uid != geteuid() && geteuid() != 0)
			return -ENOENT;
		r = zs_git_dir(top, ret_git_dir);
		if (r < 0 && r != -ENOENT)
			return r;
		if (r < 0)
			*ret_git_dir = ZS_STEAL(dot_git);
		*ret_top = ZS_STEAL(top);
		return 0;
	}
	return -errno;
}

/* Another repository in the place of the workspace's own */

static const char git_base[] = "git_base";

char *zs_policy_git_folder(const struct zs_policy *policy)
{
	return zs_path_join(policy->workspace, ".git");
}

/* The real repository has one name, and a mount covers it: a link, or the file of a worktree, would lead to others. */
int zs_git_folder_check(const char *folder, struct zs_error *error)
{
	struct stat st;

	if (lstat(folder, &st) < 0)
		return zs_error_hint(error, zs_error_errno(error, git_base, folder, errno),
			"name the top of a repository as the workspace");
	if (S_ISDIR(st.st_mode))
		return 0;
	zs_error_say(error, git_base, folder, ENOTDIR, "is no folder, but leads to a repository elsewhere");
	return zs_error_hint(error, -ENOTDIR, "take a clone, not a worktree or a submodule");
}
