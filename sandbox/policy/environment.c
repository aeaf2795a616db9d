/* Decides which variables a command receives. */
#include "policy/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define PROXY(name) name "=http://127.0.0.1:" TEXT(ZS_PROXY_PORT)
/* By these, programs know that they are confined. */
#define CONFINED(network) ZS_CONFINED "=1", "ZS_SANDBOX_NETWORK=" network
#define EXCEPT(name) name "=localhost,127.0.0.1,::1"

/* Each is "NAME=value", up to a NULL: the variables that curl, git, wget, python, npm, pip, cargo, apt and Go's own
 * clients read. Programs that read none of them, such as the JVM and node, are served by name and port:
 * JDK_JAVA_OPTIONS is a variable that loads code, and JAVA_TOOL_OPTIONS prints a line at each start.
 *
 * ALL_PROXY names the HTTP proxy too, whose CONNECT serves every protocol. With SOCKS in it, Python's httpx does not
 * start unless a package is installed that httpx does not install by itself. */
static const char *const proxy_variables[] = { CONFINED("hosts"), PROXY("HTTP_PROXY"), PROXY("http_proxy"),
	PROXY("HTTPS_PROXY"), PROXY("https_proxy"), PROXY("ALL_PROXY"), PROXY("all_proxy"), PROXY("npm_config_proxy"),
	PROXY("npm_config_https_proxy"), PROXY("CARGO_HTTP_PROXY"), PROXY("PIP_PROXY"), EXCEPT("NO_PROXY"),
	EXCEPT("no_proxy"), NULL };

/* The same for a run without a network. These clients try again for a minute by default, even when a name has no
 * address; a run that cannot reach anything ends at once instead. */
static const char *const offline_variables[] = { CONFINED("none"), "npm_config_fetch_retries=0", "PIP_RETRIES=0",
	"CARGO_NET_RETRY=0", "UV_HTTP_RETRIES=0", NULL };

static const char *const full_variables[] = { CONFINED("full"), NULL };

static const char *const *own_variables(const struct zs_policy *policy)
{
	if (policy->network == ZS_NETWORK_FULL)
		return full_variables;
	return policy->network == ZS_NETWORK_HOSTS ? proxy_variables : offline_variables;
}

/* Is it a variable that names a proxy? The caller's proxy cannot be reached from inside. len: the length of the
 * name. */
static bool is_proxy_variable(const char *name, size_t len)
{
	static const char ending[] = "_proxy";
	size_t size = sizeof ending - 1;

	return len >= size && strncasecmp(name + len - size, ending, size) == 0;
}

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
	const char *const *variables = own_variables(policy);
	size_t count = 0, given = 0, own = 0;
	char **filtered;

	while (envp[given])
		given++;
	while (variables[own])
		own++;
	filtered = malloc((given + own + policy->env_set.count + 1) * sizeof *filtered);
	if (!filtered)
		return -ENOMEM;
	for (size_t i = 0; i < policy->env_set.count; i++)
		filtered[count++] = policy->env_set.items[i];
	for (size_t i = 0; i < own; i++)
		if (!zs_policy_sets(policy, variables[i]))
			filtered[count++] = (char *)variables[i];
	for (size_t i = 0; i < given; i++) {
		size_t len = strcspn(envp[i], "=");

		if (proxy && is_proxy_variable(envp[i], len))
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

/* Where does one of our own strings name the port? Returns the offset, or 0. */
static size_t port_at(const char *entry)
{
	static const char port[] = ":" TEXT(ZS_PROXY_PORT);
	size_t len = strlen(entry), port_len = sizeof port - 1;

	for (const char *const *own = proxy_variables; *own; own++)
		if (*own == entry && len > port_len && strcmp(entry + len - port_len, port) == 0)
			return len - port_len + 1;
	return 0;
}

int zs_proxy_variables_move(char **env, uint16_t port)
{
	enum { DIGITS = 6 };

	for (; *env; env++) {
		size_t at = port_at(*env);
		char *entry = at ? malloc(at + DIGITS) : NULL;

		if (!at)
			continue;
		if (!entry)
			return -ENOMEM;
		memcpy(entry, *env, at);
		snprintf(entry + at, DIGITS, "%u", port);
		*env = entry;
	}
	return 0;
}
