/* Other repositories that lie in a workspace. */
#ifndef ZS_SANDBOX_GIT_NESTED_H
#define ZS_SANDBOX_GIT_NESTED_H

#include "zs_sandbox.h"

/* How many folders are looked into, the nearest ones first: at every run each costs some microseconds. How many of them
 * in folders called node_modules, behind all others. How many repositories are protected: each is a mount, and takes
 * the watch a descriptor. Beyond them are those that .gitmodules names. */
enum { ZS_GIT_FOLDERS_MAX = 16384, ZS_GIT_PACKAGES_MAX = 4096, ZS_GIT_FOUND_MAX = 128 };

/* Negative, with the error filled in: ends the search with it. Positive: there is no room for it. */
typedef int zs_git_nested_each(const char *folder, void *arg);

/* The first place that was not searched, and why. The rest is as for an error. */
struct zs_git_missed {
	bool any;
	struct zs_error what;
};

/* Folders below the workspace that hold something called .git or are a git directory themselves, and those that are
 * submodules, where the next git in the workspace will look for one. Each is a real path, of which the last part need
 * not exist. */
int zs_git_nested(const char *workspace, zs_git_nested_each *each, void *arg, struct zs_git_missed *ret_missed,
	struct zs_error *error);

#endif
