/* Which variables a command receives. */
#include "policy/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "policy/proxy_variables.h"

static bool passes(const struct zs_policy *policy, const char *name, size_t len)
{
	if (zs_env_is_loader(name, len))
		return false;
	for (size_t i = 0; i < policy->env_pass.count; i++)
		if (zs_env_matches(policy->env_pass.items[i], name, len) &&
			!(zs_env_is_prefix(policy->env_pass.items[i]) && zs_env_is_secret(name, len)))
			return true;
	return false;
}

bool zs_env_covers(const struct zs_policy *policy, const char *pattern)
{
	size_t len = strlen(pattern);

	if (!zs_env_is_prefix(pattern))
		return passes(policy, pattern, len);
	for (size_t i = 0; i < policy->env_pass.count; i++)
		if (zs_env_is_prefix(policy->env_pass.items[i]) &&
			zs_env_matches(policy->env_pass.items[i], pattern, len - 1))
			return true;
	return false;
}

static bool environment_holds(char *const *envp, size_t count, const char *name, size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(envp[i], name, len) == 0 && envp[i][len] == '=')
			return true;
	return false;
}

int zs_env_filter(const struct zs_policy *policy, char *const envp[], char ***ret_envp)
{
	bool proxy = policy->network == ZS_NETWORK_HOSTS;
	size_t count = 0, given = 0, own = 0;
	char **filtered;

	while (envp[given])
		given++;
	while (proxy && zs_proxy_variables[own])
		own++;
	filtered = malloc((given + own + policy->env_set.count + 1) * sizeof *filtered);
	if (!filtered)
		return -ENOMEM;
	for (size_t i = 0; i < policy->env_set.count; i++)
		filtered[count++] = policy->env_set.items[i];
	for (size_t i = 0; i < own; i++)
		if (!zs_policy_sets(policy, zs_proxy_variables[i]))
			filtered[count++] = (char *)zs_proxy_variables[i];
	for (size_t i = 0; i < given; i++) {
		size_t len = strcspn(envp[i], "=");

		if (proxy && zs_is_proxy_variable(envp[i], len))
			continue;

		/* When a name comes twice, only the first passes: programs disagree about which one counts. */
		if (envp[i][len] == '=' && passes(policy, envp[i], len) &&
			!environment_holds(filtered, count, envp[i], len))
			filtered[count++] = envp[i];
	}
	filtered[count] = NULL;
	*ret_envp = filtered;
	return 0;
}
