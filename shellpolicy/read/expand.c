/* Expands words to fields. An unknown part is a byte of its own (expand.h), so the known text around it still counts.
 */
#include "read/expand_maker.h"

#include <string.h>

void zs_expand_listed(struct zs_maker *maker, const char *text, size_t len, bool array)
{
	for (size_t at = 0, end = 0; !maker->unknown; at = end) {
		while (at < len && (zs_is_blank(text[at]) || text[at] == '\n'))
			at++;
		if (at >= len)
			break;
		end = at;
		do
			end = zs_skip_part(text, len, end);
		while (end && end < len && !zs_is_blank(text[end]) && text[end] != '\n');
		maker->unknown |= !end || end > len || (array && strchr("[#", text[at]));
		if (maker->unknown)
			break;
		if (end - at == 1 && text[at] == '[')
			zs_maker_put_all(maker, '[');
		else
			zs_expand_text(maker, text + at, end - at, false);
		zs_maker_end_fields(maker);
	}
}

static void put_captured(struct zs_maker *maker, const char *text, size_t len, bool quoted)
{
	struct zs_strings values = zs_expand_substitution(maker->expander, text, len);

	maker->captured = true; /* every shell splits it */
	zs_maker_put_values(maker, &values, quoted);
	maker->captured = false;
}

/* The end of a part of the text; if it does not end, the rest is unknown. */
static size_t known_end(struct zs_maker *maker, size_t end, size_t len)
{
	maker->unknown |= !end;
	return end ? end : len;
}

/* Reads the expansion at $; returns its end. */
static size_t read_dollar(struct zs_maker *maker, const char *text, size_t len, size_t at, bool quoted)
{
	char next = at + 1 < len ? text[at + 1] : '\0';
	size_t end = at + 2;

	if (next == '(' || next == '{') {
		end = known_end(maker, zs_skip_nested(text, len, at + 2, next == '(' ? ')' : '}'), len);
		if (maker->unknown)
			return end;
		if (next == '{')
			zs_expand_parameter(maker, text + at + 2, end - at - 3, quoted);
		else if (text[at + 2] == '(')
			zs_maker_put_value(maker, "\4", quoted);
		else
			put_captured(maker, text + at + 2, end - at - 3, quoted);
		return end;
	}
	if (zs_is_name_start(next))
		while (end < len && zs_is_name(text[end]))
			end++;
	if (zs_is_name(next) || next == '@' || (next == '*' && !quoted)) {
		zs_expand_parameter(maker, text + at + 1, end - at - 1, quoted);
	} else if (next == '*') { /* the first byte of IFS joins $* */
		zs_maker_put_value(maker, "\1", quoted);
	} else if (next == '-') {
		zs_maker_put_all(maker, ZS_UNKNOWN_TEXT);
	} else if (next && strchr("#?$!", next)) { /* $! is empty before the first background command */
		zs_maker_put_value(maker, "\4", quoted);
	} else if (next == '[') {
		maker->unknown = true;
	} else {
		zs_maker_put_all(maker, '$');
		return at + 1;
	}
	return end;
}

/* Reads $'…' whose quote is at `at`; returns its end. */
static size_t read_ansi_c(struct zs_maker *maker, const char *text, size_t len, size_t at)
{
	struct zs_units units = { 0 };
	size_t end = known_end(maker, zs_skip_quoted(text, len, at), len);

	zs_maker_open_all(maker);
	if (zs_decode_ansi_c(maker->expander->build->arena, text, (uint32_t)at + 1, (uint32_t)end - 1, &units))
		maker->unknown = true;
	for (uint32_t i = 0; i < units.count; i++)
		zs_maker_put_all(maker, units.items[i].kind == ZS_UNIT_DYNAMIC || units.items[i].byte == ZS_FIELD_END
						? ZS_UNKNOWN_TEXT
						: units.items[i].byte);
	return end;
}

