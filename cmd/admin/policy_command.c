#include "admin/policy_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/exit.h"
#include "base/json.h"
#include "base/message.h"
#include "run/confine_policy.h"

struct fields {
	bool json;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print show and diff as JSON"),
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "For show: what the command may reach, as with 'zs run'", zs_confine_options,
		offsetof(struct fields, confine) },
	{ 0 },
};

/* show: the effective policy, with the source of every entry */

#define SOURCE_NAME(id, name) name,
static const char *const source_names[] = { ZS_SOURCES(SOURCE_NAME) };

enum { FIELD_COLUMNS = 22, VALUE_COLUMNS = 48 };

static void put_policy_column(const char *text, size_t columns)
{
	size_t wide = zs_put_value(stdout, text);

	printf("%*s", wide < columns ? (int)(columns - wide) + 2 : 2, "");
}

static void print_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	(void)arg;
	put_policy_column(field, FIELD_COLUMNS);
	put_policy_column(value, VALUE_COLUMNS);
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
	put_policy_column(widening->key, FIELD_COLUMNS);
	put_policy_column(widening->value, VALUE_COLUMNS);
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

static int policy_command_show(const struct fields *fields, char *const operands[])
{
	struct zs_confinement made;
	int r;

	if (fields->confine.print_policy) /* as 'zs run' does: nothing runs */
		return zs_confine(&fields->confine, false, false, operands);
	r = zs_make_policy(&fields->confine, false, true, &made);
	if (r != ZS_EXIT_OK)
		return r;
	r = policy_show_print(&made, fields->json);
	zs_confinement_free(&made);
	return r;
}

/* The others */

static int policy_command_check(const struct fields *fields, char *const operands[])
{
	(void)fields;
	return zs_policy_check(operands);
}

static int diff(const struct fields *fields, char *const operands[])
{
	return zs_policy_diff(operands[0], operands[1], fields->json);
}

static int schema(const struct fields *fields, char *const operands[])
{
	struct zs_error error;
	char *text;

	(void)fields;
	(void)operands;
	if (zs_settings_schema(&text, &error) < 0)
		return zs_complain_exit(&error, ZS_EXIT_CANNOT_ENFORCE);
	fputs(text, stdout);
	free(text);
	return ZS_EXIT_OK;
}

static const struct action {
	const char *name;
	int (*run)(const struct fields *fields, char *const operands[]);
	int least, most; /* operands */
	bool options;    /* takes those of what the command may reach */
	bool json;
	const char *usage;
} actions[] = {
	{ "show", policy_command_show, 0, 0, true, true, "zs policy show [OPTIONS]" },
	{ "check", policy_command_check, 1, 1 << 20, false, false, "zs policy check FILE..." },
	{ "diff", diff, 2, 2, false, true, "zs policy diff A B" },
	{ "schema", schema, 0, 0, false, false, "zs policy schema" },
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static int no_such_action(const char *name)
{
	const char *names[ACTIONS], *nearest;

	for (size_t i = 0; i < ACTIONS; i++)
		names[i] = actions[i].name;
	nearest = zs_nearest(name, names, ACTIONS);
	if (nearest)
		zs_complain("policy: %s: no such action; did you mean 'zs policy %s'?", name, nearest);
	else
		zs_complain("policy: %s: no such action; choose one of show, check, diff, schema", name);
	return ZS_EXIT_USAGE;
}

static bool has_options(const struct zs_confine_fields *fields)
{
	static const struct zs_confine_fields none;

	return memcmp(fields, &none, sizeof none) != 0;
}

static int policy_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	const struct action *action = NULL;
	int count = operands->count - 1;

	if (operands->count == 0) {
		zs_complain("policy: no action; choose one of show, check, diff, schema");
		return ZS_EXIT_USAGE;
	}
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(actions[i].name, operands->items[0]) == 0)
			action = &actions[i];
	if (!action)
		return no_such_action(operands->items[0]);
	if (count < action->least || count > action->most || (!action->options && has_options(&fields->confine)) ||
		(!action->json && fields->json)) {
		zs_complain("policy: %s: wrong operands or options; write %s", action->name, action->usage);
		return ZS_EXIT_USAGE;
	}
	return action->run(fields, operands->items + 1);
}

const struct zs_subcommand zs_policy_subcommand = {
	.name = "policy",
	.description = "Show, check and compare what a command may reach",
	.usage = "show [OPTIONS]\ncheck FILE...\ndiff A B\nschema",
	.words = "show|check|diff|schema",
	.groups = groups,
	.notes = "show prints what 'zs run' would grant here, and where each entry comes from.\n"
		 "check reads policies and settings, and prints every error. diff compares them by\n"
		 "their files, 'preset', 'verify', or a folder such as '.', where its settings\n"
		 "count, and exits with 1 when they differ. schema prints the JSON Schema of\n"
		 "settings.json.",
	.fields_size = sizeof(struct fields),
	.main = policy_main,
};
