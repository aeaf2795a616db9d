/* Perl's own tokens: variables, quotes with any delimiter, <…>, and braces by what perl takes them for.
 *
 * Subscripts in strings and patterns are code ("$h{system 1}"), so only constants and plain variables pass there. */
#include "code/perl_words.h"

static size_t skip_word(const struct code_text *p, size_t pos)
{
	while (is_word(code_at(p, pos)))
		pos++;
	return pos;
}

static size_t skip_any(const struct code_text *p, size_t pos, const char *set)
{
	while (is_one_of(code_at(p, pos), set))
		pos++;
	return pos;
}

/* Interpolation in strings and patterns */

/* The text between two delimiters of a string, a pattern or a replacement. */
struct part {
	size_t at, end;
	int open;
	bool escapes; /* holds a backslash before its delimiter: perl drops that backslash */
};

/* Behind an interpolated variable: its name ends here (`::` and `'` would join it to another, and so would letters of
 * `use utf8`), and one subscript may follow that calls nothing: 1, -1, $i, key. A second one, or `->`, would be a
 * reference. */
static bool skip_subscript(const struct code_text *p, size_t *pos, size_t end)
{
	int c = code_at(p, *pos);

	if (c >= 0x80 || code_starts(p, *pos, "::") || (c == '\'' && is_letter(code_at(p, *pos + 1))))
		return false;
	if (*pos < end && is_one_of(c, "[{")) {
		bool variable = code_at(p, *pos + 1) == '$';
		size_t at = *pos + 1 + (variable || code_at(p, *pos + 1) == '-'), close = skip_word(p, at);

		if (!variable && (c == '[' || is_digit(code_at(p, at))))
			close = skip_any(p, at, "0123456789");
		if (close == at || close >= end || code_at(p, close) != (c == '[' ? ']' : '}'))
			return false;
		*pos = close + 1;
		if (*pos < end && is_one_of(code_at(p, *pos), "[{"))
			return false;
	}
	return !code_starts(p, *pos, "->") || !is_one_of(code_at(p, *pos + 2), "[{@$%&*");
}

/* Behind `$`. */
static bool skip_scalar(const struct code_text *p, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? code_at(p, at) : END;

	if (c == END || (pattern && is_one_of(c, "()| \r\n\t")))
		return true; /* the end of the line, in a pattern; a syntax error in a string */
	if (c == '{') {
		at = skip_word(p, at + 1);
		if (at == *pos + 1 || at >= end || code_at(p, at++) != '}')
			return false;
	} else if (is_digit(c)) {
		at = skip_any(p, at, "0123456789");
	} else if (is_letter(c)) {
		at = skip_word(p, at);
	} else if (is_one_of(c, "&`+!@/,;.?()<>]|\"=%~-")) {
		at++;
	} else {
		return false;
	}
	*pos = at;
	return skip_subscript(p, pos, end);
}

/* Behind `@`. */
static bool skip_array(const struct code_text *p, size_t *pos, size_t end)
{
	int c = *pos < end ? code_at(p, *pos) : END;

	if (c >= 0x80 || is_one_of(c, ":'{$+-"))
		return false;
	if (!is_word(c))
		return true;
	*pos = skip_word(p, *pos);
	return skip_subscript(p, pos, end);
}

/* Behind a backslash. `\c\` swallows the second backslash; `\N{name}` looks names up. */
static bool skip_escape(const struct code_text *p, size_t *pos)
{
	int c = code_at(p, *pos), next = code_at(p, *pos + 1);

	++*pos;
	return !(c == 'c' && !is_letter(next)) && !(c == 'N' && next == '{' && !code_starts(p, *pos, "{U+"));
}

/* Is all that this string or pattern interpolates only read? */
static bool check_interpolation(struct code_text *p, const struct part *part, bool pattern)
{
	size_t pos = part->at;

	if (part->escapes && !strchr("/\"'#,!%~|", part->open))
		return false;
	while (pos < part->end) {
		int c = code_at(p, pos++);
		bool known = true;

		if (pattern && ((c == '?' && code_at(p, pos) == '{') || (c == '(' && code_starts(p, pos, "*{"))))
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
			return false;
	}
	return true;
}

/* Quotes */

static int closing(int open)
{
	static const char brackets[] = "()[]{}<>";
	const char *at = strchr(brackets, open);

	return at && (at - brackets) % 2 == 0 ? at[1] : open;
}

