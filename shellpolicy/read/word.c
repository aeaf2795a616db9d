#include "read/word.h"

#include <string.h>

static const char *const dynamic_names[] = {
#define X(id, text) text,
	ZS_DYNAMICS(X)
#undef X
};

/* $'…' */

static void word_put(struct zs_arena *arena, struct zs_units *units, char byte)
{
	ZS_PUSH(arena, units, (struct zs_unit){ .byte = byte, .kind = ZS_UNIT_QUOTED });
}

static void put_locale(struct zs_arena *arena, struct zs_units *units)
{
	ZS_PUSH(arena, units, (struct zs_unit){ .kind = ZS_UNIT_DYNAMIC, .dynamic = ZS_DYNAMIC_LOCALE });
}

static int hex_value(char c)
{
	if (zs_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads at most `most` digits of a base, up to `end`. Returns their number. */
static uint32_t read_digits(const char *text, uint32_t at, uint32_t end, uint32_t most, int base, uint32_t *ret_value)
{
	uint32_t count = 0;

	*ret_value = 0;
	while (count < most && at + count < end) {
		int digit = hex_value(text[at + count]);

		if (digit < 0 || digit >= base)
			break;
		*ret_value = *ret_value * (uint32_t)base + (uint32_t)digit;
		count++;
	}
	return count;
}

uint32_t zs_ansi_c_digits(char c)
{
	if (c == 'x')
		return 2;
	return c == 'u' ? 4 : 8;
}

/* Reads the numeric escape whose backslash is at `at`. Returns its length, 0 if it is none. */
static uint32_t read_numeric_escape(const char *text, uint32_t at, uint32_t end, uint32_t *ret_value)
{
	char c = text[at + 1];
	uint32_t digits;

	if (c >= '0' && c <= '7') {
		digits = read_digits(text, at + 1, end, 3, 8, ret_value);
		*ret_value &= 0xff;
		return 1 + digits;
	}
	if (c == 'x' && at + 2 < end && text[at + 2] == '{') { /* as in ksh: the low byte of the number counts */
		digits = read_digits(text, at + 3, end, UINT32_MAX, 16, ret_value);
		*ret_value &= 0xff;
		return 3 + digits + (text[at + 3 + digits] == '}');
	}
	if (c != 'x' && c != 'u' && c != 'U')
		return 0;
	digits = read_digits(text, at + 2, end, zs_ansi_c_digits(c), 16, ret_value);
	return digits ? 2 + digits : 0;
}

enum zs_refusal zs_decode_ansi_c(
	struct zs_arena *arena, const char *text, uint32_t start, uint32_t end, struct zs_units *units)
{
	static const char from[] = "abeEfnrtv\\'\"?";
	static const char to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";

	for (uint32_t at = start; at < end;) {
		const char *simple = text[at] == '\\' ? strchr(from, text[at + 1]) : NULL;
		uint32_t value, used;

		if (text[at] != '\\') {
			word_put(arena, units, text[at++]);
			continue;
		}
		if (simple) {
			word_put(arena, units, to[simple - from]);
			at += 2;
			continue;
		}
		if (text[at + 1] == 'c')
			return ZS_REFUSE_CONTROL_ESCAPE;
		used = read_numeric_escape(text, at, end, &value);
		if (!used) { /* bash leaves an unknown escape unchanged */
			word_put(arena, units, '\\');
			at++;
			continue;
		}
		if (value == 0) /* for bash the string ends here */
			break;
		if (value >= 0x80) /* its bytes depend on the locale */
			put_locale(arena, units);
		else
			word_put(arena, units, (char)value);
		at += used;
	}
	return ZS_REFUSE_NOTHING;
}

uint32_t zs_quote_end(const char *text, uint32_t len, uint32_t start)
{
	bool escapes = text[start] == '$';

	for (uint32_t i = start + (escapes ? 2 : 1); i < len; i++) {
		if (escapes && text[i] == '\\')
			i++;
		else if (text[i] == '\'')
			return i + 1;
	}
	return 0;
}

const char *zs_quoted(struct zs_arena *arena, const char *text, size_t len)
{
	char *word = zs_arena_alloc(arena, 4 * len + 4), *end = word;

	*end++ = ' ';
	*end++ = '\'';
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\'') {
			memcpy(end, "'\\''", 4);
			end += 4;
		} else {
			*end++ = text[i];
		}
	}
	*end = '\'';
	return word;
}

/* Words */

bool zs_word_is(const struct zs_raw_word *word, const char *text)
{
	return word->text && strcmp(word->text, text) == 0;
}

struct zs_raw_word zs_word_from(const struct zs_raw_word *word, size_t skip)
{
	struct zs_raw_word rest = *word;

