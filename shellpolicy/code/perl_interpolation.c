/* What strings and patterns interpolate. Subscripts in them are code: "$h{system 1}". */
#include "code/perl_reader.h"

#include <string.h>

/* A number, a plain variable, or arithmetic of such: no function can be called. */
static bool is_simple_index(const struct perl_reader *r, size_t at, size_t end)
{
	if (at == end)
		return false;
	while (at < end) {
		int c = peek_at(r, at++);

		if (c == '$') {
			if (peek_at(r, at) == '#')
				at++;
			if (!is_word(peek_at(r, at)))
				return false;
			at = skip_word(r, at);
		} else if (!is_digit(c) && !is_one_of(c, " +-,.")) {
			return false;
		}
	}
	return true;
}

/* word, -word, 'text', "text", \"text\", or a simple index */
static bool is_simple_key(const struct perl_reader *r, size_t at, size_t end)
{
	size_t start = at;
	bool escaped;
	int quote;

	if (is_simple_index(r, at, end))
		return true;
	if (peek_at(r, at) == '-')
		at++;
	if (is_letter(peek_at(r, at)) && skip_word(r, at) == end)
		return true;
	escaped = peek_at(r, start) == '\\' && peek_at(r, end - 2) == '\\';
	at = start + escaped;
	quote = peek_at(r, at);
	if (end - at < (escaped ? 3 : 2) || quote != peek_at(r, end - 1) || !is_one_of(quote, "\"'"))
		return false;
	end -= escaped;
	for (at++; at < end - 1; at++)
		if (!is_word(peek_at(r, at)) && !is_one_of(peek_at(r, at), " .:/-"))
			return false;
	return true;
}

/* In a pattern `[…]` after a variable is a subscript or a character class: what is in it must be harmless as code. A
 * name that could be a function has two letters or more; "zA" comes from a-zA-Z. */
static bool is_simple_class(const struct perl_reader *r, size_t at, size_t end)
{
	if (is_simple_index(r, at, end))
		return true;
	while (at < end) {
		int c = peek_at(r, at);
		size_t letters = at;

		while (letters < end && is_letter(peek_at(r, letters)))
			letters++;
		if (letters - at > 1 && !is_text(r, at, letters - at, "zA"))
			return false;
		if (letters == at && !is_digit(c) && !is_one_of(c, " ^$.,+-\\=:;!?|#%~"))
			return false;
		at = letters > at ? letters : at + 1;
	}
	return true;
}

/* The subscripts after an interpolated variable. Returns false when they are not simple. */
static bool skip_subscripts(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	for (;;) {
		size_t at = *pos, close;
		bool arrow = at + 1 < end && starts(r, at, "->");
		int open, c;

		if (arrow)
			at += 2;
		open = at < end ? peek_at(r, at) : END;
		if (arrow && is_one_of(open, "@$%&*"))
			return false;
		if (open != '[' && open != '{')
			return true;
		c = peek_at(r, at + 1);
		if (pattern && !arrow && open == '[' && (c == '^' || c == ']'))
			return true; /* surely a character class: intuit_more() */
		for (close = ++at; close < end && peek_at(r, close) != (open == '{' ? '}' : ']'); close++)
			;
		if (close == end)
			return false;
		if (open == '{'   ? !is_simple_key(r, at, close)
			: pattern ? !is_simple_class(r, at, close)
				  : !is_simple_index(r, at, close))
			return false;
		*pos = close + 1;
	}
}

/* `{` after `$` or `@`: {name}, {$name}, {$name{key}}. */
static bool skip_braces(const struct perl_reader *r, size_t *pos, size_t end)
{
	size_t at = skip_blanks(r, *pos + 1), name = at;

	while (peek_at(r, at) == '$')
		name = ++at;
	at = skip_word(r, name);
	if (at == name)
		return false;
	if (peek_at(r, name - 1) == '$' && !skip_subscripts(r, &at, end, false))
		return false;
	at = skip_blanks(r, at);
	if (at >= end || peek_at(r, at) != '}')
		return false;
	*pos = at + 1;
	return true;
}

