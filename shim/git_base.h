/* A repository that ends at a commit, for --git-base: what came later is no oracle. */
#ifndef ZS_SHIM_GIT_BASE_H
#define ZS_SHIM_GIT_BASE_H

#include "zs_sandbox.h"

/* Sets the policy's git_base to a repository that has nothing but the commit and what it leads to, and no remotes, tags
 * or reflogs. Its one branch has the name of the workspace's. git makes it, confined, the first time; it is kept in
 * $XDG_STATE_HOME/zs/bases. The policy has a workspace. -EOPNOTSUPP: git is missing, or the workspace's repository is
 * one that is not complete: shallow, or with alternates or grafts. */
int zs_git_base_use(struct zs_policy *policy, const char *commit, char *const envp[], struct zs_error *error);

#endif