	rest.prefix += skip;
	rest.text = rest.text ? rest.prefix : NULL;
	rest.part = true;
	return rest;
}

bool zs_is_assignment_form(const struct zs_units *units)
{
	uint32_t i = 0;

	while (i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && zs_is_name(units->items[i].byte))
		i++;
	if (i > 0 && i + 1 < units->count && units->items[i].kind == ZS_UNIT_PLAIN && units->items[i].byte == '+')
		i++;
	return i > 0 && i < units->count && units->items[i].kind == ZS_UNIT_PLAIN &&
	       (units->items[i].byte == '=' || units->items[i].byte == '[') && zs_is_name_start(units->items[0].byte);
}

/* Makes a dynamic part of each unquoted tilde that bash expands: at the start of a word, and after = and : of an
 * assignment. An argument may look like an assignment. */
static void mark_tildes(struct zs_units *units, enum zs_word_kind kind)
{
	bool assigns = kind == ZS_WORD_ASSIGNMENT || kind == ZS_WORD_DECLARED ||
		       zs_is_assignment_form(units); /* x[…]=~ may be an assignment */

	for (uint32_t i = 0; i < units->count; i++) {
		struct zs_unit *unit = &units->items[i];
		const struct zs_unit *before = i > 0 ? unit - 1 : NULL;
		bool separated = assigns && before && before->kind == ZS_UNIT_PLAIN &&
				 (before->byte == '=' || before->byte == ':');

		if (unit->kind == ZS_UNIT_PLAIN && unit->byte == '~' && (!before || separated)) {
			unit->kind = ZS_UNIT_DYNAMIC;
			unit->dynamic = ZS_DYNAMIC_TILDE;
		}
	}
}

/* Index of the last unquoted closing bracket; 0 if there is none. */
static uint32_t last_bracket(const struct zs_units *units)
{
	uint32_t i = units->count;

	while (i > 0 && (units->items[i - 1].kind != ZS_UNIT_PLAIN || units->items[i - 1].byte != ']'))
		i--;
	return i > 0 ? i - 1 : 0;
}

/* Does the unit match files: an unquoted * or ?, or the [ of […]? */
static bool is_glob(const struct zs_units *units, uint32_t i, uint32_t last)
{
	const struct zs_unit *unit = &units->items[i];

	if (unit->kind != ZS_UNIT_PLAIN)
		return false;
	if (unit->byte == '*' || unit->byte == '?')
		return true;
	return unit->byte == '[' && last >= i + 2;
}

/* The shape of sed -n "$((n - 5)),$((n + 5))p": whatever the numbers are, the program has this form. Bash may split
 * unquoted numbers, so a word with one has no shape. */
static const char *shape_of(struct zs_arena *arena, const struct zs_units *units, const struct zs_raw_word *raw)
{
	char *text;
	uint32_t len = 0;

	if (raw->raw_len < 2 || raw->raw[0] != '"' ||
		memchr(raw->raw + 1, '"', raw->raw_len - 1) != raw->raw + raw->raw_len - 1)
		return NULL;
	text = zs_arena_alloc(arena, units->count + 1);
	for (uint32_t i = 0; i < units->count; i++) {
		const struct zs_unit *unit = &units->items[i];

		if (unit->kind == ZS_UNIT_DYNAMIC && unit->dynamic != ZS_DYNAMIC_ARITHMETIC)
			return NULL;
		if (unit->kind != ZS_UNIT_QUOTE)
			text[len++] = unit->kind == ZS_UNIT_DYNAMIC ? '1' : unit->byte;
	}
	return text;
}

static struct zs_raw_word make_word(
	struct zs_arena *arena, struct zs_units *units, enum zs_word_kind kind, const struct zs_raw_word *raw)
{
	struct zs_raw_word word = *raw;
	char *text = zs_arena_alloc(arena, units->count + 1);
	uint32_t len = 0, last = kind == ZS_WORD_ARGUMENT ? last_bracket(units) : 0;

	mark_tildes(units, kind);
	for (uint32_t i = 0; i < units->count; i++) {
		const struct zs_unit *unit = &units->items[i];
		bool tilde = i == 0 && unit->kind == ZS_UNIT_DYNAMIC && unit->dynamic == ZS_DYNAMIC_TILDE;

		if (unit->kind == ZS_UNIT_DYNAMIC)
			word.dynamic = dynamic_names[unit->dynamic];
		else if (kind == ZS_WORD_ARGUMENT && is_glob(units, i, last))
			word.dynamic = dynamic_names[ZS_DYNAMIC_GLOB];
		if (unit->kind == ZS_UNIT_QUOTE)
			continue;
		if (word.dynamic && !tilde && !(word.dynamic == dynamic_names[ZS_DYNAMIC_TILDE] && len))
			break;
		text[len++] = tilde ? '~' : unit->byte;
	}
	/* <(…) may stand anywhere in a word: the word names a file that holds the output of commands */
	for (uint32_t i = 0; i < units->count; i++)
		if (units->items[i].kind == ZS_UNIT_DYNAMIC && units->items[i].dynamic == ZS_DYNAMIC_PROCESS)
			word.dynamic = dynamic_names[ZS_DYNAMIC_PROCESS];
	text[len] = '\0';
	word.prefix = text;
	word.text = word.dynamic ? NULL : text;
	word.shape = word.dynamic == dynamic_names[ZS_DYNAMIC_ARITHMETIC] ? shape_of(arena, units, raw) : NULL;
	return word;
}

