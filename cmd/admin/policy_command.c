#include "admin/policy_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/exit.h"
#include "base/message.h"

struct fields {
	bool json;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	{ ZS_OPTION_FLAG, 'j', "json", NULL, offsetof(struct fields, json), "print show and diff as JSON", NULL },
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "For show: what the command may reach, as with 'zs run'", zs_confine_options,
		offsetof(struct fields, confine) },
	{ 0 },
};

static int policy_command_show(const struct fields *fields, char *const operands[])
{
	if (fields->confine.print_policy) /* as 'zs run' does: nothing runs */
		return zs_confine(&fields->confine, false, false, operands);
	return zs_policy_show(&fields->confine, fields->json);
}

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
		zs_complain("policy: what is to be done? Choose one of show, check, diff, schema");
		return ZS_EXIT_USAGE;
	}
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(actions[i].name, operands->items[0]) == 0)
			action = &actions[i];
	if (!action)
		return no_such_action(operands->items[0]);
	if (count < action->least || count > action->most || (!action->options && has_options(&fields->confine)) ||
		(!action->json && fields->json)) {
		zs_complain("policy: %s: does not go like this; write %s", action->name, action->usage);
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
