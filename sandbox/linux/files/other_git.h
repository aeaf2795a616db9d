/* The repository that the command sees in the place of the workspace's own. */
#ifndef ZS_SANDBOX_LINUX_OTHER_GIT_H
#define ZS_SANDBOX_LINUX_OTHER_GIT_H

#include "policy/policy.h"

/* Returns a detached mount: the policy's git_base under a layer in memory. Or a negative errno. */
int zs_git_base_mount(const struct zs_policy *policy);

#endif
