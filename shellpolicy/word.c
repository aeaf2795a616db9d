#include "word.h"

#include "brace.h"

#include <string.h>

/* Why a word is not static. */
#define DYNAMICS(X)                                                                                                    \
	X(VARIABLE, "variable")                                                                                        \
	X(EXPANSION, "expansion")                                                                                      \
	X(ARITHMETIC, "arithmetic")                                                                                    \
	X(SUBSTITUTION, "substitution")                                                                                \
	X(PROCESS, "process substitution")                                                                             \
	X(GLOB, "glob")                                                                                                \
	X(TILDE, "tilde")                                                                                              \
	X(LOCALE, "locale")

const char zs_too_many_words[] = "words that braces make";

enum dynamic {
#define X(id, text) DYNAMIC_##id,
	DYNAMICS(X)
#undef X
};

static const char *const dynamic_names[] = {
#define X(id, text) text,
	DYNAMICS(X)
#undef X
};

struct reader {
	const struct zs_source *source;
	uint32_t at;
	struct zs_units units;
	bool quoted;
	const char *refused; /* what is not modelled */
};

static char peek(const struct reader *reader, uint32_t ahead)
{
	uint32_t at = reader->at + ahead;

	return at < reader->source->len ? reader->source->text[at] : '\0';
}

static bool at_end(const struct reader *reader)
{
	return reader->at >= reader->source->len;
}

static void put(struct reader *reader, char byte, enum zs_unit_kind kind)
{
	ZS_PUSH(reader->source->arena, &reader->units, (struct zs_unit){ .byte = byte, .kind = (uint8_t)kind });
}

static void put_dynamic(struct reader *reader, enum dynamic why)
{
	ZS_PUSH(reader->source->arena, &reader->units,
		(struct zs_unit){ .kind = ZS_UNIT_DYNAMIC, .dynamic = (uint8_t)why });
}

static bool is_expansion(enum zs_kind kind)
{
	return kind == ZS_KIND_SIMPLE_EXPANSION || kind == ZS_KIND_EXPANSION || kind == ZS_KIND_ARITHMETIC_EXPANSION ||
	       kind == ZS_KIND_COMMAND_SUBSTITUTION || kind == ZS_KIND_PROCESS_SUBSTITUTION;
}

const struct zs_node *zs_expansion_at(struct zs_tree tree, uint32_t byte)
{
	uint32_t low = 0, high = tree.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tree.nodes[middle].start < byte)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < tree.count && tree.nodes[low].start == byte; low++)
		if (is_expansion((enum zs_kind)tree.nodes[low].kind))
			return &tree.nodes[low];
	return NULL;
}

/* The dynamic kind that an expansion node makes of its word. */
static enum dynamic dynamic_of(enum zs_kind kind)
{
	if (kind == ZS_KIND_SIMPLE_EXPANSION)
		return DYNAMIC_VARIABLE;
	if (kind == ZS_KIND_EXPANSION)
		return DYNAMIC_EXPANSION;
	if (kind == ZS_KIND_ARITHMETIC_EXPANSION)
		return DYNAMIC_ARITHMETIC;
	return kind == ZS_KIND_COMMAND_SUBSTITUTION ? DYNAMIC_SUBSTITUTION : DYNAMIC_PROCESS;
}

/* Skips what the tree says starts here; both readings must find something. */
static void read_expansion(struct reader *reader)
{
	const struct zs_node *node = zs_expansion_at(reader->source->tree, reader->at);

	if (!node || node->end <= reader->at) {
		reader->refused = "an expansion that the parser does not see";
		return;
	}
	put_dynamic(reader, dynamic_of((enum zs_kind)node->kind));
	reader->at = node->end;
}

