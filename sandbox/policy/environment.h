/* Which variables a command receives. Pure. */
#ifndef ZS_SANDBOX_ENVIRONMENT_H
#define ZS_SANDBOX_ENVIRONMENT_H

#include "policy/policy.h"
#include "base/variable_names.h"

/* A new environment: of envp what the policy lets pass, and what it sets; and, if the network is reached by a proxy,
 * the variables that say so, as far as the policy does not set them, and none of envp's that do. The array is
 * malloc'ed, its strings belong to envp and policy, or are static. */
int zs_env_filter(const struct zs_policy *policy, char *const envp[], char ***ret_envp);

/* Does the policy let pass whatever this name, or start of names and '*', stands for? */
bool zs_env_covers(const struct zs_policy *policy, const char *pattern);

#endif
