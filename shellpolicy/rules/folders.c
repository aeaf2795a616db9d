/* The folders in which each command of a text may run. A cd that is joined by && has happened; after ; it may have
 * failed, so both folders count. */
#include "rules/folders.h"

#include <string.h>

#define MOST_FOLDERS 16 /* folders of a set; more are not known */

static void add(struct zs_arena *arena, struct zs_folders *set, const char *folder)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (strcmp(set->items[i], folder) == 0)
			return;
	if (set->count == MOST_FOLDERS)
		set->unknown = true;
	else
		ZS_PUSH(arena, set, folder);
}

void zs_folders_join(struct zs_arena *arena, struct zs_folders *set, const struct zs_folders *more)
{
	set->unknown |= more->unknown;
	for (uint32_t i = 0; i < more->count; i++)
		add(arena, set, more->items[i]);
}

static struct zs_folders copy_of(struct zs_arena *arena, const struct zs_folders *set)
{
	struct zs_folders copy = { 0 };

	zs_folders_join(arena, &copy, set);
	return copy;
}

/* A text while its commands are followed. */
struct walk {
	struct zs_folders now, before; /* before: the folders if the last cd has failed */
	uint32_t depth;                /* of the last cd */
	uint32_t last;                 /* the last command at a place of its own */
	bool any, after_cd, checked;   /* checked: `cd x || exit` */
	bool stops;                    /* set -e */
};

bool zs_is_cd(const struct zs_command *command)
{
	return zs_listed(command->key, "cd pushd popd chdir");
}

/* The folder's word; NULL: none is named. */
const struct zs_word *zs_cd_target(const struct zs_command *command)
{
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = command->argv[i].text;

		if (!text || text[0] != '-' || !text[1])
			return &command->argv[i];
	}
	return NULL;
}

/* How the command at `index` is joined to the one before it. */
enum join { JOIN_WITHIN, JOIN_AND, JOIN_PIPE, JOIN_OR, JOIN_OTHER };

static enum join join_of(struct zs_arena *arena, const struct zs_ir *ir, uint32_t last, uint32_t index)
{
	const struct zs_span from = ir->commands[last].span, to = ir->commands[index].span;
	enum join join = JOIN_OTHER;

	if (to.start >= from.start && to.end <= from.end && (to.start != from.start || to.end != from.end))
		return JOIN_WITHIN;
	zs_arena_spend(arena, ir->operator_count);
	for (uint32_t i = 0; i < ir->operator_count; i++) {
		const struct zs_operator *operator = &ir->operators[i];
		bool between = operator->span.start >= from.end && operator->span.end <= to.start;
		bool nested =
			from.start == to.start && operator->span.start == from.start && operator->span.end == from.end;

		if (!between && !nested)
			continue;
		if (strcmp(operator->text, "&&") == 0)
			join = JOIN_AND;
		else if (strcmp(operator->text, "||") == 0)
			join = JOIN_OR;
		else if (strcmp(operator->text, "|") == 0 || strcmp(operator->text, "|&") == 0)
			join = join == JOIN_AND ? JOIN_AND : JOIN_PIPE;
		else
			return JOIN_OTHER;
	}
	return join;
}

static void follow_join(struct zs_arena *arena, const struct zs_ir *ir, struct walk *walk, uint32_t index)
{
	const struct zs_command *command = &ir->commands[index];
	enum join join = join_of(arena, ir, walk->last, index);
	bool ends = zs_listed(command->key, "exit return"), fails;

	if (join == JOIN_WITHIN)
		return;
	if (join == JOIN_OR && walk->after_cd && ends) {
		walk->checked = true;
	} else {
		fails = join == JOIN_OR || (join == JOIN_OTHER && !walk->stops && !walk->checked) ||
			(join == JOIN_PIPE && walk->after_cd) || command->depth < walk->depth;
		if (fails) {
			zs_folders_join(arena, &walk->now, &walk->before);
			walk->before = (struct zs_folders){ 0 };
		}
		walk->checked = false;
	}
	walk->after_cd = false;
	walk->last = index;
}

bool zs_is_place_to_be(const struct zs_path *path)
{
	return path->standing == ZS_PLACE_TEMPORARY || path->standing == ZS_PLACE_INSIDE ||
	       path->standing == ZS_PLACE_WORKSPACE ||
	       (path->text && zs_listed(path->text, "/tmp /var/tmp /private/tmp"));
}

