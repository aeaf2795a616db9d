#include "git/git_environment.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static const char step[] = "git";

/* "*x" is any name that begins with GIT_ and ends in x: git names new variables as it has named the present ones. The
 * first row that matches counts. */
static const struct row {
	const char *name;
	enum zs_git_how how;
} rows[] = {
	{ "GIT_CONFIG_PARAMETERS", ZS_GIT_INCLUDE }, /* the settings that "git -c" passes on */
	{ "GIT_EXEC_PATH", ZS_GIT_HOOKS },           /* git's own programs */
	{ "GIT_TEMPLATE_DIR", ZS_GIT_HOOKS },        /* hooks that git init copies */
	{ "GIT_SSH", ZS_GIT_COMMAND },
	{ "GIT_EXTERNAL_DIFF", ZS_GIT_COMMAND },
	{ "*COMMAND", ZS_GIT_COMMAND }, /* GIT_SSH_COMMAND, GIT_PROXY_COMMAND */
	{ "*EDITOR", ZS_GIT_COMMAND },
	{ "*PAGER", ZS_GIT_COMMAND },
	{ "*ASKPASS", ZS_GIT_COMMAND },
	{ "*PROGRAM", ZS_GIT_COMMAND },
	{ "*BROWSER", ZS_GIT_COMMAND },
	{ "*HELPER", ZS_GIT_COMMAND },
	{ "*HOOK", ZS_GIT_COMMAND },
	{ "SSH_ASKPASS", ZS_GIT_COMMAND },
	{ "VISUAL", ZS_GIT_COMMAND },
	{ "EDITOR", ZS_GIT_COMMAND },
	{ "PAGER", ZS_GIT_COMMAND },
};

static bool git_environment_fits(const char *pattern, const char *name, size_t len)
{
	size_t tail = strlen(pattern + 1);

	if (pattern[0] != '*')
		return strlen(pattern) == len && strncmp(pattern, name, len) == 0;
	return len >= 4 + tail && strncmp(name, "GIT_", 4) == 0 && strncmp(name + len - tail, pattern + 1, tail) == 0;
}

static enum zs_git_how how_of(const char *name, size_t len)
{
	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if (git_environment_fits(rows[i].name, name, len))
			return rows[i].how;
	return ZS_GIT_NOT;
}

/* GIT_CONFIG_KEY_0 is a setting's name, and GIT_CONFIG_VALUE_0 its value. */
static const char key_of[] = "GIT_CONFIG_KEY_", value_of[] = "GIT_CONFIG_VALUE_";

bool zs_git_names_env(const char *assignment)
{
	size_t len = strcspn(assignment, "=");

	return assignment[len] &&
	       (how_of(assignment, len) != ZS_GIT_NOT || strncmp(assignment, key_of, strlen(key_of)) == 0 ||
		       strncmp(assignment, value_of, strlen(value_of)) == 0);
}

static int add_setting(struct zs_git_orders *orders, char *name, const char *value, struct zs_error *error)
{
	char *first = strchr(name, '.'), *last = strrchr(name, '.');
	struct zs_git_entry entry = { .name = name, .section = name, .value = value, .older = value };

	if (!first)
		return 0;
	for (char *at = name; at < first; at++)
		*at = (char)tolower((unsigned char)*at);
	for (char *at = last; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	*first = *last = '\0';
	entry.subsection = first == last ? NULL : first + 1;
	entry.key = last + 1;
	return zs_git_orders_add_entry(orders, &entry, error);
}

/* Reads on after a "'" up to the closing one, quoted as git does (quote.c: "'\\''" is a quote, "'\\!'" an exclamation
 * mark). */
static const char *unquote(const char *at, char *text)
{
	while (*at) {
		if (*at != '\'') {
			*text++ = *at++;
		} else if (at[1] == '\\' && at[2] && at[3] == '\'') {
			*text++ = at[2];
			at += 4;
		} else {
			at++;
			break;
		}
	}
	*text = '\0';
	return at;
}

/* 'name=value', and since git 2.31 'name'='value'. */
static int add_parameters(struct zs_git_orders *orders, const char *at, struct zs_error *error)
{
	ZS_AUTO_FREE char *name = malloc(strlen(at) + 1);
	ZS_AUTO_FREE char *value = malloc(strlen(at) + 1);
	int r = name && value ? 0 : zs_error_errno(error, step, "GIT_CONFIG_PARAMETERS", ENOMEM);

	while (r == 0 && (at = strchr(at, '\''))) {
		char *equals;

		at = unquote(at + 1, name);
		if (at[0] == '=' && at[1] == '\'') {
			at = unquote(at + 2, value);
		} else {
			equals = strchr(name, '=');
			strcpy(value, equals ? equals + 1 : "");
			if (equals)
				*equals = '\0';
		}
		r = add_setting(orders, name, value, error);
	}
	return r;
}

static const char *find_value(const struct zs_git_orders *orders, const char *number, size_t len)
{
	const struct zs_git_places *places = orders->places;

	for (size_t i = 0; i < places->env_count; i++) {
		const char *rest = places->env[i] + strlen(value_of);

		if (strncmp(places->env[i], value_of, strlen(value_of)) == 0 && strncmp(rest, number, len) == 0 &&
			rest[len] == '=')
			return rest + len + 1;
	}
	return NULL;
}

static int add_numbered(struct zs_git_orders *orders, const char *number, struct zs_error *error)
{
	size_t len = strcspn(number, "=");
	ZS_AUTO_FREE char *name = strdup(number + len + 1);
	const char *value = find_value(orders, number, len);

	if (!name)
		return zs_error_errno(error, step, key_of, ENOMEM);
	return value ? add_setting(orders, name, value, error) : 0;
}

int zs_git_orders_add_env(struct zs_git_orders *orders, struct zs_error *error)
{
	const struct zs_git_places *places = orders->places;
	int r = 0;

	for (size_t i = 0; r == 0 && i < places->env_count; i++) {
		const char *assignment = places->env[i];
		size_t len = strcspn(assignment, "=");
		enum zs_git_how how = how_of(assignment, len);

		if (strncmp(assignment, key_of, strlen(key_of)) == 0)
			r = add_numbered(orders, assignment + strlen(key_of), error);
		else if (how == ZS_GIT_INCLUDE)
			r = add_parameters(orders, assignment + len + 1, error);
		else if (how != ZS_GIT_NOT && assignment[len + 1])
			r = zs_git_orders_add(orders, how, assignment + len + 1, error);
	}
	return r;
}