/* Up to the delimiter that closes `open`. */
static bool read_part(struct code_text *p, int open, struct part *ret_part)
{
	int close = closing(open);
	size_t at = p->pos, nested = 0;
	bool escapes = false;

	for (;; p->pos++) {
		int c = code_at(p, p->pos);

		if (c == '\\') {
			c = code_at(p, ++p->pos);
			escapes |= c == open || c == close;
		} else if (c == close && !nested) {
			break;
		} else if (c == close) {
			nested--;
		} else if (c == open) {
			nested++;
		}
		if (c == END)
			return false;
	}
	*ret_part = (struct part){ at, p->pos, open, escapes };
	p->pos++;
	return true;
}

/* The second part of s and tr: brackets may have space between them. */
static bool read_second_part(struct code_text *p, const struct part *first, struct part *ret_part)
{
	int open = first->open;

	if (closing(open) != open) {
		p->pos = skip_any(p, p->pos, " \t\n");
		open = code_at(p, p->pos++);
		if (!is_one_of(open, "({[</"))
			return false;
	}
	return read_part(p, open, ret_part);
}

/* p->pos is behind the delimiter `open`. */
static bool read_quoted(struct code_text *p, enum perl_quote kind, int open, size_t start)
{
	struct part part, second;
	bool known = read_part(p, open, &part);

	if (known && (kind == QUOTE_SUBST || kind == QUOTE_TRANSLATE))
		known = read_second_part(p, &part, &second);
	if (known && kind == QUOTE_SUBST)
		known = check_interpolation(p, &second, false);
	if (known && kind != QUOTE_RAW && kind != QUOTE_TRANSLATE)
		known = check_interpolation(p, &part, kind != QUOTE_STRING);
	/* `e`, which makes the replacement code, is in no set */
	if (kind == QUOTE_MATCH)
		p->pos = skip_any(p, p->pos, "msixpodualngc");
	if (kind == QUOTE_SUBST)
		p->pos = skip_any(p, p->pos, "msixpodualngcr");
	if (kind == QUOTE_TRANSLATE)
		p->pos = skip_any(p, p->pos, "cdsr");
	if (kind >= QUOTE_MATCH && is_word(code_at(p, p->pos)))
		return false;
	return known && zs_code_push(p, kind >= QUOTE_MATCH ? CODE_REGEX : CODE_STRING, start);
}

/* The delimiter after q, s, tr …: `#` only without a space, which would make it a comment. */
static bool read_quote_word(struct code_text *p, enum perl_quote kind, size_t end)
{
	size_t start = p->pos, at = skip_any(p, end, " \t\n");
	int open = code_at(p, at);

	/* qq'$x' interpolates, what m'$x' and s'$x'$y' do not (toke.c: KEY_qq) */
	if (!is_one_of(open, "/|,!;:~%+-.?\"'#@^({[<") || (open == '#' && at > end) ||
		(kind == QUOTE_STRING && open == '\''))
		return false;
	p->pos = at + 1;
	return read_quoted(p, kind, open, start);
}

/* Other tokens */

/* $h{key}, $h{-key}: does the token from p->pos to `end` stand alone in these braces? */
static bool is_key(const struct code_text *p, size_t end)
{
	const struct code_token *last = &p->tokens[p->count - 1];

	return last->mark == MARK_SUBSCRIPT && skip_any(p, last->start + 1, " \t") == p->pos &&
	       code_at(p, skip_any(p, end, " \t")) == '}';
}

/* print $fh /x/, sort $by @x: perl guesses by the space whether $fh is a file handle, or $by a function. */
static bool is_handle_guessed(const struct code_text *p)
{
	size_t pos = skip_any(p, p->pos, " \t\n");
	int c = code_at(p, pos), next = code_at(p, pos + 1);

	return (pos > p->pos || c == '#') && (zs_perl_argument_of(p, p->count - (size_t)1) & (PRINTS | BLOCK)) &&
	       (is_one_of(c, "[{#") || (is_one_of(c, "&*<%.") && is_word(next)) ||
		       (is_one_of(c, "?-+/<") && !is_one_of(next, " \t\n=")));
}