/* $x, $1, $@: their length by bash's rules; 0 when the $ is a plain character. */
static uint32_t variable_length(const struct reader *reader)
{
	char c = peek(reader, 1);
	uint32_t len = 2;

	if (zs_is_digit(c) || (c && strchr("@*#?-$!", c)))
		return len;
	if (!zs_is_name_start(c))
		return 0;
	while (zs_is_name(peek(reader, len)))
		len++;
	return len;
}

/* A dollar sign that does not start a quoted string. */
static void read_dollar(struct reader *reader, enum zs_unit_kind plain_kind)
{
	uint32_t len = variable_length(reader);
	char c = peek(reader, 1);

	if (len) { /* it holds no code, so where the parser sees none (a$x-$y) ours is enough */
		const struct zs_node *node = zs_expansion_at(reader->source->tree, reader->at);

		if (node && node->end != reader->at + len)
			reader->refused = "a variable whose name the parser reads differently";
		put_dynamic(reader, DYNAMIC_VARIABLE);
		reader->at += len;
		return;
	}
	if (c == '{' || c == '(' || c == '[') {
		read_expansion(reader);
		return;
	}
	if (c == '\\' && peek(reader, 2) == '\n') {
		reader->refused = "a line continuation after $";
		return;
	}
	put(reader, '$', plain_kind);
	reader->at++;
}

static void read_single_quoted(struct reader *reader)
{
	uint32_t end = zs_quote_end(reader->source->text, reader->source->len, reader->at);

	if (!end) {
		reader->refused = "an unclosed single quote";
		return;
	}
	for (uint32_t i = reader->at + 1; i < end - 1; i++)
		put(reader, reader->source->text[i], ZS_UNIT_QUOTED);
	reader->at = end;
}

