/* Which variables a command receives, and among them those that tell programs of the proxy. Pure. */
#ifndef ZS_SANDBOX_ENVIRONMENT_H
#define ZS_SANDBOX_ENVIRONMENT_H

#include "base/variable_names.h"
#include "policy/policy.h"

/* On the run's own 127.0.0.1; where it has none, the port is another. Below 1024, where no command can listen: it is in
 * nobody's way. */
#define ZS_PROXY_PORT 808

/* A new environment: of envp what the policy lets pass, and what it sets; and, if the network is reached by a proxy,
 * the variables that say so, as far as the policy does not set them, and none of envp's that do. The array is
 * malloc'ed, its strings belong to envp and policy, or are static. */
int zs_env_filter(const struct zs_policy *policy, char *const envp[], char ***ret_envp);

/* Puts another port into those of `env`, an environment that zs_env_filter() made; it owns the new strings. 0, or
 * -ENOMEM, and some have the old one. */
int zs_proxy_variables_move(char **env, uint16_t port);

/* Does the policy let pass whatever this name, or start of names and '*', stands for? */
bool zs_env_covers(const struct zs_policy *policy, const char *pattern);

#endif
