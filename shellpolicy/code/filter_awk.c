/* Tokenizes awk (POSIX, gawk, mawk, the one true awk) to find redirections, pipes and system().
 *
 * Only `>`, `|`, `@` and the name `system` let an awk program act, so no parser is needed: only a tokenizer that knows
 * for certain what is text. Where awks disagree on that (a `/` in a bracket expression; a `/` after `if (x)`), the rest
 * of the program must not act in any reading, that is, hold none of those at all.
 */
#include "code/filter.h"

#include "code/filter_text.h"

#include <string.h>

enum { DEPTH_LIMIT = 128 };

enum awk_token {
	TOKEN_START, /* the program begins, or a statement does */
	TOKEN_OPERAND,
	TOKEN_STRING,
	TOKEN_CLOSE,           /* `)` or `]` that ends an operand */
	TOKEN_CLOSE_CONDITION, /* `)` of `if (…)`: a statement follows */
	TOKEN_DOUBTFUL,        /* ends an operand, but awks read a `/` after it differently: ++ -- getline length */
	TOKEN_OPERATOR,
	TOKEN_WORD,      /* a keyword that an expression may follow in every awk */
	TOKEN_LONE_WORD, /* a keyword that awks treat differently, or that no expression follows */
	TOKEN_CONDITION, /* if, while, for, switch */
	TOKEN_PRINT,
	TOKEN_SYSTEM,
};

enum awk_scope { SCOPE_PAREN, SCOPE_CONDITION, SCOPE_BRACKET, SCOPE_BRACE };

struct awk_reader {
	const char *text;
	size_t len;
	size_t pos;
	enum awk_token last;
	bool printing;      /* in a print statement, whose scope is print_depth */
	bool settled_plain; /* what is left cannot act: stop reading */
	size_t print_depth;
	size_t depth;
	enum awk_scope scopes[DEPTH_LIMIT];
	struct zs_filter found; /* set by settle(), read when a reading function returned false */
};

static const struct {
	enum awk_token token;
	const char *names;
} keywords[] = {
	{ TOKEN_LONE_WORD,
		"BEGIN BEGINFILE END ENDFILE break case continue default delete func function next nextfile" },
	{ TOKEN_WORD, "do else exit in return" },
	{ TOKEN_CONDITION, "for if switch while" },
	{ TOKEN_DOUBTFUL, "getline length" },
	{ TOKEN_PRINT, "print printf" },
	{ TOKEN_SYSTEM, "system" },
};

/* Whatever lets a program act; "/inet" is the directory of gawk's sockets. */
static const char *const acts[] = { ">", "|", "@", "system", "/inet" };

static int peek_at(const struct awk_reader *r, size_t pos)
{
	return pos < r->len ? (unsigned char)r->text[pos] : END;
}

static int filter_awk_peek(const struct awk_reader *r)
{
	return peek_at(r, r->pos);
}

static bool settle(struct awk_reader *r, enum zs_filter_effect effect, size_t at)
{
	r->found = (struct zs_filter){ .effect = effect, .at = at };
	return false;
}

static bool filter_awk_unknown(struct awk_reader *r)
{
	return settle(r, ZS_FILTER_UNKNOWN, r->pos);
}

static bool filter_awk_holds(const char *text, size_t len, const char *word)
{
	size_t word_len = strlen(word);

	for (size_t i = 0; i + word_len <= len; i++)
		if (!memcmp(text + i, word, word_len))
			return true;
	return false;
}

static bool cannot_act(const struct awk_reader *r, size_t from)
{
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		if (filter_awk_holds(r->text + from, r->len - from, acts[i]))
			return false;
	return true;
}

/* From here on awks read the program differently. */
static bool read_ambiguous(struct awk_reader *r, size_t from)
{
	if (!cannot_act(r, from))
		return settle(r, ZS_FILTER_UNKNOWN, from);
	r->settled_plain = true;
	return true;
}

static bool filter_awk_ends_operand(enum awk_token token)
{
	return token == TOKEN_OPERAND || token == TOKEN_STRING || token == TOKEN_CLOSE || token == TOKEN_DOUBTFUL;
}

static void filter_awk_skip_blanks(struct awk_reader *r)
{
	for (;;) {
		if (is_one_of(filter_awk_peek(r), " \t"))
			r->pos++;
		else if (filter_awk_peek(r) == '\\' && peek_at(r, r->pos + 1) == '\n')
			r->pos += 2;
		else
			return;
	}
}

/* Is nothing left of this statement? */
static bool at_statement_end(struct awk_reader *r)
{
	filter_awk_skip_blanks(r);
	return filter_awk_peek(r) == END || is_one_of(filter_awk_peek(r), ";\n}#");
}

static bool filter_awk_read_string(struct awk_reader *r)
{
	size_t at = r->pos++;

	while (filter_awk_peek(r) != '"') {
		if (filter_awk_peek(r) == '\\')
			r->pos++;
		if (filter_awk_peek(r) == END || filter_awk_peek(r) == '\n')
			return filter_awk_unknown(r);
		r->pos++;
	}
	r->pos++;
	if (filter_awk_holds(r->text + at, r->pos - at, "/inet"))
		return settle(r, ZS_FILTER_UNKNOWN, at);
	r->last = TOKEN_STRING;
	return true;
}

