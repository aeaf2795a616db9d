/* Finds the configuration of package tools that a run does not see: files that are not granted, and variables that do
 * not pass. Both may hold tokens, so the preset leaves them out, and a command that fails for lack of them does not
 * say so. */
#include "policy/policy.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/environment.h"
#include "policy/preset.h"

#define NPM "npm npx yarn pnpm bun bunx corepack"
#define PIP "pip pip3 python python3 pipx uv uvx poetry"
#define CARGO "cargo"
#define NETWORK NPM " " PIP " " CARGO " curl wget git node deno aws"

/* tools: who reads it. name: a file below HOME, which begins with a dot, or a variable. */
static const struct row {
	const char *tools, *name;
} rows[] = {
	{ NPM, ".npmrc" },
	{ NPM, ".yarnrc" },
	{ NPM, ".yarnrc.yml" },
	{ NPM, ".bunfig.toml" },
	{ NPM, "NPM_CONFIG_USERCONFIG" },
	{ NPM, "NPM_CONFIG_REGISTRY" },
	{ NPM, "npm_config_registry" },
	{ NPM, "NPM_TOKEN" },
	{ NPM, "NODE_AUTH_TOKEN" },
	{ PIP, ".pip/pip.conf" },
	{ PIP, ".config/pip/pip.conf" },
	{ PIP, ".config/uv/uv.toml" },
	{ PIP, "PIP_CONFIG_FILE" },
	{ PIP, "PIP_INDEX_URL" },
	{ PIP, "PIP_EXTRA_INDEX_URL" },
	{ PIP, "UV_INDEX_URL" },
	{ PIP, "UV_DEFAULT_INDEX" },
	{ PIP " twine", ".pypirc" },
	{ CARGO, ".cargo/credentials" },
	{ CARGO, ".cargo/credentials.toml" },
	{ CARGO, "CARGO_REGISTRY_TOKEN" },
	{ "go", "GOPROXY" },
	{ "mvn mvnw", ".m2/settings.xml" },
	{ "gradle gradlew", ".gradle/gradle.properties" },
	{ "gem bundle bundler", ".gem/credentials" },
	{ "gem bundle bundler", ".bundle/config" },
	{ "dotnet nuget", ".nuget/NuGet/NuGet.Config" },
};

/* The names of one line. A name that does not fit is left away whole. */
struct line {
	const struct zs_policy *policy, *resolved;
	char *const *argv, *const *envp;
	char names[384], options[320];
	size_t count;
};

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Does the text hold the tool's name as a word, or as the last part of a path? */
static bool text_names(const char *text, const char *tool, size_t len)
{
	for (const char *at = text; (at = strchr(at, tool[0])); at++)
		if (strncmp(at, tool, len) == 0 && !is_word_byte(at[len]) && (at == text || !is_word_byte(at[-1])))
			return true;
	return false;
}

static bool command_names(char *const argv[], const char *tools)
{
	for (; *tools; tools += strspn(tools, " ")) {
		size_t len = strcspn(tools, " ");

		for (char *const *word = argv; *word; word++)
			if (text_names(*word, tools, len))
				return true;
		tools += len;
	}
	return false;
}

/* Is there such a file, which the command cannot read? */
static bool lacks_file(const struct zs_policy *resolved, const char *path)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);

	if (!real || zs_policy_gives(resolved, real, ZS_ACCESS_READ))
		return false;
	for (size_t i = 0; i < resolved->grant_count; i++)
		if (resolved->grants[i].public && zs_path_lies_in(real, resolved->grants[i].path))
			return false;
	return true;
}

static void add_name(struct line *line, const char *option, const char *before, const char *name)
{
	size_t names = strlen(line->names), options = strlen(line->options), len = strlen(before) + strlen(name);

	if (names + len + sizeof ", " > sizeof line->names ||
		options + strlen(option) + len + sizeof "  " > sizeof line->options)
		return;
	snprintf(line->names + names, sizeof line->names - names, "%s%s%s", names ? ", " : "", before, name);
	snprintf(line->options + options, sizeof line->options - options, " %s %s%s", option, before, name);
	line->count++;
}

static void add_row(struct line *line, const struct row *row)
{
	const char *home = line->policy->home;
	ZS_AUTO_FREE char *path = row->name[0] == '.' && home ? zs_path_join(home, row->name) : NULL;

	if (!command_names(line->argv, row->tools))
		return;
	if (path && lacks_file(line->resolved, path))
		add_name(line, "--ro", "~/", row->name);
	if (row->name[0] != '.' && zs_env_value(line->envp, row->name) && !zs_env_covers(line->resolved, row->name))
		add_name(line, "--env", "", row->name);
}

/* The variable passes, so the command reads its value and not the file. */
static void add_authorities(struct line *line)
{
	for (const char *const *name = zs_preset_authorities; *name; name++) {
		const char *list = zs_env_value(line->envp, *name);
		char *path;

		while (list && zs_env_covers(line->resolved, *name) && zs_path_list_next(&list, &path) > 0) {
			if (path[0] == '/' && lacks_file(line->resolved, path))
				add_name(line, "--ro", "", path);
			free(path);
		}
	}
}

void zs_policy_find_left_out(
	const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_policy *resolved)
{
	struct line line = { .policy = policy, .resolved = resolved, .argv = argv, .envp = envp };

	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		add_row(&line, &rows[i]);
	if (command_names(argv, NETWORK))
		add_authorities(&line);
	resolved->left_out = line.count ? calloc(1, sizeof *resolved->left_out) : NULL;
	if (!resolved->left_out)
		return;
	zs_error_say(resolved->left_out, "left out", line.names, EACCES, "the command failed, and did not see %s",
		line.count == 1 ? "this" : "these");
	zs_error_hint(resolved->left_out, 0, "if it needs %s, add%s", line.count == 1 ? "it" : "them", line.options);
}

void zs_policy_tell_left_out(const struct zs_policy *resolved, int code)
{
	enum { CANNOT_ENFORCE = 125 }; /* from here on the command has not run, or a signal has ended it */

	if (code <= 0 || code >= CANNOT_ENFORCE)
		return;
	if (resolved->left_out)
		zs_error_write(STDERR_FILENO, resolved->left_out);
	if (resolved->secrets)
		zs_error_write(STDERR_FILENO, resolved->secrets);
}
