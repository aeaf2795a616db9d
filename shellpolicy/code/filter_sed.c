/* Reads the grammar of sed scripts as GNU sed does (sed/compile.c, 4.2 to 4.9), to find commands that write or execute.
 *
 * sed opens the files of `w` while it still compiles the script, so even a script with a syntax error can truncate a
 * file. So a script that GNU sed would refuse is UNKNOWN here. A script is UNKNOWN too if versions disagree on the end
 * of a command. A function that returns false has stopped at text that is not known, or has set `found` to the effect.
 */
#include "code/code_tokens.h"

static int take(struct code_text *r)
{
	int c = code_peek(r);

	r->pos += c != END;
	return c;
}

/* Were there any bytes of the set? */
static bool skip_set(struct code_text *r, const char *set)
{
	size_t start = r->pos;

	r->pos = code_skip(r, start, set);
	return r->pos > start;
}

static void skip_line(struct code_text *r)
{
	while (code_peek(r) != END && code_peek(r) != '\n')
		r->pos++;
}

static bool executes(struct code_text *r, size_t at)
{
	r->found = (struct zs_filter){ .effect = ZS_FILTER_EXECUTES, .at = at };
	return false;
}

/* Reads the end of a command. */
static bool read_end(struct code_text *r)
{
	int c;

	skip_set(r, " \t");
	c = code_peek(r);
	r->pos += is_one_of(c, ";\n");
	return c == END || is_one_of(c, ";\n}#");
}

/* Reads the text after `[` through the closing `]`. A delimiter in it is an ordinary character. */
static bool read_bracket(struct code_text *r)
{
	int c;

	r->pos += code_peek(r) == '^';
	r->pos += code_peek(r) == ']';
	for (c = take(r); c != ']' && c != END && c != '\n'; c = take(r)) {
		if (c != '[' || !is_one_of(code_peek(r), ".:="))
			continue;
		c = take(r);
		while (is_letter(code_peek(r)))
			r->pos++;
		if (take(r) != c || take(r) != ']')
			return false;
	}
	return c == ']';
}

/* Reads through the delimiter, as match_slash() does. `\cX` is one escape in sed 4.9 and two characters in 4.8. */
static bool read_part(struct code_text *r, int delimiter, bool regex)
{
	for (int c = take(r); c != delimiter; c = take(r)) {
		if (c == END || c == '\n' || (c == '[' && regex && !read_bracket(r)))
			return false;
		if (c == '\\') {
			c = take(r);
			if (c == END || (c == 'c' && regex))
				return false;
		}
	}
	return true;
}

static bool read_delimiter(struct code_text *r, int *ret_delimiter)
{
	*ret_delimiter = take(r);
	return *ret_delimiter != END && *ret_delimiter < 0x80 && !is_one_of(*ret_delimiter, "\n\\");
}

static bool read_two_parts(struct code_text *r, bool regex)
{
	int delimiter;

	return read_delimiter(r, &delimiter) && read_part(r, delimiter, regex) && read_part(r, delimiter, false);
}

/* Reads an address, if there is one, and the blanks after it. +N and ~N may only follow a comma. */
static bool read_address(struct code_text *r, bool second, bool *ret_present)
{
	static const char digits[] = "0123456789";
	int c = code_peek(r), delimiter = '/';
	bool known = true;

	*ret_present = true;
	if (c == '/' || c == '\\') {
		r->pos++;
		known = (c == '/' || read_delimiter(r, &delimiter)) && read_part(r, delimiter, true);
		skip_set(r, "IM");
	} else if (c == '$') {
		r->pos++;
	} else if (is_digit(c)) {
		skip_set(r, digits);
		if (code_peek(r) == '~') {
			r->pos++;
			skip_set(r, digits);
		}
	} else if (second && is_one_of(c, "+~")) {
		r->pos++;
		known = skip_set(r, digits);
	} else {
		*ret_present = false;
	}
	skip_set(r, " \t");
	return known;
}

static bool read_addresses(struct code_text *r, bool *ret_present)
{
	bool second = true;

	if (!read_address(r, false, ret_present))
		return false;
	if (*ret_present && code_peek(r) == ',') {
		r->pos++;
		skip_set(r, " \t");
		if (!read_address(r, true, &second) || !second)
			return false;
	}
	if (code_peek(r) == '!') {
		*ret_present = true;
		r->pos++;
		skip_set(r, " \t");
	}
	return true;
}

