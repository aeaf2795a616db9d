/* Which variables a command receives. Pure. */
#ifndef ZS_SANDBOX_ENVIRONMENT_H
#define ZS_SANDBOX_ENVIRONMENT_H

#include "policy.h"

/* Does this variable make a loader, a shell or an interpreter run code it was not asked for? len: of the name. */
bool zs_env_is_loader(const char *name, size_t len);

/* A new environment: of envp what the policy lets pass, and what it sets. The array is malloc'ed, its strings belong
 * to envp and policy. */
int zs_env_filter(const struct zs_policy *policy, char *const envp[], char ***ret_envp);

#endif
