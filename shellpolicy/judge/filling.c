/* The values that read, mapfile and printf -v give to variables, if the text holds them. */
#include "judge/feed.h"
#include "judge/names.h"

#include <string.h>

static const struct zs_raw_word *word_with(struct zs_arena *arena, const struct zs_raw_word *from, const char *text)
{
	struct zs_raw_word *word = zs_arena_alloc(arena, sizeof *word);

	*word = (struct zs_raw_word){ .text = text, .prefix = text, .span = from->span };
	return word;
}

/* The word that printf -v NAME FORMAT WORD… assigns. */
static const struct zs_raw_word *printed_to(struct zs_arena *arena, const struct zs_raw_command *command)
{
	const struct zs_raw_word *words = command->words.items;
	struct zs_strings texts;
	const char *text;

	if (command->words.count < 4 || !words[1].text || strcmp(words[1].text, "-v") != 0)
		return NULL;
	/* printf -v x %s "$y" assigns the value of y */
	if (command->words.count == 5 && words[3].text && strcmp(words[3].text, "%s") == 0)
		return &words[4];
	texts = zs_static_words(arena, command);
	text = texts.count ? zs_formatted(arena, &texts, 3) : NULL;
	return text ? word_with(arena, &words[3], text) : NULL;
}

/* The operands of read, its input, and the bytes that split the input. */
struct reading {
	const char *text; /* the whole input */
	const char *ifs;
	uint32_t first; /* index of the first name */
	bool list;      /* -a NAME */
	bool raw;       /* -r */
};

/* Takes IFS=… before read. False: another variable is set too, or the value is not known. */
static bool take_separators(const struct zs_raw_command *command, struct reading *reading)
{
	reading->ifs = " \t\n";
	for (uint32_t i = 0; i < command->assignments.count; i++) {
		if (strcmp(command->assignments.items[i].name, "IFS") != 0 ||
			!command->assignments.items[i].value.text || command->assignments.items[i].op != '=')
			return false;
		reading->ifs = command->assignments.items[i].value.text;
	}
	/* A separator that is no blank makes empty fields; only one such byte is modelled. */
	return strcmp(reading->ifs, " \t\n") == 0 || strlen(reading->ifs) < 2;
}

static bool take_operands(const struct zs_raw_command *command, struct reading *reading)
{
	uint32_t at = 1;

	for (; at < command->words.count && command->words.items[at].text[0] == '-'; at++) {
		const char *flag = command->words.items[at].text;

		if (strcmp(flag, "-r") == 0)
			reading->raw = true;
		else if (strcmp(flag, "-ra") == 0 || strcmp(flag, "-a") == 0)
			reading->list = true, reading->raw |= flag[1] == 'r';
		else
			return false;
	}
	reading->first = at;
	return at < command->words.count && (!reading->list || at + 1 == command->words.count);
}

static bool take_input(const struct zs_raw_command *command, struct reading *reading)
{
	if (command->feed.kind != ZS_FEED_TEXT || !command->feed.text.text)
		return false;
	reading->text = command->feed.text.text;
	return !strpbrk(reading->text, reading->raw ? "\1\2\3\4" : "\\\1\2\3\4");
}

static size_t skip_separators(const char *line, size_t at, size_t len, const char *ifs)
{
	while (at < len && zs_is_blank(line[at]) && strchr(ifs, line[at]))
		at++;
	return at;
}

/* Field number `which` of the first line. The last name gets the rest of the line. NULL if bash's rule is not modelled.
 */
static const char *field_of(struct zs_arena *arena, const struct reading *reading, uint32_t which, bool last)
{
	const char *line = reading->text, *ifs = reading->ifs;
	size_t len = strcspn(line, "\n"), at = skip_separators(line, 0, len, ifs), end;

	for (;; which--) {
		for (end = at; end < len && !strchr(ifs, line[end]);)
			end++;
		if (!which)
			break;
		if (end < len && !zs_is_blank(line[end]))
			end++;
		at = skip_separators(line, end, len, ifs);
	}
	if (last && end < len) {
		if (!zs_is_blank(line[end]) && strchr(line + end + 1, line[end])) /* as in a,b, */
			return NULL;
		for (end = len; end > at && zs_is_blank(line[end - 1]) && strchr(ifs, line[end - 1]);)
			end--;
		if (end > at && *ifs && strchr(ifs, line[end - 1]))
			return NULL;
	}
	return zs_arena_string(arena, line + at, end - at);
}

/* The field that `name` gets; the last of several names gets the rest of the line. */
static const struct zs_raw_word *field_for(
	struct zs_arena *arena, const struct zs_raw_command *command, const struct reading *reading, const char *name)
{
	const struct zs_raw_word *words = command->words.items;
	const char *field = NULL;

	for (uint32_t i = reading->first; i < command->words.count; i++) {
		if (strcmp(words[i].text, name) != 0)
			continue;
		if (field)
			return NULL;
		field = field_of(arena, reading, i - reading->first, i + 1 == command->words.count);
		if (!field)
			return NULL;
	}
	return field ? word_with(arena, &words[0], field) : NULL;
}

#define LISTED_MAX 1024 /* bytes of input that become a list */

/* The list as a word NAME=(…). It holds all lines, or the words of the first line. */
static const struct zs_raw_word *list_for(struct zs_arena *arena, const struct zs_raw_command *command,
	const struct reading *reading, const char *name, bool lines)
{
	struct zs_raw_word *word = zs_arena_alloc(arena, sizeof *word);
	const char *list = "";

	if (strlen(reading->text) > LISTED_MAX)
		return NULL;
	for (const char *at = reading->text; *at && (lines || *at != '\n');) {
		size_t len = strcspn(at, lines ? "\n" : " \t\n");

		if (len || lines)
			list = zs_arena_format(arena, "%s%s", list, zs_quoted(arena, at, len));
		at += len + (at[len] && (lines || at[len] != '\n'));
	}
	*word = (struct zs_raw_word){ .dynamic = "list", .prefix = "", .span = command->words.items[0].span };
	word->raw = zs_arena_format(arena, "%s=(%s )", name, list);
	word->raw_len = (uint32_t)strlen(word->raw);
	return word;
}

const struct zs_raw_word *zs_filling(
	struct zs_arena *arena, const struct zs_raw_command *command, const char *name, enum zs_setting_kind *ret_kind)
{
	const char *program = command->words.items[0].text;
	bool lines = zs_listed(program, "mapfile readarray");
	struct reading reading = { .raw = lines };

	*ret_kind = ZS_SET_FILLED;
	if (zs_word_is(&command->words.items[0], "printf"))
		return printed_to(arena, command);
	if (!zs_is_static(command) || (!lines && strcmp(program, "read") != 0))
		return NULL;
	if (lines ? command->words.count != 3 || strcmp(command->words.items[1].text, "-t") != 0
		  : !take_separators(command, &reading) || !take_operands(command, &reading))
		return NULL;
	if (!take_input(command, &reading))
		return NULL;
	if (!lines && !reading.list)
		return field_for(arena, command, &reading, name);
	*ret_kind = ZS_SET_ARRAY;
	return lines || strcmp(reading.ifs, " \t\n") == 0 ? list_for(arena, command, &reading, name, lines) : NULL;
}