/* $x, $#x, ${x}, $& */
static bool read_scalar(struct code_text *p)
{
	size_t start = p->pos, at = start + 1;
	int c = code_at(p, at), next = code_at(p, at + 1);

	if (is_digit(c))
		p->pos = skip_any(p, at, "0123456789");
	else if (is_letter(c))
		p->pos = skip_word(p, at);
	else if (c == '{' && skip_word(p, at + 1) > at + 1 && code_at(p, skip_word(p, at + 1)) == '}')
		p->pos = skip_word(p, at + 1) + 1;
	else if (c == '#' && is_letter(next))
		p->pos = skip_word(p, at + 1);
	else if (c == '^' && is_one_of(next, "WTVOXNRS") && !is_word(code_at(p, at + 2)))
		p->pos = at + 2;
	else if ((c == '$' && !is_word(next) && !is_one_of(next, "${")) || is_one_of(c, "&`+!@/\\,;.|\"-]?") ||
		 (c == '\'' && !is_letter(next)))
		p->pos = at + 1;
	if (p->pos == start || code_starts(p, p->pos, "::") || (is_word(c) && code_at(p, p->pos) == '\''))
		return false;
	return zs_code_push(p, CODE_NAME, start) && !is_handle_guessed(p);
}

/* A word where perl expects an operator. */
static bool read_word_operator(struct code_text *p, size_t end)
{
	size_t start = p->pos, next = skip_any(p, end, " \t\n");

	if (code_at(p, start) == 'x' && !is_letter(code_at(p, start + 1))) {
		/* "-" x 3, "-" x3, $s x= 3 */
		if (code_starts(p, start, "x==") || code_starts(p, start, "x=~") || code_starts(p, start, "x=>"))
			return false;
		p->pos += code_starts(p, start, "x=") ? 2 : 1;
		return zs_code_push(p, CODE_SIGN, start);
	}
	p->pos = end;
	return !code_starts(p, end, "::") && code_at(p, end) != '\'' && !code_starts(p, next, "=>") &&
	       zs_code_push(p, CODE_NAME, start);
}

static bool read_word(struct code_text *p)
{
	size_t start = p->pos, end = skip_word(p, start), next = skip_any(p, end, " \t"), last = p->count - (size_t)1;
	const struct perl_word *word = zs_perl_word(p->text + start, end - start);

	if (zs_perl_word_at(p, last)->kind == WORD_USE) {
		while (is_word(code_at(p, p->pos)) || is_one_of(code_at(p, p->pos), ":."))
			p->pos++;
		return zs_code_push(p, CODE_NAME, start);
	}
	if (is_key(p, end) || (p->expect == EXPECT_OPERAND && code_starts(p, next, "=>"))) {
		p->pos = end;
		return zs_code_push(p, CODE_STRING, start);
	}
	if (p->expect == EXPECT_OPERATOR)
		return read_word_operator(p, end);
	if (code_starts(p, end, "::"))
		return false;
	if (word->kind == WORD_QUOTE)
		return read_quote_word(p, (enum perl_quote)word->flags, end);
	p->pos = end;
	return code_at(p, end) != '\'' && zs_code_push(p, CODE_NAME, start);
}

/* <> and <STDIN>; all else may be a glob, or another handle (perldoc perlop). */
static bool read_input(struct code_text *p)
{
	size_t start = p->pos;

	p->pos += code_starts(p, start, "<>") ? 2 : 7;
	return (code_starts(p, start, "<>") || code_starts(p, start, "<STDIN>")) &&
	       zs_code_push(p, CODE_STRING, start) && !is_handle_guessed(p);
}

/* Which brace it is depends on what stands in front of it. */
static bool read_brace(struct code_text *p)
{
	size_t start = p->pos++, last = p->count - (size_t)1;
	const struct perl_word *word = zs_perl_word_at(p, last);
	uint8_t mark = 0;

	if (zs_perl_has_elements(p, last))
		mark = MARK_SUBSCRIPT;
	else if (zs_code_is(p, last, ")") || word->kind == WORD_HEAD)
		mark = MARK_BLOCK;
	else if (p->expect == EXPECT_OPERAND && zs_perl_leads(p, p->count))
		mark = MARK_BARE;
	else if (word->kind == WORD_DO || word->kind == WORD_EXECUTES)
		mark = MARK_DO;
	else if (p->expect == EXPECT_OPERAND && (zs_perl_argument_of(p, p->count) & BLOCK))
		mark = MARK_LIST;
	p->mark = mark;
	return mark && zs_code_open(p, (struct code_scope){ .kind = SCOPE_BRACKET }, CODE_OPEN, start);
}

/* -key in a subscript; a letter alone would be a file test. */
static bool read_minus(struct code_text *p, bool *ret_read)
{
	size_t start = p->pos, end = skip_word(p, start + 1);

	*ret_read = is_letter(code_at(p, start + 1)) && is_key(p, end);
	if (!*ret_read)
		return end != start + 2 || !is_letter(code_at(p, start + 1));
	p->pos = end;
	return zs_code_push(p, CODE_STRING, start);
}

