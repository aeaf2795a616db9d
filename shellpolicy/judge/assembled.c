/* Strings that become code: bash reads the value of a variable again if it takes the value for arithmetic (a[$(x)] runs
 * x), for a name or for an array. A string in one piece is refused where it is read (word.h, zs_has_subscript_code()).
 * This file finds strings that a text puts together: y='a['; y+='$(x)]'; ((y)). The output of other programs is not
 * known, and counts as data. */
#include "judge/assembled.h"

#include "read/expand.h"

#include <string.h>

/* Pieces */

/* The static part of a word, read byte by byte. */
struct piece {
	char before;  /* the static byte before this one; '\0' at the start and after an expansion */
	bool code;    /* there is a backquote, or $ before ( or { */
	bool dollar;  /* there is a $ before an unknown part */
	bool opening; /* there is a ( or { after an unknown part */
};

static void assembled_put(struct piece *piece, char byte)
{
	bool opens = byte == '(' || byte == '{';

	piece->code |= byte == '`' || (opens && piece->before == '$');
	piece->opening |= opens && !piece->before;
	piece->before = byte;
}

static void put_unknown(struct piece *piece)
{
	piece->dollar |= piece->before == '$';
	piece->before = '\0';
}

static unsigned digit_value(char c)
{
	if (zs_is_digit(c))
		return (unsigned)(c - '0');
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* Puts the escape of $'…' whose backslash is at `at`; returns its end. Escapes that cannot make code are not decoded.
 */
static size_t put_escape(struct piece *piece, const char *raw, size_t len, size_t at)
{
	char c = at + 1 < len ? raw[at + 1] : '\\';
	unsigned base = c >= '0' && c <= '7' ? 8 : 16, value = 0;
	size_t most = base == 8 ? 3 : zs_ansi_c_digits(c), digits = 0;

	at += base == 8 ? 1 : 2;
	if (base == 16 && !strchr("xuU", c)) {
		assembled_put(piece, c);
		return at;
	}
	if (c == 'x' && at < len && raw[at] == '{') {
		at++;
		most = len;
	}
	for (; digits < most && at < len && digit_value(raw[at]) < base; digits++)
		value = value * base + digit_value(raw[at++]);
	assembled_put(piece, (char)(value & 0x7f));
	return at;
}

/* Skips the expansion at a $ or backquote outside of single quotes. */
static size_t skip_expansion(struct piece *piece, const char *raw, size_t len, size_t at)
{
	char next = at + 1 < len ? raw[at + 1] : '\0';

	if (raw[at] == '`' || next == '(') {
		size_t end = zs_skip_part(raw, len, raw[at] == '`' ? at : at + 1);

		put_unknown(piece);
		return end ? end : len;
	}
	if (zs_is_name(next) || (next && strchr("{@*#?-$!", next))) {
		put_unknown(piece);
		return at + 2;
	}
	assembled_put(piece, '$');
	return at + 1;
}

static void read_raw(struct piece *piece, const char *raw, size_t len)
{
	bool in_quotes = false;

	for (size_t at = 0; at < len;) {
		char c = raw[at], next = at + 1 < len ? raw[at + 1] : '\0';

		if (c == '\'' && !in_quotes) {
			for (at++; at < len && raw[at] != '\''; at++)
				assembled_put(piece, raw[at]);
			at++;
		} else if (c == '$' && next == '\'' && !in_quotes) {
			for (at += 2; at < len && raw[at] != '\'';) {
				if (raw[at] == '\\')
					at = put_escape(piece, raw, len, at);
				else
					assembled_put(piece, raw[at++]);
			}
			at++;
		} else if (c == '"' || (c == '$' && next == '"' && !in_quotes)) {
			in_quotes = !in_quotes;
			at += c == '$' ? 2 : 1;
		} else if (c == '\\') {
			if (next != '\n')
				assembled_put(piece, next);
			at += 2;
		} else if (c == '$' || c == '`') {
			at = skip_expansion(piece, raw, len, at);
		} else {
			if (in_quotes || !strchr("()", c)) /* unquoted parentheses belong to an array or a pattern */
				assembled_put(piece, c);
			at++;
		}
	}
}

/* `escapes`: printf or echo -e decodes backslashes once more. */
static struct piece piece_of(const struct zs_raw_word *word, bool escapes)
{
	struct piece piece = { 0 };
	size_t len = word->text ? strlen(word->text) : 0;

	for (size_t at = 0; at < len;) {
		if (escapes && word->text[at] == '\\')
			at = put_escape(&piece, word->text, len, at);
		else
			assembled_put(&piece, word->text[at++]);
	}
	if (!word->text && word->raw)
		read_raw(&piece, word->raw, word->raw_len);
	put_unknown(&piece);
	return piece;
}

static bool is_data(const struct zs_raw_word *word)
{
	return word->dynamic && (strcmp(word->dynamic, "substitution") == 0 || strcmp(word->dynamic, "input") == 0);
}

static void give(struct zs_build *build, const struct zs_raw_word *word, bool escapes)
{
	struct zs_assembly *assembly = &build->assembly;
	struct piece piece = piece_of(word, escapes);

	if (!assembly->data && is_data(word)) {
		assembly->data = true;
		assembly->data_span = word->span;
	}
	if (!assembly->code && !assembly->dollar && !assembly->opening)
		assembly->span = word->span;
	if (piece.code && !assembly->code) {
		assembly->code = zs_word_shown(build->arena, word);
		assembly->span = word->span;
	}
	assembly->dollar |= piece.dollar;
	assembly->opening |= piece.opening;
}

void zs_value_given(struct zs_build *build, const struct zs_raw_word *word)
{
	give(build, word, false);
}

void zs_value_printed(struct zs_build *build, const struct zs_raw_word *word, bool captured)
{
	struct zs_assembly *assembly = &build->assembly;

	if (captured)
		give(build, word, true);
	if (captured || assembly->printed || !piece_of(word, true).code)
		return;
	assembly->printed = zs_word_shown(build->arena, word);
	assembly->printed_span = word->span;
}

bool zs_has_subscript(const char *name)
{
	const char *bracket = name ? strchr(name, '[') : NULL;

	return bracket && bracket[1 + strspn(bracket + 1, "0123456789@*")] != ']';
}

/* Judgement */

void zs_check_assembled(struct zs_build *build)
{
	const struct zs_assembly *assembly = &build->assembly;
	bool read_again = assembly->evaluates || (assembly->arrays && assembly->declares);
	bool printed = assembly->printed && assembly->reads;
	bool later = assembly->later_text || build->pending.count > 1 + assembly->alias_texts;
	const char *object = printed ? assembly->printed : "$";

	if (assembly->code)
		object = assembly->code;
	if (assembly->aliases && assembly->expands_aliases && later) {
		zs_find(build, ZS_RISK_UNSUPPORTED, -1, "alias", "the alias changes how bash reads later lines",
			assembly->alias_span)
			->hint = "Use a function, or the command itself.";
	}
	if (assembly->later_option && (assembly->later_text || build->pending.count > 1)) {
		zs_find(build, ZS_RISK_UNSUPPORTED, -1, assembly->later_option, ZS_CHANGES_READING,
			assembly->option_span)
			->hint = "Leave the option as it is, and write the text in plain bash.";
	}
	if (read_again && assembly->data)
		zs_note(build, ZS_RISK_ARITHMETIC_DATA, -1, NULL, assembly->data_span);
	if (!read_again || !(assembly->code || (assembly->dollar && assembly->opening) || printed))
		return;
	zs_find(build, ZS_RISK_UNSUPPORTED, -1, object,
		"a value starts a substitution, and bash reads values as arithmetic or names here",
		assembly->code || !printed ? assembly->span : assembly->printed_span)
		->hint = "Keep text that holds $( or a backquote out of a command that computes with variables.";
}
