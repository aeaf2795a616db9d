#include "base/own_rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char *const sources[ZS_SOURCE_COUNT] = {
	[ZS_SOURCE_USER] = "the user's settings",
	[ZS_SOURCE_PROJECT] = "the project's settings",
	[ZS_SOURCE_MANAGED] = "this machine's settings",
};

static const char *pack_source(const char *pack)
{
#define PACK(id, name, text) { name, "the rules of the pack " name },
	static const struct {
		const char *name, *source;
	} packs[] = { ZS_PACKS(PACK) };

	for (size_t i = 0; i < ZS_PACK_COUNT; i++)
		if (strcmp(packs[i].name, pack) == 0)
			return packs[i].source;
	return "a pack";
}

struct zs_own_rule zs_own_rule_of(const struct zs_command_rule *rule)
{
	static const enum zs_ruling rulings[ZS_COMMAND_LIST_COUNT] = { [ZS_COMMANDS_DENY] = ZS_RULING_DENY,
		[ZS_COMMANDS_ASK] = ZS_RULING_ASK,
		[ZS_COMMANDS_ALLOW] = ZS_RULING_ALLOW };

	return (struct zs_own_rule){
		.ruling = rulings[rule->list],
		.match = rule->match,
		.command = rule->command,
		.flags = rule->flags,
		.unless = rule->unless,
		.operand = rule->operand,
		.why = rule->why,
		.instead = rule->instead,
		.source = rule->pack ? pack_source(rule->pack) : sources[rule->source],
	};
}

int zs_own_rules_load(const char *workspace, bool only_machine, struct zs_own_rules *ret_rules,
	struct zs_vet_options *options, struct zs_error *error)
{
	const struct zs_command_rule *rules;
	size_t count;
	int r;

	*ret_rules = (struct zs_own_rules){ 0 };
	if (only_machine)
		r = zs_settings_none("/", environ, &ret_rules->settings, error);
	else if (workspace)
		r = zs_settings_load(workspace, environ, &ret_rules->settings, error);
	else
		r = zs_settings_load_user("/", environ, &ret_rules->settings, error);
	if (r == 0)
		r = zs_settings_commands(ret_rules->settings, &rules, &count, error);
	if (r < 0 || count == 0)
		return r;
	ret_rules->items = calloc(count, sizeof *ret_rules->items);
	if (!ret_rules->items) {
		*error = (struct zs_error){ .step = "settings", .cause = ENOMEM };
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		if (rules[i].counts)
			ret_rules->items[ret_rules->count++] = zs_own_rule_of(&rules[i]);
	options->rules = ret_rules->items;
	options->rule_count = ret_rules->count;
	return 0;
}

void zs_own_rules_free(struct zs_own_rules *rules)
{
	free(rules->items);
	zs_settings_free(rules->settings);
	*rules = (struct zs_own_rules){ 0 };
}
