/* Lists all files and folders of one repository that git reads as configuration or runs. A command that can write one
 * of them could make the user's next git run a program of the command.
 *
 *	struct zs_git_orders *user;
 *	zs_git_orders_read(&places, &user, &error);
 *	zs_git_obeyed(&(struct zs_git_repository){ "/ws/.git", "/ws" }, user, protect, arg, &error);
 *	zs_git_orders_free(user);
 *
 * Git's attributes files are not listed. They only choose among drivers that the configuration names, and the
 * .gitattributes of a work tree is an ordinary file with the same effect. A repository's own info/attributes is listed,
 * since only git's configuration lies there. */
#ifndef ZS_SANDBOX_GIT_OBEYED_H
#define ZS_SANDBOX_GIT_OBEYED_H

#include <stddef.h>

#include "zs_sandbox.h"

/* Limits of one repository: levels of includes (as many as git allows), files of configuration, values in them that
 * count, and places that they name. Beyond a limit: -E2BIG. */
enum {
	ZS_GIT_INCLUDE_DEPTH_MAX = 10,
	ZS_GIT_FILES_MAX = 256,
	ZS_GIT_ORDERS_MAX = 4096,
	ZS_GIT_OBEYED_MAX = 8192,
};

/* Where git looks besides the repository. A member that is not known is NULL. All places that are known are read. */
struct zs_git_places {
	const char *home;         /* HOME */
	const char *account_home; /* the user's home in the system's list */
	const char *config_home;  /* XDG_CONFIG_HOME */
	const char *global;       /* GIT_CONFIG_GLOBAL */
	const char *system;       /* GIT_CONFIG_SYSTEM */
	char *const *env;         /* NAME=value: variables of the caller's environment that name what git runs */
	size_t env_count;
};

/* The orders of the user's and the machine's configuration, which name files. They are read once for many
 * repositories. */
struct zs_git_orders;

/* zs_git_orders_free() *ret_orders before the strings of `places` are freed. A file that git cannot read is an error,
 * which names the line. */
int zs_git_orders_read(const struct zs_git_places *places, struct zs_git_orders **ret_orders, struct zs_error *error);
void zs_git_orders_free(struct zs_git_orders *orders);

/* Both are absolute and real. */
struct zs_git_repository {
	const char *git_dir;   /* of a linked worktree: its own git directory, COMMON/worktrees/NAME */
	const char *work_tree; /* NULL: the repository is bare */
};

/* A place that git obeys: absolute, and real up to its last name. It may be missing, may be a symbolic link (its target
 * is reported next), or may lie anywhere. Some places come twice. A negative result, with the error filled in, ends the
 * listing. */
typedef int zs_git_obeyed_each(const char *path, void *arg);

/* Lists the places of one repository, and those that the user's configuration names in it. */
int zs_git_obeyed(const struct zs_git_repository *repository, const struct zs_git_orders *user,
	zs_git_obeyed_each *each, void *arg, struct zs_error *error);

/* Lists the places that the user's configuration and environment name in a folder, with or without a repository:
 * programs, and the files of the configuration, whether or not they exist. */
int zs_git_obeyed_in_folder(const struct zs_git_orders *user, const char *folder, zs_git_obeyed_each *each, void *arg,
	struct zs_error *error);

/* The names in a git directory that git obeys. Ends in NULL. */
extern const char *const zs_git_obeyed_names[];

#endif
