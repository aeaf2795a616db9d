/* What of a writable workspace stays as it is. */
#ifndef ZS_SANDBOX_GIT_PROTECT_H
#define ZS_SANDBOX_GIT_PROTECT_H

#include "policy/policy.h"

/* Adds the grants of a resolved policy, by its "git" and what is there. policy: as it was asked for. */
int zs_git_protect(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error);

/* The same for a workspace that is an overlay: a resolved policy with the grants that it would have if the command
 * wrote the workspace itself. */
int zs_git_protected(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error);

#endif