bool zs_make_words(struct zs_arena *arena, struct zs_units units, enum zs_word_kind kind, const struct zs_raw_word *raw,
	struct zs_word_list *list)
{
	struct zs_units_list words = { 0 };

	if (kind != ZS_WORD_ARGUMENT && kind != ZS_WORD_DECLARED) {
		ZS_PUSH(arena, list, make_word(arena, &units, kind, raw));
		return true;
	}
	if (!zs_brace_expand(arena, units, &words))
		return false;
	for (uint32_t i = 0; i < words.count; i++) /* the empty alternative of {a,} makes no word if it is unquoted */
		if (words.items[i].count)
			ZS_PUSH(arena, list, make_word(arena, &words.items[i], kind, raw));
	return true;
}

/* The byte of unit i; NUL if the unit is no byte. */
static char byte_at(const struct zs_units *units, uint32_t i)
{
	return i < units->count && units->items[i].kind != ZS_UNIT_DYNAMIC ? units->items[i].byte : '\0';
}

/* Is this the bracket of a terminal's escape sequence, \e[31m or \033[0m? The backslash before it shows that it is no
 * subscript. */
static bool is_escape_sequence(const struct zs_units *units, uint32_t bracket)
{
	static const char *const names[] = { "\\e", "\\E", "\\033", "\\x1b", "\\x1B", "\\u001b" };
	uint32_t end = bracket + 1;

	while (zs_is_digit(byte_at(units, end)) || byte_at(units, end) == ';')
		end++;
	if (!zs_is_name_start(byte_at(units, end)) || byte_at(units, end) == '_')
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		uint32_t len = (uint32_t)strlen(names[i]), at = 0;

		while (at < len && bracket >= len && byte_at(units, bracket - len + at) == names[i][at])
			at++;
		if (at == len)
			return true;
	}
	return false;
}

bool zs_has_subscript_code(const struct zs_units *units)
{
	bool name = false, bracket = false;
	char before = '\0';

	for (uint32_t i = 0; i < units->count; i++) {
		const struct zs_unit *unit = &units->items[i];

		if (unit->kind == ZS_UNIT_QUOTE)
			continue;
		bracket |= name && byte_at(units, i) == '[' && !is_escape_sequence(units, i);
		if (bracket &&
			(byte_at(units, i) == '`' || (byte_at(units, i) == '(' && before && strchr("$<>", before))))
			return true;
		name = unit->kind == ZS_UNIT_DYNAMIC || zs_is_name(unit->byte);
		before = byte_at(units, i);
	}
	return false;
}

/* Skipping parts of a word that the strict reader has accepted */

size_t zs_skip_nested(const char *text, size_t len, size_t at, char close)
{
	while (at < len && text[at] != close)
		if (!(at = zs_skip_part(text, len, at)))
			return 0;
	return at < len ? at + 1 : 0;
}

size_t zs_skip_part(const char *text, size_t len, size_t at)
{
	if (text[at] == '\\')
		return at + 2;
	if (strchr("'\"`", text[at]))
		return zs_skip_quoted(text, len, at);
	if (text[at] == '(' || (text[at] == '{' && at && text[at - 1] == '$'))
		return zs_skip_nested(text, len, at + 1, text[at] == '(' ? ')' : '}');
	return at + 1;
}

size_t zs_skip_quoted(const char *text, size_t len, size_t at)
{
	char quote = text[at];
	bool ansi = at && quote == '\'' && text[at - 1] == '$';

	for (at++; at < len && text[at] != quote;) {
		if (text[at] == '\\' && (quote != '\'' || ansi))
			at += 2;
		else if (quote == '"' && text[at] == '`')
			at = zs_skip_quoted(text, len, at);
		else if (quote == '"' && text[at] == '$' && at + 1 < len &&
			 (text[at + 1] == '(' || text[at + 1] == '{'))
			at = zs_skip_nested(text, len, at + 2, text[at + 1] == '(' ? ')' : '}');
		else
			at++;
		if (!at)
			return 0;
	}
	return at < len ? at + 1 : 0;
}