bool zs_stays(const struct zs_places *places, const struct zs_folders *folders, const char *value, bool dynamic)
{
	bool stays = false;

	for (uint32_t i = 0; i < folders->count; i++) {
		struct zs_path path = zs_path_of(places, folders->items[i], value, dynamic);

		stays |= zs_is_place_to_be(&path);
	}
	return stays && !folders->unknown;
}

/* The folders after a cd. */
static struct zs_folders folders_after(const struct zs_places *places, const struct zs_command *command,
	const struct walk *walk, const struct zs_folders *seen)
{
	const struct zs_word *target = zs_cd_target(command);
	struct zs_folders after = { 0 };
	const char *value;

	if (strcmp(command->key, "popd") == 0 || (!target && strcmp(command->key, "cd") != 0) ||
		(target && target->text && zs_matches(target->text, "- +*")))
		return copy_of(places->arena, seen);
	after.unknown = walk->now.unknown || (target && !zs_word_value(target, 0));
	if (!target)
		add(places->arena, &after, places->home);
	for (uint32_t i = 0; target && (value = zs_word_value(target, i)) != NULL; i++)
		for (uint32_t j = 0; j < walk->now.count; j++) {
			struct zs_path path = zs_path_of(places, walk->now.items[j], value, !target->text);
			bool stays = zs_stays(places, &walk->now, value, !target->text);

			after.unknown |= !path.text;
			/* cd src; cd .. leaves the workspace only if the first cd has failed */
			if (path.text && (!stays || zs_is_place_to_be(&path)))
				add(places->arena, &after,
					path.all ? zs_arena_format(places->arena, "%s/%c", path.text, ZS_PLACE_PATTERN)
						 : path.text);
		}
	return after;
}

int32_t zs_holder_of(struct zs_arena *arena, const struct zs_ir *ir, uint32_t index)
{
	const struct zs_span span = ir->commands[index].span;

	zs_arena_spend(arena, ir->payload_count);
	for (uint32_t i = 0; i < ir->payload_count; i++)
		if (ir->payloads[i].command < index && ir->payloads[i].code.span.start == span.start &&
			ir->payloads[i].code.span.end == span.end)
			return (int32_t)ir->payloads[i].command;
	return -1;
}

struct zs_folders *zs_folders_of(const struct zs_places *places, const struct zs_ir *ir, struct zs_folders *ret_seen)
{
	struct zs_arena *arena = places->arena;
	struct zs_folders *all = zs_arena_alloc(arena, (ir->command_count + 1) * sizeof *all);
	struct walk walks[2] = { 0 }; /* of the given text, and of the nested text that is being followed */
	int32_t holder = -1;

	add(arena, &walks[0].now, places->folder);
	add(arena, ret_seen, places->folder);
	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_command *command = &ir->commands[i];
		int32_t held = ir->commands[i].nesting == ZS_NEST_TOP ? -1 : zs_holder_of(arena, ir, i);
		struct walk *walk = &walks[held >= 0];
		bool piped;

		if (held >= 0 && held != holder) {
			*walk = (struct walk){ .now = copy_of(arena, &all[held]) };
			holder = held;
		}
		piped = walk->any && zs_is_cd(command) && join_of(arena, ir, walk->last, i) == JOIN_PIPE;
		if (walk->any && walk->before.count)
			follow_join(arena, ir, walk, i);
		else
			walk->last = i;
		walk->any = true;
		all[i] = copy_of(arena, &walk->now);
		if (zs_listed(command->key, "set") && zs_has_flag(command, "-e"))
			walk->stops = true;
		if (!zs_is_cd(command))
			continue;
		zs_folders_join(arena, &walk->before, &walk->now); /* this cd may fail, or one before it */
		walk->now = folders_after(places, command, walk, ret_seen);
		if (piped) /* ls | cd build: the cd is in a subshell */
			zs_folders_join(arena, &walk->now, &walk->before);
		walk->depth = command->depth;
		walk->after_cd = true;
		walk->last = i;
		zs_folders_join(arena, ret_seen, &walk->now);
	}
	return all;
}
