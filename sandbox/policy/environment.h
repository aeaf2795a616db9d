/* Decides which variables a command receives, and sets those that tell programs of the proxy. Pure. */
#ifndef ZS_SANDBOX_ENVIRONMENT_H
#define ZS_SANDBOX_ENVIRONMENT_H

#include "base/variable_names.h"
#include "policy/policy.h"

/* The port of the proxy at the run's own 127.0.0.1. If the run has no network of its own, the port is another. It is
 * below 1024, where no command can listen, so it conflicts with none. */
#define ZS_PROXY_PORT 808

/* Set to 1 in each run. ZS_SANDBOX_NETWORK beside it is the policy's network: none, hosts or full. */
#define ZS_CONFINED "ZS_SANDBOX"

/* Makes a new environment: the variables of envp that the policy lets pass, and those that the policy sets. If the
 * network is reached by a proxy, adds the variables that say so, unless the policy sets them, and drops those of envp.
 * Without a network, adds those by which clients do not try again. Each run has ZS_SANDBOX and ZS_SANDBOX_NETWORK.
 * The array is malloc'ed; its strings belong to envp and policy, or are static. */
int zs_env_filter(const struct zs_policy *policy, char *const envp[], char ***ret_envp);

/* Puts another port into the proxy variables of `env`, an environment that zs_env_filter() made; env owns the new
 * strings. 0; or -ENOMEM, and some variables keep the old port. */
int zs_proxy_variables_move(char **env, uint16_t port);

/* Does the policy let pass every variable with this name, or with this beginning of a name followed by '*'? */
bool zs_env_covers(const struct zs_policy *policy, const char *pattern);

#endif
