/* Finds other repositories that lie in a workspace. */
#ifndef ZS_SANDBOX_GIT_NESTED_H
#define ZS_SANDBOX_GIT_NESTED_H

#include "zs_sandbox.h"

/* The most folders that are read, nearest first: each costs some microseconds in each run. The most that are read in
 * folders called node_modules, after all others. The most repositories that are protected: each is a mount, and takes a
 * descriptor of the watch. Repositories that .gitmodules names are not counted. */
enum { ZS_GIT_FOLDERS_MAX = 16384, ZS_GIT_PACKAGES_MAX = 4096, ZS_GIT_FOUND_MAX = 128 };

/* A negative result, with the error filled in, ends the search and is returned. Positive: the policy has no room for
 * the folder. */
typedef int zs_git_nested_each(const char *folder, void *arg);

/* The first place that was not searched, and the reason. The other members are as for an error. */
struct zs_git_missed {
	bool any;
	struct zs_error what;
};

/* Finds the folders below the workspace that hold something called .git or are git directories themselves, and those of
 * submodules, in which the next git in the workspace will look for a repository. Each is a real path, whose last part
 * need not exist. */
int zs_git_nested(const char *workspace, zs_git_nested_each *each, void *arg, struct zs_git_missed *ret_missed,
	struct zs_error *error);

#endif