void zs_expand_text(struct zs_maker *maker, const char *text, size_t len, bool in_quotes)
{
	bool quoted = in_quotes;

	if (!in_quotes && len && text[0] == '~') {
		size_t user = 1;

		while (user < len && (zs_is_name(text[user]) || strchr("+-.", text[user])))
			user++;
		if (maker->expander->build->names->places && user == 1) { /* ~+ and ~ada are other folders */
			struct zs_strings home = zs_variable_values(maker->expander, "HOME");

			zs_maker_put_values(maker, &home, true);
		} else {
			zs_maker_put_all(maker, ZS_UNKNOWN_PATH);
		}
		text += user;
		len -= user;
	}
	for (size_t at = 0; at < len && !maker->unknown;) {
		char c = text[at], next = at + 1 < len ? text[at + 1] : '\0';

		if (c == '\\' && (!quoted || strchr("$`\"\\\n", next))) {
			if (next != '\n')
				zs_maker_put_all(maker, next);
			at += 2;
		} else if (c == '$' && next == '\'' && !quoted) {
			at = read_ansi_c(maker, text, len, at + 1);
		} else if (c == '$' && next == '"' && !quoted) {
			maker->unknown = true;
		} else if (c == '$') {
			at = read_dollar(maker, text, len, at, quoted);
		} else if (c == '`') {
			size_t end = known_end(maker, zs_skip_quoted(text, len, at), len);

			if (!maker->unknown)
				put_captured(maker, text + at + 1, end - at - 2, quoted);
			at = end;
		} else if (c == '\'' && !quoted) {
			size_t end = zs_skip_quoted(text, len, at);

			maker->unknown |= !end;
			zs_maker_open_all(maker);
			for (at++; end && at + 1 < end; at++)
				zs_maker_put_all(maker, text[at]);
			at++;
		} else if (c == '"' && !in_quotes) {
			quoted = !quoted;
			if (quoted)
				maker->listed = false;
			else if (!maker->listed)
				zs_maker_open_all(maker);
			at++;
		} else if ((in_quotes && c == '"') || (!quoted && strchr("(){}<>|;&\n", c))) {
			maker->unknown = true; /* braces, patterns and process substitutions */
		} else if (!quoted && maker->splits && strchr("*?[", c)) {
			zs_maker_put_all(
				maker, maker->expander->build->names->places ? ZS_PLACE_PATTERN : ZS_UNKNOWN_WORDS);
			at++;
		} else {
			zs_maker_put_all(maker, c);
			at++;
		}
	}
}

/* Words */

/* Is `raw` the word as it was written? */
static bool shows_itself(const struct zs_raw_word *word)
{
	static const char *const others[] = { "found file", "replaced", "input", "array", "reference" };

	for (size_t i = 0; word->dynamic && i < sizeof others / sizeof *others; i++)
		if (strcmp(others[i], word->dynamic) == 0)
			return false;
	return word->raw && !word->part;
}

static struct zs_strings expand(const struct zs_expander *expander, const struct zs_raw_word *word, bool splits)
{
	struct zs_maker maker;
	struct zs_strings one = { 0 };
	bool below =
		splits && !word->text && strcmp(word->dynamic, "found file") == 0 && strcmp(word->prefix, "./") == 0;

	if (word->text) {
		zs_add_field(
			expander, &one, zs_replace_markers(expander, word->text, ZS_UNKNOWNS "\5", ZS_UNKNOWN_WORDS));
		return one;
	}
	if (!below && (!shows_itself(word) || expander->steps > ZS_MAX_EXPAND_STEPS ||
			      !zs_expand_work(expander->build, word->raw_len)))
		return zs_unknown_words(expander);
	maker = zs_maker_new(expander, splits);
	maker.span = word->span;
	if (below)
		zs_maker_put_value(&maker, "./\1", true);
	else
		zs_expand_text(&maker, word->raw, word->raw_len, false);
	return zs_maker_take(&maker);
}

struct zs_strings zs_expand_word(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	return expand(expander, word, true);
}

struct zs_strings zs_expand_value(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct zs_strings expansions;
	struct zs_strings values = { 0 };

	if (word->text) { /* most values are static; this saves memory */
		zs_add_string(expander, &values,
			zs_replace_markers(expander, word->text, ZS_UNKNOWNS "\5", ZS_UNKNOWN_WORDS));
		return values;
	}
	expansions = expand(expander, word, false);
	zs_add_firsts(expander, &values, &expansions);
	return values;
}

struct zs_strings zs_expand_words(const struct zs_expander *expander, const struct zs_word_list *words, uint32_t from)
{
	struct zs_maker maker = zs_maker_new(expander, true);

	for (uint32_t i = from; i < words->count && !maker.unknown; i++) {
		struct zs_strings word = zs_expand_word(expander, &words->items[i]);

		zs_maker_end_fields(&maker);
		zs_maker_put_lists(&maker, &word, true);
	}
	return zs_maker_take(&maker);
}

/* Expands the words between the parentheses of x=( … ). */
struct zs_strings zs_expand_array(const struct zs_expander *expander, const struct zs_raw_word *word)
{
	struct zs_maker maker = zs_maker_new(expander, true);
	const char *text = word->raw, *open = text ? memchr(text, '(', word->raw_len) : NULL;
	size_t len = word->raw_len, at = open ? (size_t)(open - text) + 1 : 0;

	if (!open || expander->steps > ZS_MAX_EXPAND_STEPS || !zs_expand_work(expander->build, len))
		return zs_unknown_words(expander);
	if (at < len)
		zs_expand_listed(&maker, text + at, len - at - 1, true);
	return zs_maker_take(&maker);
}
