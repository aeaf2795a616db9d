/* zs policy show: the effective policy, with the source of every entry. */
#include <string.h>

#include "base/exit.h"
#include "base/json.h"
#include "base/message.h"
#include "admin/policy_command.h"

#define SOURCE_NAME(id, name) name,
static const char *const source_names[] = { ZS_SOURCES(SOURCE_NAME) };

enum { FIELD_COLUMNS = 22, VALUE_COLUMNS = 48 };

static void put_column(const char *text, size_t columns)
{
	size_t wide = zs_put_value(stdout, text);

	printf("%*s", wide < columns ? (int)(columns - wide) + 2 : 2, "");
}

static void print_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	(void)arg;
	put_column(field, FIELD_COLUMNS);
	put_column(value, VALUE_COLUMNS);
	fputs(source_names[source.kind], stdout);
	if (source.line)
		printf(":%u", source.line);
	putchar('\n');
}

static const char *const applies[] = { "neither", "terminal", "tool", "both" };

static const char *apply_to(const struct zs_settings *settings)
{
	return applies[zs_settings_confine_terminal(settings) + 2 * zs_settings_confine_tool(settings)];
}

static void print_widening(const struct zs_widening *widening)
{
	put_column(widening->key, FIELD_COLUMNS);
	put_column(widening->value, VALUE_COLUMNS);
	printf("project:%u\n", widening->line);
}

/* Prints the settings for hosts, and the project's entries that do not count. */
static void print_settings(const struct zs_settings *settings, const struct zs_widening *widenings, size_t count)
{
	const char *user = zs_settings_user_file(settings), *project = zs_settings_project_file(settings);

	printf("\nhosts confine: %s; unconfined without a question: %s\n", apply_to(settings),
		zs_settings_allow_unsandboxed(settings) ? "yes" : "no");
	if (user)
		fputs("user: ", stdout), zs_put_value(stdout, user), putchar('\n');
	if (project)
		fputs("project: ", stdout), zs_put_value(stdout, project), putchar('\n');
	if (count > 0)
		puts("\nNot trusted, and left out; 'zs trust' asks:");
	for (size_t i = 0; i < count; i++)
		if (!widenings[i].granted)
			print_widening(&widenings[i]);
}

static void put_source(struct zs_json *json, struct zs_source source)
{
	zs_json_key(json, "source"), zs_json_text(json, source_names[source.kind]);
	zs_json_key(json, "line");
	if (source.line)
		zs_json_number(json, source.line);
	else
		zs_json_text(json, NULL);
}

static void put_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	struct zs_json *json = arg;

	zs_json_open(json, '{');
	zs_json_key(json, "field"), zs_json_text(json, field);
	zs_json_key(json, "value"), zs_json_text(json, value);
	put_source(json, source);
	zs_json_close(json, '}');
}

static void put_settings(
	struct zs_json *json, const struct zs_settings *settings, const struct zs_widening *widenings, size_t count)
{
	zs_json_key(json, "user"), zs_json_text(json, settings ? zs_settings_user_file(settings) : NULL);
	zs_json_key(json, "project"), zs_json_text(json, settings ? zs_settings_project_file(settings) : NULL);
	zs_json_key(json, "apply_to"), zs_json_text(json, settings ? apply_to(settings) : "both");
	zs_json_key(json, "allow_unsandboxed");
	zs_json_bool(json, settings && zs_settings_allow_unsandboxed(settings));
	zs_json_key(json, "untrusted"), zs_json_open(json, '[');
	for (size_t i = 0; i < count; i++) {
		if (widenings[i].granted)
			continue;
		zs_json_open(json, '{');
		zs_json_key(json, "key"), zs_json_text(json, widenings[i].key);
		zs_json_key(json, "value"), zs_json_text(json, widenings[i].value);
		zs_json_key(json, "line"), zs_json_number(json, widenings[i].line);
		zs_json_close(json, '}');
	}
	zs_json_close(json, ']');
}

static int policy_show_print(const struct zs_confinement *made, bool json)
{
	const struct zs_widening *widenings = NULL;
	const struct zs_error *problem = NULL;
	struct zs_json out = { stdout, false };
	struct zs_error error;
	size_t count = 0, open = 0;

	if (made->settings && zs_settings_widenings(made->settings, &widenings, &count, &open, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_BAD_INPUT);
	if (made->settings && zs_settings_trusted(made->settings, &problem))
		open = 0;
	if (problem)
		zs_complain_error(problem);
	count = open ? count : 0;
	if (!json) {
		zs_policy_each(made->policy, made->sources, print_entry, NULL);
		if (made->settings)
			print_settings(made->settings, widenings, count);
		return ZS_EXIT_OK;
	}
	zs_json_open(&out, '{');
	zs_json_key(&out, "entries"), zs_json_open(&out, '[');
	zs_policy_each(made->policy, made->sources, put_entry, &out);
	zs_json_close(&out, ']');
	put_settings(&out, made->settings, widenings, count);
	zs_json_close(&out, '}');
	putchar('\n');
	return ZS_EXIT_OK;
}

int zs_policy_show(const struct zs_confine_fields *fields, bool json)
{
	struct zs_confinement made;
	int r = zs_make_policy(fields, false, true, &made);

	if (r != ZS_EXIT_OK)
		return r;
	r = policy_show_print(&made, json);
	zs_confinement_free(&made);
	return r;
}