/* A `/` inside a bracket expression ends the regex for some awks. `open` counts the brackets that may be open in any
 * of their readings: gawk counts `[:` twice, and a `]` that comes first or ends a class closes nothing. */
static bool read_regex(struct awk_reader *r)
{
	size_t at = r->pos++, open = 0;

	for (;; r->pos++) {
		bool escaped = filter_awk_peek(r) == '\\';
		int c = escaped ? peek_at(r, ++r->pos) : filter_awk_peek(r);

		if (c == END || c == '\n')
			return filter_awk_unknown(r);
		if (escaped)
			continue;
		if (c == '/' && open)
			return read_ambiguous(r, at);
		if (c == '/')
			break;
		if (c == '[' && !open) {
			open++;
			if (peek_at(r, r->pos + 1) == '^')
				r->pos++;
			if (peek_at(r, r->pos + 1) == ']')
				r->pos++;
		} else if (c == '[' && is_one_of(peek_at(r, r->pos + 1), ":.=")) {
			open++;
		} else if (c == ']' && open && !is_one_of(peek_at(r, r->pos - 1), ":.=")) {
			open--;
		}
	}
	r->pos++;
	r->last = TOKEN_OPERAND;
	return true;
}

static bool read_slash(struct awk_reader *r)
{
	switch (r->last) {
	case TOKEN_OPERAND:
	case TOKEN_STRING:
	case TOKEN_CLOSE:
		r->last = TOKEN_OPERATOR;
		r->pos++;
		return true;
	case TOKEN_START:
	case TOKEN_OPERATOR:
	case TOKEN_WORD:
	case TOKEN_PRINT:
		return read_regex(r);
	case TOKEN_CLOSE_CONDITION:
	case TOKEN_DOUBTFUL:
	case TOKEN_LONE_WORD:
		return read_ambiguous(r, r->pos);
	case TOKEN_CONDITION:
	case TOKEN_SYSTEM:
		break;
	}
	return filter_awk_unknown(r);
}

static bool filter_awk_read_number(struct awk_reader *r)
{
	size_t at = r->pos, exponent;

	if (filter_awk_peek(r) == '0' && is_one_of(peek_at(r, at + 1), "xX"))
		for (r->pos += 2; is_one_of(filter_awk_peek(r), "0123456789abcdefABCDEF"); r->pos++)
			;
	while (is_digit(filter_awk_peek(r)) || filter_awk_peek(r) == '.')
		r->pos++;
	exponent = r->pos;
	if (is_one_of(filter_awk_peek(r), "eE")) {
		exponent++;
		if (is_one_of(peek_at(r, exponent), "+-"))
			exponent++;
		while (is_digit(peek_at(r, exponent)))
			r->pos = ++exponent;
	}
	if (is_word(filter_awk_peek(r)))
		return filter_awk_unknown(r); /* 0xasystem: mawk reads a number and then a name */
	r->last = TOKEN_OPERAND;
	return true;
}

static enum awk_token find_keyword(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (zs_code_listed(name, len, keywords[i].names))
			return keywords[i].token;
	return TOKEN_OPERAND;
}

static bool filter_awk_read_word(struct awk_reader *r)
{
	size_t at = r->pos;
	enum awk_token token;

	while (is_word(filter_awk_peek(r)))
		r->pos++;
	token = find_keyword(r->text + at, r->pos - at);
	if (token == TOKEN_SYSTEM)
		return settle(r, ZS_FILTER_EXECUTES, at);
	if (token == TOKEN_PRINT) {
		if (r->printing || (r->depth && r->scopes[r->depth - 1] != SCOPE_BRACE))
			return filter_awk_unknown(r);
		r->printing = true;
		r->print_depth = r->depth;
	}
	r->last = token;
	return true;
}

static bool read_open(struct awk_reader *r, enum awk_scope scope)
{
	if (r->depth == DEPTH_LIMIT || (scope == SCOPE_BRACE && r->printing))
		return filter_awk_unknown(r);
	r->scopes[r->depth++] = scope;
	r->last = scope == SCOPE_BRACE ? TOKEN_START : TOKEN_OPERATOR;
	r->pos++;
	return true;
}

static bool filter_awk_read_close(struct awk_reader *r, int c)
{
	enum awk_scope scope;

	if (!r->depth || (r->printing && r->depth == r->print_depth && c != '}'))
		return filter_awk_unknown(r);
	scope = r->scopes[--r->depth];
	if ((c == '}') != (scope == SCOPE_BRACE) || (c == ']') != (scope == SCOPE_BRACKET))
		return filter_awk_unknown(r);
	if (c == '}') {
		r->printing = false;
		r->last = TOKEN_START;
	} else {
		r->last = scope == SCOPE_CONDITION ? TOKEN_CLOSE_CONDITION : TOKEN_CLOSE;
	}
	r->pos++;
	return true;
}

