#include "judge/places.h"

#include "read/expand.h"

#include <string.h>

enum place_of { OF_ARGUMENT, OF_WRITE, OF_REDIRECT };

struct zs_place_use {
	struct zs_raw_word word;
	struct zs_where where;
	enum place_of of;
	uint32_t command, index; /* index of the command and of its word; or of the write or redirection */
};

/* During a guess nothing is noted, since zs_guess_end() takes words back. */
static void note(struct zs_build *build, const struct zs_place_use *use)
{
	if (build->wants_places && !build->guessing && !use->word.text && use->word.dynamic &&
		build->place_uses.count < ZS_MAX_PLACE_USES)
		ZS_PUSH(build->arena, &build->place_uses, *use);
}

void zs_places_of_command(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 0; i < words->count; i++)
		note(classify->build, &(struct zs_place_use){ words->items[i], classify->where, OF_ARGUMENT,
					      (uint32_t)classify->index, i });
}

void zs_place_of_write(struct zs_classify *classify, const struct zs_raw_word *word)
{
	note(classify->build,
		&(struct zs_place_use){ *word, classify->where, OF_WRITE, 0, classify->build->writes.count - 1 });
}

void zs_places_of_redirects(struct zs_build *build, const struct zs_pending_text *text, uint32_t from)
{
	for (uint32_t i = from; i < build->redirects.count; i++)
		note(build, &(struct zs_place_use){ build->redirect_words.items[i],
				    { text->scope, NULL, UINT32_MAX }, /* behind every setting of its text */
				    OF_REDIRECT, 0, i });
}

/* A word whose braces or other parts are not modelled: its beginning is known. */
static const char *beginning(struct zs_arena *arena, const struct zs_raw_word *word)
{
	const char *prefix = word->prefix;
	bool home = strcmp(word->dynamic, "tilde") == 0 && prefix[0] == '~' && (prefix[1] == '/' || !prefix[1]);
	bool pattern = strcmp(word->dynamic, "glob") == 0;

	if (home)
		return zs_arena_format(arena, "%c%s", ZS_PLACE_HOME, prefix + 1);
	if (pattern)
		return zs_arena_format(arena, "%s%c", prefix, ZS_PLACE_PATTERN);
	return *prefix && *prefix != '~' ? zs_arena_format(arena, "%s%c", prefix, ZS_UNKNOWN_TEXT) : NULL;
}

static void fill(struct zs_build *build, const struct zs_place_use *use, struct zs_word *word)
{
	struct zs_expander expander = { .build = build, .where = use->where };
	struct zs_raw_word whole = use->word;
	struct zs_strings values = { 0 };
	struct zs_strings ways;

	whole.part = false; /* of=$HOME/x, --output=$x: the value begins behind the = */
	ways = zs_expand_word(&expander, &whole);

	for (uint32_t i = 0; i < ways.count; i++) {
		struct zs_strings fields = zs_split_fields(build->arena, ways.items[i]);

		for (uint32_t j = 0; use->word.part && j < fields.count; j++)
			fields.items[j] = strchr(fields.items[j], '=') ? strchr(fields.items[j], '=') + 1 : "\1";
		for (uint32_t j = 0; j < fields.count; j++)
			if (strchr("\1\3", *fields.items[j]) && fields.items[j][0] && !fields.items[j][1] &&
				beginning(build->arena, &use->word))
				zs_add_string(&expander, &values, beginning(build->arena, &use->word));
			else
				zs_add_string(&expander, &values, fields.items[j]);
	}
	word->values = values.items;
	word->value_count = values.count;
	word->raw = zs_arena_string(build->arena, use->word.raw, use->word.raw_len);
}

/* CDPATH and the like lead cd elsewhere. */
static void check_cd_variables(struct zs_build *build)
{
	bool changes = false;

	for (uint32_t i = 0; i < build->findings.count; i++)
		changes |= build->findings.items[i].code == ZS_RISK_CD;
	for (uint32_t i = 0; changes && i < build->names->settings.count; i++)
		if (zs_listed(build->names->settings.items[i].name, "CDPATH HOME OLDPWD PWD")) {
			zs_find(build, ZS_RISK_CD, -1, build->names->settings.items[i].name,
				"it changes where cd leads", build->names->settings.items[i].value.span);
			return;
		}
}

/* DOCKER_HOST and the like lead to a container server of another machine. */
static void check_servers(struct zs_build *build)
{
	for (uint32_t i = 0; i < build->names->settings.count; i++) {
		const struct zs_setting *setting = &build->names->settings.items[i];
		const char *value = setting->value.text;

		if (zs_listed(setting->name, "DOCKER_HOST CONTAINER_HOST DOCKER_CONTEXT CONTAINER_CONNECTION") &&
			!(value && (!*value || zs_listed(value, "unix:* npipe:* " ZS_LOCAL_SERVERS))))
			zs_note(build, ZS_RISK_REMOTE_CHANGE, -1, setting->name, setting->value.span);
	}
}

void zs_places_fill(struct zs_build *build)
{
	if (!build->wants_places)
		return;
	check_cd_variables(build);
	check_servers(build);
	build->names->places = true;
	build->names->work = 0;
	for (uint32_t i = 0; i < build->place_uses.count; i++) {
		const struct zs_place_use *use = &build->place_uses.items[i];

		switch (use->of) {
		case OF_ARGUMENT:
			fill(build, use, (struct zs_word *)&build->commands.items[use->command].argv[use->index]);
			break;
		case OF_WRITE:
			fill(build, use, &build->writes.items[use->index].path);
			break;
		case OF_REDIRECT:
			fill(build, use, &build->redirects.items[use->index].target);
			break;
		}
	}
}
