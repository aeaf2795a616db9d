/* Tokenizes perl to let through one-line programs that only filter.
 *
 * Nobody can parse perl without running it, so this is an allow-list: a program is PLAIN when every token of it is one
 * that we know, and when it is certain where each token ends. Three rules carry that certainty:
 *
 * - Whether `/`, `?`, `<`, `%`, `&`, `*` and `{` begin a term or are operators depends on what perl expects at that
 *   point (toke.c: PL_expect). We track it; after a `}` that perl decides by guessing, such a character is UNKNOWN.
 * - Subscripts inside strings and patterns are code ("$h{system 1}"); only constants and plain variables pass.
 * - Without `use strict`, a string used as a reference names a package variable, and a program that may store through
 *   one can reach @ARGV (whose elements `<>` may run as commands), $^I and %SIG. So a program may only dereference what
 *   must be a reference: elements of containers into which it never stores anything else (see perl_references.c).
 */
#include "code/perl_reader.h"

#include <string.h>

static bool read_number(struct perl_reader *r)
{
	bool radix = peek(r) == '0' && is_one_of(peek_at(r, r->pos + 1), "xXbB");

	if (radix) {
		r->pos = skip_word(r, r->pos);
	} else {
		while (is_digit(peek(r)) || peek(r) == '_')
			r->pos++;
		if (peek(r) == '.' && peek_at(r, r->pos + 1) != '.')
			for (r->pos++; is_digit(peek(r)) || peek(r) == '_'; r->pos++)
				;
		if (is_one_of(peek(r), "eE")) {
			size_t digits = r->pos + 1 + (size_t)is_one_of(peek_at(r, r->pos + 1), "+-");
			while (is_digit(peek_at(r, digits)))
				r->pos = ++digits;
		}
	}
	/* 1.2.3 is a string, 0x1.8p1 a number, and 1x3 is read in more than one way */
	if (is_word(peek(r)) || (peek(r) == '.' && peek_at(r, r->pos + 1) != '.'))
		return unknown(r);
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

/* <$f>: a plain variable is a handle; with a blank or a subscript it would be a glob (perldoc perlop). A name in it
 * stands for that handle, of which ARGV opens the operands, as <> does. */
static bool read_handle(struct perl_reader *r)
{
	size_t at = r->pos + 2, end = skip_word(r, at);

	if (!is_letter(peek_at(r, at)) || peek_at(r, end) != '>' || zs_perl_is_special(r, at, end - at))
		return unknown(r);
	return zs_perl_finish_plain(r, end + 1);
}

/* The null file name, STDIN and a handle in a variable: `<*.c>` is a glob. */
static bool read_input(struct perl_reader *r)
{
	static const char *const inputs[] = { "<>", "<<>>", "<STDIN>" };

	for (size_t i = 0; i < COUNT(inputs); i++) {
		if (starts(r, r->pos, inputs[i]))
			return zs_perl_finish_plain(r, r->pos + strlen(inputs[i]));
	}
	return starts(r, r->pos, "<$") ? read_handle(r) : unknown(r);
}

/* Unary minus, --, and the file tests. */
static bool read_minus(struct perl_reader *r)
{
	static const struct perl_word file_test = { WORD_FUNCTION, DEFINED_OR, " -e " };
	size_t at = r->pos++, next = skip_white(r, r->pos + 1);
	int c = peek(r);

	if (c == '-') {
		r->pos++;
		after(r, EXPECT_TERM, LAST_ALIASES);
	} else if (c == '>') {
		return unknown_at(r, at);
	} else if (is_letter(c) && !is_word(peek_at(r, r->pos + 1)) && !starts(r, next, "=>")) {
		if (!is_one_of(c, "edfrwxoRWXOzslpSugktTBAMCbc"))
			return unknown_at(r, at);
		r->pos++;
		r->word = &file_test;
		after(r, EXPECT_TERM, LAST_WORD);
	} else {
		after(r, EXPECT_TERM, LAST_OTHER);
	}
	return true;
}

static bool read_open_brace(struct perl_reader *r)
{
	enum perl_scope_kind kind = SCOPE_HASH;

	if (r->expect == EXPECT_STATEMENT)
		kind = SCOPE_BARE;
	else if (word_flags(r) & PRINTS)
		return unknown(r); /* print {$handle} */
	else if (word_flags(r) & BLOCK)
		kind = SCOPE_LIST_BLOCK;
	r->pos++;
	after(r, kind == SCOPE_HASH ? EXPECT_TERM : EXPECT_STATEMENT,
		kind == SCOPE_LIST_BLOCK ? LAST_BLOCK : LAST_OTHER);
	return zs_perl_open_scope(r, kind);
}

/* `}` where perl's wrapper, `LINE: while (<>) { … }`, is the only thing open. `use strict` ends with it. */
static bool close_wrapper(struct perl_reader *r)
{
	if (r->wrapper_closed || r->nesting)
		return unknown(r);
	r->wrapper_closed = true;
	r->strict = false;
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return true;
}

static int closer(enum perl_scope_kind kind)
{
	switch (kind) {
	case SCOPE_PAREN:
	case SCOPE_FOR:
		return ')';
	case SCOPE_ARRAY:
	case SCOPE_INDEX:
		return ']';
	case SCOPE_BLOCK:
	case SCOPE_BARE:
	case SCOPE_LIST_BLOCK:
	case SCOPE_DO:
	case SCOPE_HASH:
	case SCOPE_KEY:
	case SCOPE_DEREF:
		return '}';
	case SCOPE_CODE:
		break;
	}
	return END;
}

static bool read_close(struct perl_reader *r, int c)
{
	struct perl_scope scope = *top(r);

	if (closer(scope.kind) != c)
		return unknown(r);
	if (r->depth == 1)
		return close_wrapper(r);
	r->depth--;
	r->pos++;
	switch (scope.kind) {
	case SCOPE_PAREN:
	case SCOPE_FOR:
		after(r, EXPECT_OPERATOR, LAST_CLOSE_PAREN);
		return true;
	case SCOPE_INDEX:
	case SCOPE_KEY:
		r->access = scope.access;
		return zs_perl_finish_access(r);
	case SCOPE_DEREF:
		return zs_perl_close_deref(r, &scope);
	case SCOPE_BLOCK:
		after(r, EXPECT_STATEMENT, LAST_OTHER);
		return true;
	case SCOPE_BARE:
	case SCOPE_LIST_BLOCK:
		r->doubtful = true;
		after(r, scope.kind == SCOPE_BARE ? EXPECT_STATEMENT : EXPECT_TERM, LAST_OTHER);
		return true;
	case SCOPE_DO:
	case SCOPE_HASH:
		r->doubtful = true;
		break;
	case SCOPE_ARRAY:
	case SCOPE_CODE:
		break;
	}
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

static bool read_semicolon(struct perl_reader *r)
{
	enum perl_scope_kind kind = top(r)->kind;

	if (kind == SCOPE_PAREN || kind == SCOPE_ARRAY || kind == SCOPE_INDEX || kind == SCOPE_KEY ||
		kind == SCOPE_HASH)
		return unknown(r);
	r->pos++;
	after(r, kind == SCOPE_FOR ? EXPECT_TERM : EXPECT_STATEMENT, LAST_OTHER);
	top(r)->ternaries = 0;
	return true;
}

/* `{` where perl expects an operator: a subscript, or the block of `if (…)`. */
static bool read_brace_after(struct perl_reader *r)
{
	if (r->last != LAST_CLOSE_PAREN)
		return zs_perl_read_subscript(r, false);
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return zs_perl_open_scope(r, SCOPE_BLOCK);
}

static bool read_symbol_operator(struct perl_reader *r)
{
	const struct perl_operator *operator = zs_perl_find_operator(r, r->pos);

	if (!operator || starts(r, r->pos, "~~"))
		return unknown(r);
	if (operator->text[0] == '?')
		top(r)->ternaries++;
	if (operator->text[0] == ':' && !top(r)->ternaries--)
		return unknown(r); /* an attribute: my $x :name */
	r->pos += strlen(operator->text);
	if (!strcmp(operator->text, "++") || !strcmp(operator->text, "--"))
		after(r, EXPECT_OPERATOR, LAST_VALUE);
	else
		after(r, EXPECT_TERM, operator->last);
	return true;
}

/* A word where perl expects an operator. */
static bool read_word_operator(struct perl_reader *r)
{
	size_t at = r->pos, end = skip_word(r, at);
	const struct perl_word *word = zs_perl_find_word(r, at, end - at);
	const struct perl_operator *operator = zs_perl_find_operator(r, at);

	if (peek(r) == 'x' && operator) {
		/* "-" x 3, "-" x3, $s x= 3 */
		if (starts(r, at, "x==") || starts(r, at, "x=~") || starts(r, at, "x=>"))
			return unknown(r);
		r->pos += strlen(operator->text);
		after(r, EXPECT_TERM, operator->last);
		return true;
	}
	if (!word || starts(r, end, "::") || peek_at(r, end) == '\'' || starts(r, skip_white(r, end), "=>"))
		return unknown(r);
	if (word->kind != WORD_INFIX && word->kind != WORD_CONDITION && word->kind != WORD_FOR)
		return unknown(r);
	r->pos = end;
	after(r, EXPECT_TERM, operator ? operator->last : LAST_OTHER);
	return true;
}

static bool read_after_term(struct perl_reader *r, int c)
{
	switch (c) {
	case '[':
		return zs_perl_read_subscript(r, false);
	case '{':
		return read_brace_after(r);
	case ')':
	case ']':
	case '}':
		return read_close(r, c);
	case ';':
		return read_semicolon(r);
	case '-':
		if (peek_at(r, r->pos + 1) == '>')
			return zs_perl_read_subscript(r, true);
		break;
	default:
		if (is_letter(c))
			return read_word_operator(r);
	}
	return read_symbol_operator(r);
}

/* eof ? "x" : "y". Before perl 5.22 a pattern may start here: then there must be no `?` to end it. */
static bool starts_no_pattern(const struct perl_reader *r)
{
	return !memchr(r->text + r->pos + 1, '?', r->len - r->pos - 1);
}

/* Operators after a function without arguments (length > 80), and commas. The rest begins a term there. */
static bool read_operator_after_word(struct perl_reader *r, int c)
{
	int c2 = peek_at(r, r->pos + 1);

	if (c == ',' && r->expect == EXPECT_TERM)
		return read_symbol_operator(r);
	if (r->expect != EXPECT_TERM || r->last != LAST_WORD)
		return unknown(r);
	if ((c == '&' && c2 != '&') || (c == '.' && is_digit(c2)) || (c == '?' && !starts_no_pattern(r)))
		return unknown(r);
	return read_symbol_operator(r);
}

static bool read_prefix(struct perl_reader *r, int c)
{
	bool step = c == '+' && peek_at(r, r->pos + 1) == '+';

	if (c == '!' && is_one_of(peek_at(r, r->pos + 1), "=~") && r->last == LAST_WORD)
		return read_symbol_operator(r);
	r->pos += step ? 2 : 1;
	after(r, EXPECT_TERM, step || c == '\\' ? LAST_ALIASES : LAST_OTHER);
	return true;
}

static bool read_open_list(struct perl_reader *r, int c)
{
	bool call = c == '(' && r->last == LAST_WORD;

	r->pos++;
	after(r, EXPECT_TERM, call ? LAST_CALL : LAST_OTHER);
	return zs_perl_open_scope(r, c == '(' ? SCOPE_PAREN : SCOPE_ARRAY);
}

static bool read_term(struct perl_reader *r, int c)
{
	switch (c) {
	case '$':
		return zs_perl_read_scalar(r);
	case '@':
	case '%':
		return zs_perl_read_list_variable(r);
	case '"':
	case '\'':
		r->pos++;
		return zs_perl_read_string(r, c, c == '"');
	case '`':
		return zs_perl_settle_call(r, ZS_FILTER_EXECUTES, r->pos);
	case '/':
		if (r->last == LAST_WORD && (word_flags(r) & DEFINED_OR))
			return starts(r, r->pos, "//") ? read_symbol_operator(r) : unknown(r);
		r->pos++;
		return zs_perl_read_match(r, c);
	case '<':
		return read_input(r);
	case '(':
	case '[':
		return read_open_list(r, c);
	case '{':
		return read_open_brace(r);
	case ')':
	case ']':
	case '}':
		return read_close(r, c);
	case ';':
		return read_semicolon(r);
	case '-':
		return read_minus(r);
	case '+':
	case '!':
	case '~':
	case '\\':
		return read_prefix(r, c);
	case '>':
	case '=':
	case '|':
	case '^':
	case '&':
	case '?':
	case ':':
	case ',':
		return read_operator_after_word(r, c);
	default:
		if (is_digit(c) || (c == '.' && is_digit(peek_at(r, r->pos + 1))))
			return read_number(r);
		return is_letter(c) ? zs_perl_read_word(r) : c == '.' ? read_operator_after_word(r, c) : unknown(r);
	}
}

/* After a `}` that perl decides by guessing, only what reads the same in either case passes. */
static bool is_certain(const struct perl_reader *r, int c)
{
	size_t next = r->pos + 1;
	const struct perl_word *word;

	if (c == '%' && r->expect == EXPECT_TERM && is_letter(peek_at(r, next))) {
		word = zs_perl_find_word(r, next, skip_word(r, next) - next);
		return !word && !starts(r, next, "x");
	}
	if (c == '<' && r->expect == EXPECT_TERM)
		return starts(r, r->pos, "<STDIN>") || starts(r, r->pos, "<>");
	if (c == '{')
		return r->expect == EXPECT_STATEMENT;
	if (c == '-')
		return r->expect == EXPECT_OPERATOR && peek_at(r, next) == '>';
	return !is_one_of(c, "/?<%&*[x") && !(c == '.' && is_digit(peek_at(r, next)));
}

static bool read_token(struct perl_reader *r)
{
	int c = peek(r);
	bool doubtful = r->doubtful;

	r->doubtful = false;
	if (doubtful && !is_certain(r, c))
		return unknown(r);
	return r->expect == EXPECT_OPERATOR ? read_after_term(r, c) : read_term(r, c);
}

static bool read_program(struct perl_reader *r)
{
	for (;;) {
		if (!zs_perl_skip_space(r))
			return false;
		if (peek(r) != END) {
			if (!read_token(r))
				return false;
		} else if (!r->nesting) {
			break;
		} else if (!zs_perl_leave_code(r)) {
			return false;
		}
	}
	if (r->depth != (r->wrapper_closed ? 2u : 1u) || closer(top(r)->kind) != '}')
		return unknown(r);
	return zs_perl_check_containers(r);
}

struct zs_filter zs_filter_perl(const char *program, size_t len)
{
	struct perl_reader r = { .text = program, .len = len };

	if (zs_perl_open_scope(&r, SCOPE_BLOCK) && read_program(&r))
		settle(&r, ZS_FILTER_PLAIN, 0);
	return r.found;
}