/* A blank ends a label too, and the next command may follow it. sed 4.2 takes `}` and `#` for parts of the label, so a
 * `#` right after the label would begin no comment there. */
static bool read_label(struct code_text *r, bool required)
{
	size_t start;

	skip_set(r, " \t");
	start = r->pos;
	while (code_peek(r) != END && !is_one_of(code_peek(r), " \t\r\v\f\n;}#"))
		r->pos++;
	return !(required && r->pos == start) && !is_one_of(code_peek(r), "\r\v\f#") &&
	       !(code_peek(r) == '}' && r->pos + 1 < r->len && r->text[r->pos + 1] == '#');
}

/* Text runs to the first newline without a backslash before it. In the form `a\` it starts on the next line, or right
 * after the backslash: there versions disagree on blanks and backslashes before the end of the line. */
static bool read_text(struct code_text *r)
{
	skip_set(r, " \t");
	if (code_peek(r) == END || code_peek(r) == '\n')
		return false;
	if (code_peek(r) == '\\') {
		r->pos++;
		if (skip_set(r, " \t") ? is_one_of(code_peek(r), "\\\n") || code_peek(r) == END : code_peek(r) == '\\')
			return false;
		r->pos += code_peek(r) == '\n';
	}
	for (int c = take(r); c != END && c != '\n'; c = take(r))
		if (c == '\\')
			take(r);
	return true;
}

/* Reads the rest of the line, as read_filename() does. */
static bool read_file_name(struct code_text *r, bool writes)
{
	size_t at;

	skip_set(r, " \t");
	at = r->pos;
	skip_line(r);
	if (r->pos > at && writes && !zs_filter_is_harmless_file(r->text + at, r->pos - at)) {
		r->found = (struct zs_filter){ ZS_FILTER_WRITES, at, r->text + at, r->pos - at };
		return false;
	}
	return r->pos > at;
}

static bool read_subst_flags(struct code_text *r)
{
	skip_set(r, "gpiImM0123456789 \t");
	if (code_peek(r) == 'e')
		return executes(r, r->pos);
	if (code_peek(r) != 'w')
		return read_end(r);
	r->pos++;
	return read_file_name(r, true);
}

static bool read_command(struct code_text *r)
{
	bool has_address;
	int letter;

	if (!read_addresses(r, &has_address) || (has_address && is_one_of(code_peek(r), ":}#")))
		return false;
	letter = take(r);
	switch (letter) {
	case '{':
		r->depth++;
		return true;
	case '}':
		return r->depth-- && read_end(r);
	case '#':
		skip_line(r);
		return true;
	case 'e':
		return executes(r, r->pos - 1);
	case 's':
		return read_two_parts(r, true) && read_subst_flags(r);
	case 'y':
		return read_two_parts(r, false) && read_end(r);
	default:
		if (is_one_of(letter, ":btTv"))
			return read_label(r, letter == ':');
		if (is_one_of(letter, "aic"))
			return read_text(r);
		if (is_one_of(letter, "rRwW"))
			return read_file_name(r, is_one_of(letter, "wW"));
		if (is_one_of(letter, "lLqQ")) {
			skip_set(r, " \t");
			skip_set(r, "0123456789");
		} else if (!is_one_of(letter, "=dDFgGhHnNpPxz")) {
			return false;
		}
		return read_end(r);
	}
}

struct zs_filter zs_filter_sed(const char *program, size_t len)
{
	struct code_text r;

	r.text = program;
	r.len = len;
	r.pos = r.depth = 0; /* the depth of open blocks */
	r.found = (struct zs_filter){ .effect = ZS_FILTER_UNKNOWN };
	for (;;) {
		skip_set(&r, "; \t\n\v\f\r");
		if (code_peek(&r) == END && !r.depth)
			return (struct zs_filter){ .effect = ZS_FILTER_PLAIN };
		if (code_peek(&r) == END || !read_command(&r))
			break;
	}
	if (r.found.effect == ZS_FILTER_UNKNOWN)
		r.found.at = r.pos;
	return r.found;
}