/* Does a name end here? `::` and `'` join it to another, and so do bytes that are letters under `use utf8`. */
static bool ends_name(const struct perl_reader *r, size_t at)
{
	int c = peek_at(r, at);

	return c < 0x80 && !starts(r, at, "::") && !(c == '\'' && is_letter(peek_at(r, at + 1)));
}

/* An interpolated `$…`; *pos is after the `$`. */
static bool skip_interpolated_scalar(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? peek_at(r, at) : END;

	if (c == END || (pattern && is_one_of(c, "()| \r\n\t")))
		return true; /* the end of the line, in a pattern; a syntax error in a string */
	if (c == '#') {
		c = peek_at(r, ++at);
		if (!is_letter(c) && c != '{')
			return false;
	}
	while (c == '$' && at + 1 < end && (is_word(peek_at(r, at + 1)) || is_one_of(peek_at(r, at + 1), "${")))
		c = peek_at(r, ++at);
	if (c == '{') {
		if (!skip_braces(r, &at, end))
			return false;
	} else if (is_letter(c)) {
		at = skip_word(r, at);
	} else if (is_digit(c)) {
		while (is_digit(peek_at(r, at)))
			at++;
	} else if (is_one_of(c, "&`'+!@/,;.?()<>]|\"=%~-$") && !(c == '\'' && is_letter(peek_at(r, at + 1)))) {
		at++;
	} else {
		return false;
	}
	if (!ends_name(r, at))
		return false;
	*pos = at;
	return skip_subscripts(r, pos, end, pattern);
}

/* An interpolated `@…`; *pos is after the `@`. */
static bool skip_interpolated_array(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? peek_at(r, at) : END;

	if (c == ':' || c == '\'' || c >= 0x80)
		return false;
	if (c == '{') {
		if (!skip_braces(r, &at, end))
			return false;
	} else if (c == '$') {
		while (peek_at(r, at) == '$')
			at++;
		if (!is_letter(peek_at(r, at)))
			return false;
		at = skip_word(r, at);
	} else if (is_word(c)) {
		at = skip_word(r, at);
	} else if (is_one_of(c, "+-")) {
		at++;
	} else {
		return true;
	}
	if (!ends_name(r, at))
		return false;
	*pos = at;
	return skip_subscripts(r, pos, end, pattern);
}

/* After a backslash. `\c\` swallows the second backslash; `\N{name}` looks names up. */
static bool skip_escape(const struct perl_reader *r, size_t *pos, size_t end)
{
	int c = peek_at(r, *pos), c2 = *pos + 1 < end ? peek_at(r, *pos + 1) : END;

	if (c == 'c' && !is_letter(c2))
		return false;
	if (c == 'N' && c2 == '{' && !starts(r, *pos, "N{U+"))
		return false;
	++*pos;
	return true;
}

bool zs_perl_check_interpolation(struct perl_reader *r, const struct perl_part *part, bool pattern)
{
	size_t pos = part->at;

	if (part->escapes && !strchr("/\"'#,!%~|", part->open))
		return unknown_at(r, part->at);
	while (pos < part->end) {
		size_t at = pos++;
		int c = peek_at(r, at);
		bool known = true;

		if (pattern && c == '?' && peek_at(r, pos) == '{')
			known = false; /* (?{code}) */
		else if (pattern && c == '(' && starts(r, pos, "*{"))
			known = false;
		else if (part->open == '\'')
			continue;
		else if (c == '\\')
			known = skip_escape(r, &pos, part->end);
		else if (c == '$')
			known = skip_interpolated_scalar(r, &pos, part->end, pattern);
		else if (c == '@')
			known = skip_interpolated_array(r, &pos, part->end, pattern);
		if (!known || pos > part->end)
			return unknown_at(r, at);
	}
	return true;
}
