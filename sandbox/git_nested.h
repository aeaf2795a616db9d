/* Other repositories that lie in a workspace. */
#ifndef ZS_SANDBOX_GIT_NESTED_H
#define ZS_SANDBOX_GIT_NESTED_H

#include "zs_sandbox.h"

/* How many folders are looked at, nearest ones first, and how deep they are: at every run each costs 1 µs, and 4 µs
 * more if folders in it are looked at. What lies beyond is found when .gitmodules names it. */
enum { ZS_GIT_FOLDERS_MAX = 128, ZS_GIT_DEPTH_MAX = 3 };

/* Negative, with the error filled in: ends the search with it. */
typedef int zs_git_nested_each(const char *folder, void *arg);

/* Folders below the workspace that hold something called .git, and those that are submodules, where the next git in the
 * workspace will look for one. Each is a real path, of which the last part need not exist. */
int zs_git_nested(const char *workspace, zs_git_nested_each *each, void *arg, struct zs_error *error);

#endif
