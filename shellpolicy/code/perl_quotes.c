/* Strings, patterns and their like: where each ends, and what it interpolates. Subscripts in them are code:
 * "$h{system 1}". */
#include "code/perl_reader.h"

/* The text between two delimiters of a string, a pattern or a replacement. */
struct part {
	size_t at, end;
	int open;
	bool escapes; /* holds a backslash before its delimiter: perl drops that backslash */
};

/* $i, $i+1, 0..2, key, -key, 'a key': no function can be called. */
static bool is_simple_subscript(const struct perl_reader *p, size_t at, size_t end, bool key)
{
	int quote = peek_at(p, at);
	size_t word = at + (quote == '-');

	if (at == end)
		return false;
	if (key && is_letter(peek_at(p, word)) && skip_word(p, word) == end)
		return true;
	if (key && end - at > 1 && (quote == '"' || quote == '\'') && peek_at(p, end - 1) == quote) {
		for (at++; at < end - 1; at++)
			if (!is_word(peek_at(p, at)) && !is_one_of(peek_at(p, at), " .:/-"))
				return false;
		return true;
	}
	while (at < end) {
		int c = peek_at(p, at++);

		if (c == '$' && is_word(peek_at(p, at)))
			at = skip_word(p, at);
		else if (!is_digit(c) && !is_one_of(c, " +-,."))
			return false;
	}
	return true;
}

/* Behind an interpolated variable: its name ends here (`::` and `'` would join it to another, and so would letters of
 * `use utf8`), and one simple subscript may follow. A second one, or `->`, would be a reference. */
static bool skip_subscript(const struct perl_reader *p, size_t *pos, size_t end)
{
	int c = peek_at(p, *pos);
	size_t close = *pos + 1;

	if (c >= 0x80 || starts(p, *pos, "::") || (c == '\'' && is_letter(peek_at(p, *pos + 1))))
		return false;
	if (*pos < end && (c == '[' || c == '{')) {
		while (close < end && peek_at(p, close) != (c == '[' ? ']' : '}'))
			close++;
		if (close == end || !is_simple_subscript(p, *pos + 1, close, c == '{'))
			return false;
		*pos = close + 1;
		if (*pos < end && is_one_of(peek_at(p, *pos), "[{"))
			return false;
	}
	return !starts(p, *pos, "->") || !is_one_of(peek_at(p, *pos + 2), "[{@$%&*");
}

/* Behind `$`. */
static bool skip_scalar(const struct perl_reader *p, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? peek_at(p, at) : END;

	if (c == END || (pattern && is_one_of(c, "()| \r\n\t")))
		return true; /* the end of the line, in a pattern; a syntax error in a string */
	if (c == '{') {
		at = skip_word(p, at + 1);
		if (at == *pos + 1 || at >= end || peek_at(p, at++) != '}')
			return false;
	} else if (is_letter(c)) {
		at = skip_word(p, at);
	} else if (is_digit(c)) {
		while (is_digit(peek_at(p, at)))
			at++;
	} else if (is_one_of(c, "&`+!@/,;.?()<>]|\"=%~-")) {
		at++;
	} else {
		return false;
	}
	*pos = at;
	return skip_subscript(p, pos, end);
}

/* Behind `@`. */
static bool skip_array(const struct perl_reader *p, size_t *pos, size_t end)
{
	int c = *pos < end ? peek_at(p, *pos) : END;

	if (c >= 0x80 || is_one_of(c, ":'{$+-"))
		return false;
	if (!is_word(c))
		return true;
	*pos = skip_word(p, *pos);
	return skip_subscript(p, pos, end);
}

/* Behind a backslash. `\c\` swallows the second backslash; `\N{name}` looks names up. */
static bool skip_escape(const struct perl_reader *p, size_t *pos)
{
	int c = peek_at(p, *pos), next = peek_at(p, *pos + 1);

	if ((c == 'c' && !is_letter(next)) || (c == 'N' && next == '{' && !starts(p, *pos, "N{U+")))
		return false;
	++*pos;
	return true;
}

