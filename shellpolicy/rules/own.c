/* Finds the rule of the caller that counts for each command. */
#include "rules/own.h"

#include <string.h>

/* A command without a row may be a wrapper: its words from `from` on may be a command. */
static struct zs_command inner_of(struct zs_arena *arena, const struct zs_command *command, uint32_t from)
{
	const char *text = zs_own_value(&command->argv[from], 0), *slash = strrchr(text, '/');
	struct zs_command inner = *command;

	inner.key = zs_arena_string(arena, slash ? slash + 1 : text, strlen(slash ? slash + 1 : text));
	inner.row = zs_row_named(inner.key) ? inner.key : NULL;
	inner.argv += from;
	inner.argc -= from;
	return inner;
}

static void take(struct zs_own *own, const struct zs_command *command)
{
	const char *sub = command->key ? strchr(command->key, ' ') : NULL;

	own->command = command;
	own->row = own->outer = command->row ? zs_row_named(command->row) : NULL;
	own->sub = 0;
	if (own->row)
		own->outer = zs_row_named(zs_arena_string(own->places.arena, command->row, strcspn(command->row, " ")));
	for (uint32_t i = 1; sub && !own->sub && i < command->argc; i++)
		if (command->argv[i].text && strcmp(command->argv[i].text, sub + 1) == 0)
			own->sub = i;
}

static bool may_wrap(struct zs_own own, const struct zs_own_rule *rule)
{
	const struct zs_command *command = own.command;

	for (uint32_t i = 1; !command->row && i < command->argc; i++) {
		struct zs_command inner;

		if (!command->argv[i].text || zs_own_is_flag(command->argv[i].text))
			continue;
		zs_arena_spend(own.places.arena, command->argc - i);
		inner = inner_of(own.places.arena, command, i);
		take(&own, &inner);
		if (zs_own_may(&own, rule))
			return true;
	}
	return false;
}

static bool rule_matches(const struct zs_own *own, const struct zs_own_rule *rule)
{
	zs_arena_spend(own->places.arena, own->command->argc + 1);
	if (!rule->match && !rule->command)
		return false;
	if (rule->ruling == ZS_RULING_ALLOW)
		return zs_own_must(own, rule);
	return zs_own_may(own, rule) || may_wrap(*own, rule);
}

/* A command whose name is not known is blocked in every profile, so no rule needs to match it. */
static const struct zs_own_rule *first_of(
	const struct zs_own *own, const struct zs_vet_options *options, enum zs_ruling ruling)
{
	for (uint32_t i = 0; own->command->argc && own->command->key && i < options->rule_count; i++)
		if (options->rules[i].ruling == ruling && rule_matches(own, &options->rules[i]))
			return &options->rules[i];
	return NULL;
}

const struct zs_own_rule **zs_own_rulings(
	struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options, const bool **ret_lifted)
{
	bool *lifted = zs_arena_alloc(arena, ir->command_count + 1);
	const struct zs_own_rule **rulings = zs_arena_alloc(arena, (ir->command_count + 1) * sizeof *rulings);
	struct zs_own own = { .places = zs_places_of(arena, options) };
	struct zs_folders seen = { 0 };
	struct zs_folders *folders = zs_folders_of(&own.places, ir, &seen);

	for (uint32_t i = 0; i < ir->command_count; i++) {
		take(&own, &ir->commands[i]);
		own.folders = &folders[i];
		rulings[i] = first_of(&own, options, ZS_RULING_DENY);
		if (rulings[i])
			continue;
		rulings[i] = first_of(&own, options, ZS_RULING_ALLOW);
		lifted[i] = rulings[i] != NULL;
		if (first_of(&own, options, ZS_RULING_ASK))
			rulings[i] = first_of(&own, options, ZS_RULING_ASK);
	}
	*ret_lifted = lifted;
	return rulings;
}

struct zs_finding zs_own_finding(
	struct zs_arena *arena, const struct zs_ir *ir, uint32_t index, const struct zs_own_rule *rule)
{
	const char *verb = rule->ruling == ZS_RULING_DENY ? "deny it" : "want a person to agree first";
	const char *source = rule->source ? rule->source : "the caller's rules";
	const char *why = rule->why && *rule->why ? rule->why : NULL;

	return (struct zs_finding){
		.code = rule->ruling == ZS_RULING_DENY ? ZS_RISK_DENIED : ZS_RISK_ASKED,
		.command = (int32_t)index,
		.detail = why ? zs_arena_format(arena, "%s (%s %s)", why, source, verb)
			      : zs_arena_format(arena, "%s %s", source, verb),
		.hint = rule->instead && *rule->instead ? rule->instead : NULL,
		.span = ir->commands[index].span,
	};
}