/* `;` or a newline. A newline after an operator or a comma continues the statement. */
static bool read_separator(struct awk_reader *r, int c)
{
	bool in_condition = r->depth && r->scopes[r->depth - 1] == SCOPE_CONDITION;

	if (c == ';' && r->printing && r->depth != r->print_depth)
		return filter_awk_unknown(r);
	if (c == ';' || r->last != TOKEN_OPERATOR) {
		if (r->depth == r->print_depth)
			r->printing = false;
		r->last = in_condition ? TOKEN_OPERATOR : TOKEN_START;
	}
	r->pos++;
	return true;
}

/* After the `>` or `>>` of print: the literal that is the whole rest of the statement. */
static bool read_target(struct awk_reader *r, size_t at)
{
	size_t start, end;

	filter_awk_skip_blanks(r);
	settle(r, ZS_FILTER_WRITES, at);
	start = end = r->pos + 1;
	if (filter_awk_peek(r) != '"')
		return false;
	for (; peek_at(r, end) != '"'; end++)
		if (peek_at(r, end) == END || peek_at(r, end) == '\\')
			return false;
	r->pos = end + 1;
	if (!at_statement_end(r))
		return false;
	if (zs_filter_is_harmless_file(r->text + start, end - start)) {
		r->last = TOKEN_STRING;
		return true;
	}
	r->found.object = r->text + start;
	r->found.object_len = end - start;
	return false;
}

static bool read_greater(struct awk_reader *r)
{
	size_t at = r->pos++;
	bool redirects = r->printing && r->depth == r->print_depth;

	if (filter_awk_peek(r) == '>') {
		r->pos++;
		return redirects ? read_target(r, at) : settle(r, ZS_FILTER_UNKNOWN, at);
	}
	if (filter_awk_peek(r) == '=')
		r->pos++;
	else if (redirects)
		return read_target(r, at);
	if (!filter_awk_ends_operand(r->last))
		return settle(r, ZS_FILTER_UNKNOWN, at);
	r->last = TOKEN_OPERATOR;
	return true;
}

/* `||`, print | "command", "command" | getline, |& */
static bool read_bar(struct awk_reader *r)
{
	if (peek_at(r, r->pos + 1) != '|')
		return settle(r, ZS_FILTER_EXECUTES, r->pos);
	r->pos += 2;
	r->last = TOKEN_OPERATOR;
	return true;
}

/* `@/re/` is a regex constant; @load, @include, @namespace and @function() are not read. */
static bool read_at(struct awk_reader *r)
{
	if (peek_at(r, r->pos + 1) != '/' || filter_awk_ends_operand(r->last))
		return filter_awk_unknown(r);
	r->pos++;
	return read_regex(r);
}

static bool read_operator(struct awk_reader *r, int c)
{
	size_t at = r->pos++;
	enum awk_token token = TOKEN_OPERATOR;

	if (c == '&' && filter_awk_peek(r) == '&') {
		r->pos++;
	} else if (is_one_of(c, "+-") && filter_awk_peek(r) == c) {
		r->pos++;
		token = TOKEN_DOUBTFUL;
	} else if (c == ':' && filter_awk_peek(r) == ':') {
		return filter_awk_unknown(r); /* gawk's namespaces */
	} else if (!is_one_of(c, "$+-*%^=<!~?:,")) {
		return settle(r, ZS_FILTER_UNKNOWN, at);
	}
	r->last = token;
	return true;
}

static bool read_token(struct awk_reader *r)
{
	int c = filter_awk_peek(r);

	switch (c) {
	case '"':
		return filter_awk_read_string(r);
	case '/':
		return read_slash(r);
	case '(':
		return read_open(r, r->last == TOKEN_CONDITION ? SCOPE_CONDITION : SCOPE_PAREN);
	case '[':
		return read_open(r, SCOPE_BRACKET);
	case '{':
		return read_open(r, SCOPE_BRACE);
	case ')':
	case ']':
	case '}':
		return filter_awk_read_close(r, c);
	case ';':
	case '\n':
		return read_separator(r, c);
	case '>':
		return read_greater(r);
	case '|':
		return read_bar(r);
	case '@':
		return read_at(r);
	case '#':
		while (filter_awk_peek(r) != END && filter_awk_peek(r) != '\n')
			r->pos++;
		return true;
	default:
		if (is_digit(c) || (c == '.' && is_digit(peek_at(r, r->pos + 1))))
			return filter_awk_read_number(r);
		return is_word(c) ? filter_awk_read_word(r) : read_operator(r, c);
	}
}

struct zs_filter zs_filter_awk(const char *program, size_t len)
{
	struct awk_reader r = { .text = program, .len = len };

	for (;;) {
		filter_awk_skip_blanks(&r);
		if (r.settled_plain || filter_awk_peek(&r) == END)
			break;
		if (!read_token(&r))
			return r.found;
	}
	if (r.depth && !r.settled_plain)
		filter_awk_unknown(&r);
	else
		settle(&r, ZS_FILTER_PLAIN, 0);
	return r.found;
}
