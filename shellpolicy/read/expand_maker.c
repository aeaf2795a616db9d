/* Makes the fields of an expansion: every way in which a word may expand, split as bash does. */
#include "read/expand_maker.h"

#include <string.h>

struct zs_maker zs_maker_new(const struct zs_expander *expander, bool splits)
{
	struct zs_maker maker = { .expander = expander, .splits = splits };

	ZS_PUSH(expander->build->arena, &maker.ways, (struct zs_way){ 0 });
	return maker;
}

static void append(struct zs_maker *maker, struct zs_way *way, char byte)
{
	if (way->len == way->room) {
		char *text = zs_arena_alloc(maker->expander->build->arena, 2 * way->room + 32);

		if (way->len)
			memcpy(text, way->text, way->len);
		way->text = text;
		way->room = 2 * way->room + 32;
	}
	way->text[way->len++] = byte;
}

static void put(struct zs_maker *maker, struct zs_way *way, char byte)
{
	maker->unknown |= way->len - way->field >= ZS_MAX_EXPANDED || !zs_expand_work(maker->expander->build, 1);
	if (maker->unknown)
		return;
	append(maker, way, byte);
	way->open = true;
}

void zs_maker_put_all(struct zs_maker *maker, char byte)
{
	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++)
		put(maker, &maker->ways.items[i], byte);
}

void zs_maker_open_all(struct zs_maker *maker)
{
	for (uint32_t i = 0; i < maker->ways.count; i++)
		maker->ways.items[i].open = true;
}

/* Completes the field that is being made. */
static void end_field(struct zs_maker *maker, struct zs_way *way)
{
	maker->unknown |= way->open && way->count == ZS_MAX_FIELDS;
	if (!way->open || maker->unknown)
		return;
	append(maker, way, ZS_FIELD_END);
	way->field = way->len;
	way->count++;
	way->open = false;
}

void zs_maker_end_fields(struct zs_maker *maker)
{
	for (uint32_t i = 0; i < maker->ways.count; i++)
		end_field(maker, &maker->ways.items[i]);
}

/* Copies the ways, so that each becomes `count` ways; copies for one value stand together. Returns the number of ways
 * before. */
static uint32_t multiply(struct zs_maker *maker, uint32_t count)
{
	uint32_t before = maker->ways.count;

	if (count == 0)
		maker->ways.count = 0; /* no value: the shell does not reach this word */
	if ((uint64_t)before * count > ZS_MAX_EXPANSIONS ||
		!zs_expand_work(maker->expander->build, (uint64_t)before * count)) {
		maker->unknown = true;
		return 0;
	}
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = 0; j < before; j++) {
			struct zs_way copy = maker->ways.items[j];

			copy.text = zs_arena_string(maker->expander->build->arena, copy.text, copy.len);
			copy.room = copy.len;
			ZS_PUSH(maker->expander->build->arena, &maker->ways, copy);
		}
	return before;
}

/* Splitting (man bash, Word Splitting) */

/* Finds a value that bash splits, and the text's shell keeps whole. It is found once. */
static void check_unsplit(const struct zs_maker *maker, const char *value, const char *separators)
{
	struct zs_build *build = maker->expander->build;

	if (build->unsplit == ZS_SHELL_BASH || maker->captured || !value[strcspn(value, separators)])
		return;
	zs_find_otherwise(build, build->unsplit, -1, value, maker->span);
	build->unsplit = ZS_SHELL_BASH;
}

static void split(struct zs_maker *maker, struct zs_way *way, const char *value, const char *separators)
{
	bool delimited = !way->open;

	check_unsplit(maker, value, separators);
	for (; *value && !maker->unknown; value++) {
		if (strchr(separators, *value)) {
			bool blank = zs_is_blank(*value) || *value == '\n';

			if (!blank && delimited && !way->open)
				way->open = true; /* there is an empty field between two commas */
			end_field(maker, way);
			delimited = !blank;
		} else if (strchr("*?[", *value) || *value == ZS_UNKNOWN_TEXT ||
			   (*value == ZS_UNKNOWN_NUMBER && strpbrk(separators, "0123456789-"))) {
			put(maker, way, ZS_UNKNOWN_WORDS);
		} else {
			put(maker, way, *value);
		}
	}
}

