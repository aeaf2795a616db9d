/* Which variables a command receives. */
#include "policy/environment.h"
#include "harness.h"
#include "base/path.h"
#include "policy/preset.h"

TEST(environment_filter)
{
	char *envp[] = { (char *)"A=1", (char *)"LC_ALL=C", (char *)"B=2", (char *)"A=again", (char *)"broken",
		(char *)"LD_PRELOAD=/x", (char *)"LDX=3", (char *)"SET=old", (char *)"=odd", (char *)"LC_=e", NULL };
	static const char *const want[] = { "SET=new", "ZS_SANDBOX=1", "ZS_SANDBOX_NETWORK=full", "A=1", "LC_ALL=C",
		"LDX=3", "LC_=e", NULL };
	AUTO_POLICY *policy = NULL;
	char **env;
	size_t i;

	zs_policy_new(envp, &policy);
	zs_policy_set_network(policy, ZS_NETWORK_FULL, NULL);
	zs_policy_add_env(policy, "A", NULL);
	zs_policy_add_env(policy, "LC_*", NULL);
	zs_policy_add_env(policy, "LD*", NULL); /* which does not cover LD_PRELOAD */
	zs_policy_set_env(policy, "SET=old", NULL);
	zs_policy_set_env(policy, "SET=new", NULL);
	CHECK(zs_env_filter(policy, envp, &env) == 0, "filters");
	for (i = 0; env[i] && want[i]; i++)
		CHECK(strcmp(env[i], want[i]) == 0, "%s, not %s", env[i], want[i]);
	CHECK(!env[i] && !want[i], "as many as wanted: %zu", i);
	free(env);
}

/* The caller's number of tries does not count, but the policy's does. */
TEST(clients_without_a_network_do_not_try_again)
{
	char *envp[] = { (char *)"PIP_RETRIES=9", (char *)"CARGO_NET_RETRY=9", NULL };
	static const char *const want[] = { "CARGO_NET_RETRY=3", "ZS_SANDBOX=1", "ZS_SANDBOX_NETWORK=none",
		"npm_config_fetch_retries=0", "PIP_RETRIES=0", "UV_HTTP_RETRIES=0", NULL };
	AUTO_POLICY *policy = NULL;
	char **env;
	size_t i;

	zs_policy_new(envp, &policy);
	zs_policy_add_env(policy, "PIP_RETRIES", NULL);
	zs_policy_set_env(policy, "CARGO_NET_RETRY=3", NULL);
	CHECK(zs_env_filter(policy, envp, &env) == 0, "filters");
	for (i = 0; env[i] && want[i]; i++)
		CHECK(strcmp(env[i], want[i]) == 0, "%s, not %s", env[i], want[i]);
	CHECK(!env[i] && !want[i], "as many as wanted: %zu", i);
	free(env);
	/* With hosts a retry may help. */
	zs_policy_add_host(policy, "example.org", NULL);
	zs_env_filter(policy, envp, &env);
	for (i = 0; env[i]; i++)
		CHECK(strcmp(env[i], "PIP_RETRIES=0") != 0, "%s", env[i]);
	free(env);
}

TEST(loader_variables_are_refused_by_name)
{
	static const char *const names[] = { "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES",
		"BASH_ENV", "ENV", "BASH_FUNC_x", "PS4", "PROMPT_COMMAND", "PYTHONPATH", "PYTHONSTARTUP",
		"NODE_OPTIONS", "PERL5LIB", "PERL5OPT", "RUBYOPT", "GCONV_PATH", "GLIBC_TUNABLES", "JAVA_TOOL_OPTIONS",
		"MAKEFILES", "MAKEFLAGS", "GNUMAKEFLAGS", "DOTNET_STARTUP_HOOKS", "GCC_EXEC_PREFIX", "OPENSSL_CONF",
		"GIT_DIR", "RUSTC_WRAPPER", "GIT_SSH_COMMAND", "GIT_CONFIG_COUNT", "LESSOPEN", "ZS_SANDBOX_POLICY" };
	AUTO_POLICY *policy = policy_own();
	char text[64];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		CHECK(zs_policy_add_env(policy, names[i], NULL) == -EPERM, "%s", names[i]);
		snprintf(text, sizeof text, "%s=x", names[i]);
		CHECK(zs_policy_set_env(policy, text, NULL) == -EPERM, "%s", text);
	}
}