static int hex_value(char c)
{
	if (zs_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads up to `most` digits of the base; returns how many. */
static uint32_t read_digits(const struct reader *reader, uint32_t ahead, uint32_t most, int base, uint32_t *ret_value)
{
	uint32_t count = 0;

	*ret_value = 0;
	while (count < most) {
		int digit = hex_value(peek(reader, ahead + count));

		if (digit < 0 || digit >= base)
			break;
		*ret_value = *ret_value * (uint32_t)base + (uint32_t)digit;
		count++;
	}
	return count;
}

/* The numeric escapes of $'…' after the backslash at `at`. Returns the bytes consumed, 0 when it is none. */
static uint32_t read_numeric_escape(struct reader *reader)
{
	char c = peek(reader, 1);
	uint32_t value, digits, used;

	if (c >= '0' && c <= '7') {
		digits = read_digits(reader, 1, 3, 8, &value);
		used = 1 + digits;
		value &= 0xff;
	} else if (c == 'x' && peek(reader, 2) == '{') {
		digits = read_digits(reader, 3, 16, 16, &value); /* as in ksh, its low byte counts */
		used = 3 + digits + (peek(reader, 3 + digits) == '}');
		value &= 0xff;
		digits = 1;
	} else if (c == 'x') {
		digits = read_digits(reader, 2, 2, 16, &value);
		used = 2 + digits;
	} else if (c == 'u' || c == 'U') {
		digits = read_digits(reader, 2, c == 'u' ? 4 : 8, 16, &value);
		used = 2 + digits;
		if (digits && value >= 0x80) { /* its bytes depend on the locale */
			put_dynamic(reader, DYNAMIC_LOCALE);
			return used;
		}
	} else {
		return 0;
	}
	if (!digits)
		return 0;
	if (value == 0) {
		reader->refused = "a NUL in $'…'";
		return used;
	}
	if (value >= 0x80) /* a byte of a character that the locale decides about */
		put_dynamic(reader, DYNAMIC_LOCALE);
	else
		put(reader, (char)value, ZS_UNIT_QUOTED);
	return used;
}

/* $'…' as bash decodes it (man bash, QUOTING). */
static void read_ansi_c_quoted(struct reader *reader)
{
	static const char from[] = "abeEfnrtv\\'\"?";
	static const char to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	uint32_t end = zs_quote_end(reader->source->text, reader->source->len, reader->at);

	if (!end) {
		reader->refused = "an unclosed $'";
		return;
	}
	reader->at += 2;
	while (reader->at < end - 1 && !reader->refused) {
		char c = peek(reader, 0), next = peek(reader, 1);
		const char *simple = c == '\\' && next ? strchr(from, next) : NULL;
		uint32_t used = 1;

		if (c != '\\') {
			put(reader, c, ZS_UNIT_QUOTED);
		} else if (simple) {
			put(reader, to[simple - from], ZS_UNIT_QUOTED);
			used = 2;
		} else if (next == 'c') {
			reader->refused = "a control escape in $'…'";
		} else {
			used = read_numeric_escape(reader);
			if (!used) { /* an unknown escape stays as it is */
				put(reader, '\\', ZS_UNIT_QUOTED);
				used = 1;
			}
		}
		reader->at += used;
	}
	reader->at = end;
}

static void read_double_quoted(struct reader *reader)
{
	reader->at++;
	while (!reader->refused) {
		char c = peek(reader, 0), next = peek(reader, 1);

		if (at_end(reader)) {
			reader->refused = "an unclosed double quote";
		} else if (c == '"') {
			reader->at++;
			return;
		} else if (c == '\\' && next == '\n') {
			reader->at += 2;
		} else if (c == '\\' && next && strchr("$`\"\\", next)) {
			put(reader, next, ZS_UNIT_QUOTED);
			reader->at += 2;
		} else if (c == '$') {
			read_dollar(reader, ZS_UNIT_QUOTED);
		} else if (c == '`') {
			read_expansion(reader);
		} else {
			put(reader, c, ZS_UNIT_QUOTED);
			reader->at++;
		}
	}
}

static void read_backslash(struct reader *reader)
{
	char next = peek(reader, 1);

	if (reader->at + 1 >= reader->source->len) {
		put(reader, '\\', ZS_UNIT_QUOTED); /* a lone backslash at the end stands for itself */
		reader->at++;
	} else if (next == '\n') {
		reader->at += 2;
	} else {
		put(reader, next, ZS_UNIT_QUOTED);
		reader->quoted = true;
		reader->at += 2;
	}
}

static void begin_quote(struct reader *reader)
{
	reader->quoted = true;
	put(reader, '\0', ZS_UNIT_QUOTE);
}

/* One step: a quoted string, an expansion or a plain byte. False at the word's end. */
static bool read_part(struct reader *reader)
{
	char c = peek(reader, 0), next = peek(reader, 1);

	if (at_end(reader) || reader->refused)
		return false;
	if ((c == '<' || c == '>') && next == '(') {
		read_expansion(reader);
	} else if (zs_is_metacharacter(c)) {
		return false;
	} else if (c == '\'') {
		begin_quote(reader);
		read_single_quoted(reader);
	} else if (c == '"' || (c == '$' && next == '"')) {
		begin_quote(reader);
		if (c == '$') { /* bash translates it when TEXTDOMAIN says where to */
			put_dynamic(reader, DYNAMIC_LOCALE);
			reader->at++;
		}
		read_double_quoted(reader);
	} else if (c == '$' && next == '\'') {
		begin_quote(reader);
		read_ansi_c_quoted(reader);
	} else if (c == '$') {
		read_dollar(reader, ZS_UNIT_PLAIN);
	} else if (c == '`') {
		read_expansion(reader);
	} else if (c == '\\') {
		read_backslash(reader);
	} else {
		put(reader, c, ZS_UNIT_PLAIN);
		reader->at++;
	}
	return !reader->refused;
}

/* Does the word have the form NAME=…? Then bash expands tildes behind = and : in an argument too. */
static bool is_assignment_form(const struct zs_units *units)
{
	uint32_t i = 0;

	while (i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && zs_is_name(units->items[i].byte))
		i++;
	return i > 0 && i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && units->items[i].byte == '=' &&
	       zs_is_name_start(units->items[0].byte);
}

/* An unquoted tilde that bash expands becomes a dynamic part. */
static void mark_tildes(struct zs_units *units, enum zs_word_context context)
{
	bool assigns = context == ZS_WORD_ASSIGNMENT || is_assignment_form(units);

	for (uint32_t i = 0; i < units->count; i++) {
		struct zs_unit *unit = &units->items[i];
		const struct zs_unit *before = i > 0 ? unit - 1 : NULL;
		bool separated = assigns && before && before->kind == ZS_UNIT_PLAIN &&
				 (before->byte == '=' || before->byte == ':');

		if (unit->kind == ZS_UNIT_PLAIN && unit->byte == '~' && (!before || separated)) {
			unit->kind = ZS_UNIT_DYNAMIC;
			unit->dynamic = DYNAMIC_TILDE;
		}
	}
}

/* Unquoted *, ? and […] match files. */
static bool is_glob(const struct zs_units *units, uint32_t i)
{
	const struct zs_unit *unit = &units->items[i];

	if (unit->kind != ZS_UNIT_PLAIN)
		return false;
	if (unit->byte == '*' || unit->byte == '?')
		return true;
	if (unit->byte != '[')
		return false;
	for (uint32_t j = i + 2; j < units->count; j++)
		if (units->items[j].kind == ZS_UNIT_PLAIN && units->items[j].byte == ']')
			return true;
	return false;
}

static struct zs_raw_word make_word(
	const struct reader *reader, struct zs_units *units, struct zs_span span, enum zs_word_context context)
{
	struct zs_raw_word word = {
		.raw = reader->source->text + span.start,
		.raw_len = span.end - span.start,
		.quoted = reader->quoted,
		.span = span,
	};
	char *text = zs_arena_alloc(reader->source->arena, units->count + 1);
	uint32_t len = 0;

	mark_tildes(units, context);
	for (uint32_t i = 0; i < units->count; i++) {
		bool tilde =
			i == 0 && units->items[i].kind == ZS_UNIT_DYNAMIC && units->items[i].dynamic == DYNAMIC_TILDE;

		if (units->items[i].kind == ZS_UNIT_DYNAMIC)
			word.dynamic = dynamic_names[units->items[i].dynamic];
		else if (context == ZS_WORD_COMMAND && is_glob(units, i))
			word.dynamic = dynamic_names[DYNAMIC_GLOB];
		if (units->items[i].kind == ZS_UNIT_QUOTE)
			continue;
		if (word.dynamic && !tilde && !(word.dynamic == dynamic_names[DYNAMIC_TILDE] && len))
			break;
		text[len++] = tilde ? '~' : units->items[i].byte;
	}
	text[len] = '\0';
	word.prefix = text;
	word.text = word.dynamic ? NULL : text;
	return word;
}

const char *zs_word_read(const struct zs_source *source, uint32_t start, enum zs_word_context context,
	struct zs_word_list *list, uint32_t *ret_end)
{
	struct reader reader = { .source = source, .at = start };
	struct zs_units_list words = { 0 };
	struct zs_span span;

	while (read_part(&reader))
		;
	if (reader.refused)
		return reader.refused;
	if (reader.at == start)
		return "a word that the parser sees and bash does not";
	span = (struct zs_span){ start, reader.at };
	if (context == ZS_WORD_ASSIGNMENT)
		ZS_PUSH(source->arena, &words, reader.units);
	else if (!zs_brace_expand(source->arena, reader.units, &words))
		return zs_too_many_words;
	for (uint32_t i = 0; i < words.count; i++) /* an empty, unquoted alternative is no word: {a,} is one */
		if (words.items[i].count || context == ZS_WORD_ASSIGNMENT)
			ZS_PUSH(source->arena, list, make_word(&reader, &words.items[i], span, context));
	*ret_end = reader.at;
	return NULL;
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