/* The values that IFS may have. Without a setting it has the default. */
static struct zs_strings separators(const struct zs_expander *expander)
{
	const struct zs_names *names = expander->build->names;
	struct zs_strings all = { 0 };

	zs_add_string(expander, &all, " \t\n");
	for (uint32_t i = 0; i < names->settings.count; i++) {
		const struct zs_setting *setting = &names->settings.items[i];

		if (setting->kind == ZS_SET_SOURCED ||
			(strcmp(setting->name, "IFS") != 0 && strcmp(setting->name, "*") != 0))
			continue;
		if (setting->kind == ZS_SET_VALUE && setting->value.text)
			zs_add_string(expander, &all, setting->value.text);
		else
			zs_add_string(expander, &all, setting->kind == ZS_SET_UNSET ? " \t\n" : "\3");
	}
	return all;
}

static bool is_known(const struct zs_strings *strings)
{
	for (uint32_t i = 0; i < strings->count; i++)
		if (strpbrk(strings->items[i], ZS_UNKNOWNS))
			return false;
	return true;
}

const char *zs_replace_markers(const struct zs_expander *expander, const char *text, const char *markers, char unknown)
{
	char *copy;

	if (!strpbrk(text, markers))
		return text;
	copy = zs_arena_string(expander->build->arena, text, strlen(text));
	for (char *at = copy; (at = strpbrk(at, markers)); at++)
		*at = unknown;
	return copy;
}

/* Appends a value to one way. `ifs`: the bytes that split it; NULL: it is not split. */
static void put_text(struct zs_maker *maker, struct zs_way *way, const char *text, const char *ifs)
{
	if (ifs)
		split(maker, way, text, ifs);
	for (; !ifs && *text && !maker->unknown; text++)
		put(maker, way, *text);
}

void zs_maker_put_values(struct zs_maker *maker, const struct zs_strings *values, bool quoted)
{
	struct zs_strings ifs = { 0 };
	uint32_t before, kinds = 1;

	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		kinds = ifs.count;
		maker->unknown |= !is_known(&ifs);
	}
	before = multiply(maker, values->count * kinds);
	for (uint32_t i = 0; i < values->count * kinds && !maker->unknown; i++) {
		const char *value = values->items[i / kinds];

		if (quoted && maker->splits)
			value = zs_replace_markers(maker->expander, value, "\3", ZS_UNKNOWN_TEXT);
		for (uint32_t j = 0; j < before && !maker->unknown; j++) {
			struct zs_way *way = &maker->ways.items[i * before + j];

			way->open |= quoted;
			put_text(maker, way, value, ifs.count ? ifs.items[i % kinds] : NULL);
		}
	}
}

void zs_maker_put_lists(struct zs_maker *maker, const struct zs_strings *lists, bool quoted)
{
	uint32_t before = multiply(maker, lists->count);
	struct zs_strings ifs = { 0 };

	maker->listed = true;
	if (!quoted && maker->splits) {
		ifs = separators(maker->expander);
		maker->unknown |= !is_known(&ifs) || ifs.count != 1;
	}
	for (uint32_t i = 0; i < lists->count * before && !maker->unknown; i++) {
		struct zs_strings fields = zs_split_fields(maker->expander->build->arena, lists->items[i / before]);
		struct zs_way *way = &maker->ways.items[i];

		for (uint32_t k = 0; k < fields.count && !maker->unknown; k++) {
			if (k && maker->splits)
				end_field(maker, way);
			else if (k)
				put(maker, way, ' ');
			way->open |= !ifs.count;
			put_text(maker, way, fields.items[k], ifs.count ? ifs.items[0] : NULL);
		}
	}
}

void zs_maker_put_value(struct zs_maker *maker, const char *value, bool quoted)
{
	struct zs_strings values = { 0 };

	zs_add_string(maker->expander, &values, value);
	zs_maker_put_values(maker, &values, quoted);
}

struct zs_strings zs_maker_take(struct zs_maker *maker)
{
	struct zs_strings expansions = { 0 };

	for (uint32_t i = 0; i < maker->ways.count && !maker->unknown; i++) {
		struct zs_way *way = &maker->ways.items[i];

		end_field(maker, way);
		zs_add_string(maker->expander, &expansions,
			zs_arena_string(maker->expander->build->arena, way->text, way->len));
	}
	return maker->unknown ? zs_unknown_words(maker->expander) : expansions;
}