/* Names of secrets in the wild; none of these may pass by default. */
TEST(preset_passes_no_secret)
{
	static const char *const secrets[] = { "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "GITHUB_TOKEN", "GH_TOKEN",
		"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SSH_AUTH_SOCK", "SSH_AGENT_PID",
		"GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_API_KEY", "CARGO_REGISTRY_TOKEN", "CARGO_REGISTRIES_X_TOKEN",
		"NPM_TOKEN", "npm_config__auth", "NPM_CONFIG__AUTH", "PIP_INDEX_URL", "UV_PUBLISH_TOKEN",
		"TWINE_PASSWORD", "GOPROXY", "GONOSUMDB", "DATABASE_URL", "KUBECONFIG", "DOCKER_HOST", "VAULT_TOKEN",
		"DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "WAYLAND_DISPLAY", "DISPLAY", "GPG_AGENT_INFO",
		"HTTP_PROXY", "https_proxy", "GIT_ASKPASS", "LD_PRELOAD", "LC_TOKEN", "LC_API", "CGO_X",
		"CARGO_PROFILE_RELEASE_TOKEN", "CARGO_TERM_TOKEN" };
	char *envp[sizeof secrets / sizeof secrets[0] + 2] = { NULL };
	char texts[sizeof secrets / sizeof secrets[0]][64];
	AUTO_POLICY *policy = policy_own();
	char **env;
	size_t i;

	zs_policy_set_network(policy, ZS_NETWORK_FULL, NULL);
	for (const char *const *name = zs_preset_env; *name; name++)
		CHECK(zs_policy_add_env(policy, *name, NULL) == 0, "%s", *name);
	for (i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
		snprintf(texts[i], sizeof texts[i], "%s=secret", secrets[i]);
		envp[i] = texts[i];
	}
	envp[i] = (char *)"HOME=/home/me";
	zs_env_filter(policy, envp, &env);
	/* The first two are ZS_SANDBOX and ZS_SANDBOX_NETWORK. */
	CHECK(strcmp(env[2], "HOME=/home/me") == 0 && !env[3], "%s", env[2]);
	free(env);
}

/* In C an array leaves out the NUL of a string that just fits. */
#define ENDS(array) ((array)[sizeof(array) - 1] == '\0')

TEST(preset_tables)
{
	for (const char *const *name = zs_preset_env; *name; name++)
		for (const char *const *other = name + 1; *other; other++)
			CHECK(strcmp(*name, *other) != 0, "%s is there twice", *name);
	for (const char *const *name = zs_preset_authorities; *name; name++) {
		const char *const *other = zs_preset_env;

		while (*other && strcmp(*name, *other) != 0)
			other++;
		CHECK(*other, "%s does not pass", *name);
	}
	for (const struct zs_preset_tree *tree = zs_preset_trees; tree->path; tree++)
		CHECK(tree->path[0] == '/' && tree->access >= ZS_ACCESS_READ, "%s", tree->path);
	for (const struct zs_preset_home *row = zs_preset_homes; *row->variable || *row->fallback; row++) {
		CHECK(ENDS(row->variable) && ENDS(row->fallback) && ENDS(row->name), "%s: too long", row->name);
		CHECK(row->fallback[0] != '/', "%s", row->fallback);
		CHECK(row->access >= ZS_ACCESS_READ, "%s", row->name);
	}
}

/* The names are constants: they are never freed, and adding one that is already there changes nothing. */
TEST(names_of_the_preset_are_lent)
{
	struct zs_policy *policy, *copy;
	size_t count;

	zs_policy_new(NULL, &policy);
	zs_policy_new(NULL, &copy);
	CHECK(zs_policy_lend_env(policy, zs_preset_env, NULL) == 0, "lends");
	count = policy->env_pass.count;
	CHECK(count > 100 && !zs_preset_env[count] && policy->env_pass.items[0] == zs_preset_env[0], "%zu", count);
	CHECK(zs_policy_add_env(policy, "LANG", NULL) == 0 && policy->env_pass.count == count, "LANG is there");
	for (size_t i = 0; i < 200; i++) {
		char name[16];

		snprintf(name, sizeof name, "MINE%zu", i);
		CHECK(zs_policy_add_env(policy, name, NULL) == 0 && policy->env_pass.count == count + i + 1, "%s",
			name);
	}
	CHECK(zs_policy_copy_rest(policy, copy, NULL) == 0 && copy->env_bytes == policy->env_bytes, "copies");
	zs_policy_clear_env(policy);
	CHECK(policy->env_pass.count == 0 && policy->env_bytes == 0, "%zu bytes", policy->env_bytes);
	CHECK(zs_policy_add_env(policy, "LANG", NULL) == 0 && policy->env_bytes == sizeof "LANG", "anew");
	zs_policy_free(policy);
	CHECK(copy->env_pass.count == count + 200 && strcmp(copy->env_pass.items[count + 199], "MINE199") == 0, "%zu",
		copy->env_pass.count);
	zs_policy_free(copy);
}

TEST(prefix_passes_no_secret)
{
	char *envp[] = { (char *)"MY_TOKEN=x", (char *)"MY_API_KEY=x", (char *)"MY_SECRET=x", (char *)"MY_PASSWORD=x",
		(char *)"MY_Db_Passwd=x", (char *)"MY_TOKENS_SEEN=1", (char *)"MY_KEYBOARD=us", (char *)"TOKEN=x",
		NULL };
	static const char *const want[] = { "ZS_SANDBOX=1", "ZS_SANDBOX_NETWORK=full", "MY_TOKENS_SEEN=1",
		"MY_KEYBOARD=us", NULL };
	AUTO_POLICY *policy = NULL;
	char **env;

	zs_policy_new(envp, &policy);
	zs_policy_set_network(policy, ZS_NETWORK_FULL, NULL);
	zs_policy_add_env(policy, "MY_*", NULL);
	zs_env_filter(policy, envp, &env);
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
		CHECK(want[i] ? env[i] && strcmp(env[i], want[i]) == 0 : !env[i], "%s", env[i] ? env[i] : "none");
	free(env);
	/* It passes by its own name. */
	zs_policy_add_env(policy, "MY_TOKEN", NULL);
	zs_env_filter(policy, envp, &env);
	CHECK(env[2] && strcmp(env[2], "MY_TOKEN=x") == 0, "named");
	free(env);
}