/* Is all that this string or pattern interpolates only read? */
static bool check_interpolation(struct perl_reader *p, const struct part *part, bool pattern)
{
	size_t pos = part->at;

	if (part->escapes && !strchr("/\"'#,!%~|", part->open))
		return unknown_at(p, part->at);
	while (pos < part->end) {
		size_t at = pos++;
		int c = peek_at(p, at);
		bool known = true;

		if (pattern && ((c == '?' && peek_at(p, pos) == '{') || (c == '(' && starts(p, pos, "*{"))))
			known = false; /* (?{code}) */
		else if (part->open == '\'')
			continue;
		else if (c == '\\')
			known = skip_escape(p, &pos);
		else if (c == '$')
			known = skip_scalar(p, &pos, part->end, pattern);
		else if (c == '@')
			known = skip_array(p, &pos, part->end);
		if (!known || pos > part->end)
			return unknown_at(p, at);
	}
	return true;
}

static int closing(int open)
{
	static const char brackets[] = "()[]{}<>";
	const char *at = strchr(brackets, open);

	return at && (at - brackets) % 2 == 0 ? at[1] : open;
}

/* Up to the delimiter that closes `open`. */
static bool read_part(struct perl_reader *p, int open, struct part *ret_part)
{
	int close = closing(open);
	size_t at = p->pos, nested = 0;
	bool escapes = false;

	for (;; p->pos++) {
		int c = peek(p);

		if (c == '\\') {
			c = peek_at(p, ++p->pos);
			escapes |= c == open || c == close;
			if (c == END)
				return unknown(p);
		} else if (c == END) {
			return unknown_at(p, at);
		} else if (c == close && !nested) {
			break;
		} else if (c == close) {
			nested--;
		} else if (c == open) {
			nested++;
		}
	}
	*ret_part = (struct part){ at, p->pos, open, escapes };
	p->pos++;
	return true;
}

/* Letters right after a closing delimiter. `e`, which makes the replacement code, is in no set. */
static bool read_flags(struct perl_reader *p, const char *set)
{
	for (; is_word(peek(p)); p->pos++)
		if (!is_one_of(peek(p), set))
			return unknown(p);
	return true;
}

/* The second part of s and tr: brackets may have space between them. */
static bool read_second_part(struct perl_reader *p, const struct part *first, struct part *ret_part)
{
	int open = first->open;

	if (closing(open) != open) {
		p->pos = skip_white(p, p->pos);
		open = peek(p);
		if (!is_one_of(open, "({[</"))
			return unknown(p);
		p->pos++;
	}
	return read_part(p, open, ret_part);
}

bool zs_perl_read_quoted(struct perl_reader *p, enum perl_quote kind, int open)
{
	struct part part, second;

	after(p, EXPECT_OPERATOR, LAST_OTHER);
	if (!read_part(p, open, &part))
		return false;
	switch (kind) {
	case QUOTE_RAW:
		return true;
	case QUOTE_STRING:
		return check_interpolation(p, &part, false);
	case QUOTE_MATCH:
		return check_interpolation(p, &part, true) && read_flags(p, "msixpodualngc");
	case QUOTE_SUBST:
		return read_second_part(p, &part, &second) && check_interpolation(p, &part, true) &&
		       check_interpolation(p, &second, false) && read_flags(p, "msixpodualngcr");
	case QUOTE_TRANSLATE:
		return read_second_part(p, &part, &second) && read_flags(p, "cdsr");
	}
	return unknown(p);
}

/* The delimiter after q, s, tr …: `#` only without a space, which would make it a comment. */
bool zs_perl_read_quote_word(struct perl_reader *p, enum perl_quote kind)
{
	size_t at = skip_white(p, p->pos);
	int open = peek_at(p, at);

	/* qq'$x' interpolates, what m'$x' and s'$x'$y' do not (toke.c: KEY_qq) */
	if (!is_one_of(open, "/|,!;:~%+-.?\"'#@^({[<") || (open == '#' && at > p->pos) ||
		(kind == QUOTE_STRING && open == '\''))
		return unknown(p);
	p->pos = at + 1;
	return zs_perl_read_quoted(p, kind, open);
}