/* Is the token the last one of for, for $x, for my $x at the beginning of a statement? */
static bool is_for_head(const struct code_text *p, size_t token)
{
	token -= code_kind(p, token) == CODE_NAME && is_one_of(code_sigil(p, token), "$@%");
	token -= zs_perl_word_at(p, token)->kind == WORD_DECLARE;
	return zs_perl_word_at(p, token)->kind == WORD_FOR && zs_perl_leads(p, token);
}

/* After a `}` that perl decides by guessing, only what reads the same in either case passes. */
static bool is_certain(const struct code_text *p)
{
	size_t last = p->count - (size_t)1;
	uint8_t mark = zs_code_is(p, last, "}") ? p->tokens[code_mate(p, last)].mark : 0;
	int c = code_at(p, p->pos);

	if (mark != MARK_BARE && mark != MARK_LIST && mark != MARK_DO)
		return true;
	if (mark == MARK_LIST && c == '<')
		return code_starts(p, p->pos, "<STDIN>") || code_starts(p, p->pos, "<>");
	return !is_one_of(c, "/?<%&*[x-") && !(c == '.' && is_digit(code_at(p, p->pos + 1))) &&
	       (c != '{' || mark == MARK_BARE);
}

bool zs_perl_read_own(struct code_text *p, bool *ret_read)
{
	size_t start = p->pos, last = p->count - (size_t)1;
	int c = code_at(p, start), next = code_at(p, start + 1);
	bool operand = p->expect == EXPECT_OPERAND;

	*ret_read = true;
	/* `=word` at the start of a line is documentation */
	if (!is_certain(p) || (c == '=' && is_letter(next) && (!start || p->text[start - 1] == '\n')))
		return false;
	if (c == '`') {
		p->found.effect = ZS_FILTER_EXECUTES;
		return false;
	}
	if (c == '"' || c == '\'') {
		p->pos++;
		return read_quoted(p, c == '"' ? QUOTE_STRING : QUOTE_RAW, c, start);
	}
	if (c == '$')
		return read_scalar(p);
	if (is_letter(c))
		return read_word(p);
	if (c == '{')
		return read_brace(p);
	if (c == ';' && p->depth && !zs_perl_is_block(p, p->scopes[p->depth - 1].token))
		return false; /* for (;;) */
	if (c == '.' && !operand && code_kind(p, last) == CODE_NUMBER && next != '.' && is_word(p->text[start - 1]))
		return false; /* 1.2.3 is a string, and 0x1.8p1 a number */
	if (operand && c == '/') {
		p->pos++;
		return !(zs_perl_word_at(p, last)->flags & DEFINED_OR) && read_quoted(p, QUOTE_MATCH, '/', start);
	}
	if (operand && c == '<')
		return read_input(p);
	if (operand && is_one_of(c, "@%")) {
		p->pos = skip_word(p, start + 1);
		return is_letter(next) && code_at(p, p->pos) != '\'' && !code_starts(p, p->pos, "::") &&
		       zs_code_push(p, CODE_NAME, start);
	}
	if (operand && c == '-')
		return read_minus(p, ret_read);
	*ret_read = false;
	/* eof ? "x" : "y": before perl 5.22 a pattern may start here, if there is another `?` to end it */
	return !operand || (!(c == '&' && next != '&') && c != '*' &&
				   !(c == '?' && memchr(p->text + start + 1, '?', p->len - start - 1)));
}

enum code_expect zs_perl_expect(const struct code_text *p)
{
	size_t last = p->count - (size_t)1;
	enum code_kind kind = code_kind(p, last);
	bool operand = kind == CODE_OPEN || kind == CODE_END || kind == CODE_SIGN;

	if (zs_code_in(p, last, "++ --"))
		return (enum code_expect)p->tokens[last].expect;
	if (kind == CODE_NAME && is_one_of(code_sigil(p, last), "$@%"))
		operand = is_for_head(p, last);
	else if (kind == CODE_NAME)
		operand = zs_perl_word_at(p, last)->kind != WORD_CONSTANT;
	else if (kind == CODE_CLOSE)
		operand = p->tokens[code_mate(p, last)].mark >= MARK_BLOCK &&
			  p->tokens[code_mate(p, last)].mark <= MARK_LIST;
	return operand ? EXPECT_OPERAND : EXPECT_OPERATOR;
}
