/* All that git reads as configuration or runs in one repository. By these files and folders a command could make
 * the next git of the user run a program of the command.
 *
 *	struct zs_git_orders *user;
 *	zs_git_orders_read(&places, &user, &error);
 *	zs_git_obeyed(&(struct zs_git_repository){ "/ws/.git", "/ws" }, user, protect, arg, &error);
 *	zs_git_orders_free(user);
 *
 * Git's attributes files are none of these. They only choose among drivers that the configuration names, and the
 * .gitattributes of a work tree is as strong and a file like others. A repository's own info/attributes is counted,
 * since nothing but git's configuration lies there. */
#ifndef ZS_SANDBOX_GIT_OBEYED_H
#define ZS_SANDBOX_GIT_OBEYED_H

#include <stddef.h>

#include "zs_sandbox.h"

/* As many includes in each other as git allows; how many files of configuration are read for one repository, how many
 * values count in them, and how many places come of it. More than that refuses: -E2BIG. */
enum {
	ZS_GIT_INCLUDE_DEPTH_MAX = 10,
	ZS_GIT_FILES_MAX = 256,
	ZS_GIT_ORDERS_MAX = 4096,
	ZS_GIT_OBEYED_MAX = 8192,
};

/* Where git looks beside the repository; what is not known is NULL. All that could be read is. */
struct zs_git_places {
	const char *home;         /* HOME */
	const char *account_home; /* the user's home in the system's list */
	const char *config_home;  /* XDG_CONFIG_HOME */
	const char *global;       /* GIT_CONFIG_GLOBAL */
	const char *system;       /* GIT_CONFIG_SYSTEM */
	char *const *env;         /* NAME=value: what the caller's environment has git run */
	size_t env_count;
};

/* The user's and the machine's configuration, as far as it names files. It is read once for many repositories. */
struct zs_git_orders;

/* zs_git_orders_free() *ret_orders, before what `places` names goes. A file that git cannot read is an error, which
 * says the line. */
int zs_git_orders_read(const struct zs_git_places *places, struct zs_git_orders **ret_orders, struct zs_error *error);
void zs_git_orders_free(struct zs_git_orders *orders);

/* Both are absolute and real. */
struct zs_git_repository {
	const char *git_dir;   /* of a linked worktree: its own, COMMON/worktrees/NAME */
	const char *work_tree; /* NULL: the repository is bare */
};

/* A place that is obeyed: absolute, real up to its last name. It may be missing, be a symbolic link (then the place
 * that it leads to follows), or lie anywhere. Some come twice. Negative, with the error filled in: ends with it. */
typedef int zs_git_obeyed_each(const char *path, void *arg);

/* By one repository, and by the user's configuration in it. */
int zs_git_obeyed(const struct zs_git_repository *repository, const struct zs_git_orders *user,
	zs_git_obeyed_each *each, void *arg, struct zs_error *error);

/* By the user's configuration and environment in a folder, with or without a repository: its programs, and the files
 * that it has been read from, or would be. */
int zs_git_obeyed_in_folder(const struct zs_git_orders *user, const char *folder, zs_git_obeyed_each *each, void *arg,
	struct zs_error *error);

/* The names in a git directory that git obeys. Ends in NULL. */
extern const char *const zs_git_obeyed_names[];

#endif
