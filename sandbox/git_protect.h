/* What of a writable workspace stays as it is. */
#ifndef ZS_SANDBOX_GIT_PROTECT_H
#define ZS_SANDBOX_GIT_PROTECT_H

#include "policy.h"

/* Adds the grants of a resolved policy, by its "git" and what is there. policy: as it was asked for. */
int zs_git_protect(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error);

#endif
