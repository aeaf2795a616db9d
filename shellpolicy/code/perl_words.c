/* Words: functions, declarations, file handles, control. */
#include "code/perl_reader.h"

#include <string.h>

/* Where the first argument of a call begins: print X, print(X). */
static size_t skip_paren(const struct perl_reader *r, bool *ret_paren)
{
	size_t at = skip_white(r, r->pos);

	*ret_paren = peek_at(r, at) == '(';
	return *ret_paren ? skip_white(r, at + 1) : at;
}

/* For the report: the only argument, when it is a literal that needs no unquoting. */
static void find_literal(struct perl_reader *r)
{
	bool paren;
	size_t at = skip_paren(r, &paren), end;
	int quote = peek_at(r, at);

	if (!is_one_of(quote, "'\"`"))
		return;
	for (end = ++at; peek_at(r, end) != quote; end++)
		if (peek_at(r, end) == END || is_one_of(peek_at(r, end), quote == '\'' ? "\\" : "\\$@"))
			return;
	r->pos = skip_white(r, end + 1);
	if (peek(r) != END && !is_one_of(peek(r), ");}"))
		return;
	r->found.object = r->text + at;
	r->found.object_len = end - at;
}

bool zs_perl_settle_call(struct perl_reader *r, enum zs_filter_effect effect, size_t at)
{
	settle(r, effect, at);
	find_literal(r);
	return false;
}

/* For the report: what the first literal after `open` says about the mode. Reading is not understood. */
static bool settle_open(struct perl_reader *r, size_t at)
{
	size_t quote = r->pos;
	int mode;

	while (peek_at(r, quote) != END && !is_one_of(peek_at(r, quote), "'\";"))
		quote++;
	mode = peek_at(r, skip_white(r, quote + 1));
	if (mode == '|')
		return settle(r, ZS_FILTER_EXECUTES, at);
	return settle(r, is_one_of(mode, ">+") ? ZS_FILTER_WRITES : ZS_FILTER_UNKNOWN, at);
}

/* `use VERSION`, `use MODULE LIST`. */
static bool read_use(struct perl_reader *r)
{
	size_t at = skip_blanks(r, r->pos), end = at;

	while (is_word(peek_at(r, end)) || is_one_of(peek_at(r, end), ":."))
		end++;
	r->pos = end;
	if (is_digit(peek_at(r, at)) || (peek_at(r, at) == 'v' && is_digit(peek_at(r, at + 1)))) {
		after(r, EXPECT_OPERATOR, LAST_VALUE);
		return true;
	}
	if (!zs_perl_is_module(r, at, end - at))
		return unknown_at(r, at);
	after(r, EXPECT_TERM, LAST_OTHER);
	if (is_text(r, at, end - at, "strict") && r->depth == 1 && peek_at(r, skip_blanks(r, end)) == ';')
		r->strict = true;
	return true;
}

/* for (…), for my $x (…); elsewhere a modifier. */
static bool read_for(struct perl_reader *r)
{
	size_t at = skip_white(r, r->pos), end = skip_word(r, at);

	if (r->expect != EXPECT_STATEMENT) {
		after(r, EXPECT_TERM, LAST_OTHER);
		return true;
	}
	if (is_text(r, at, end - at, "my") || is_text(r, at, end - at, "our")) {
		at = skip_white(r, end);
		if (peek_at(r, at) != '$')
			return unknown_at(r, at);
	}
	if (peek_at(r, at) == '$') {
		end = skip_word(r, at + 1);
		if (!is_letter(peek_at(r, at + 1)) || zs_perl_is_special(r, at + 1, end - at - 1))
			return unknown_at(r, at);
		at = skip_white(r, end);
	}
	if (peek_at(r, at) != '(')
		return unknown_at(r, at);
	r->pos = at + 1;
	after(r, EXPECT_TERM, LAST_OTHER);
	return zs_perl_open_scope(r, SCOPE_FOR);
}

/* A word after which `{` must follow. */
static bool read_head(struct perl_reader *r, enum perl_scope_kind kind)
{
	if (!zs_perl_skip_space(r))
		return false;
	if (peek(r) != '{')
		return unknown(r);
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return zs_perl_open_scope(r, kind);
}

static bool is_handle(const struct perl_reader *r, size_t at, size_t len, bool output)
{
	static const char *const handles[] = { "STDOUT", "STDERR", "STDIN", "ARGV" };

	return is_listed(r, at, len, handles, output ? 2 : COUNT(handles));
}

/* The call's arguments end at `at`. */
static bool finish_call(struct perl_reader *r, size_t at, bool paren)
{
	if (paren && peek_at(r, at++) != ')')
		return unknown_at(r, at);
	r->pos = at;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

/* print STDERR …, print(STDERR …) */
static bool read_output_handle(struct perl_reader *r)
{
	bool paren;
	size_t at = skip_paren(r, &paren), end;
	int c;

	end = skip_word(r, at);
	if (!is_handle(r, at, end - at, true))
		return true;
	r->pos = skip_blanks(r, end);
	c = peek(r);
	if (c != END && !is_word(c) && !is_one_of(c, "\"'$@;)}\n") && !(c == '(' && r->pos > end))
		return unknown(r);
	if (c == 'x' || (is_word(c) && r->pos == end))
		return unknown(r);
	after(r, EXPECT_TERM, LAST_OTHER);
	return !paren || zs_perl_open_scope(r, SCOPE_PAREN);
}

/* eof, eof(), eof(ARGV), close ARGV */
static bool read_on_handle(struct perl_reader *r)
{
	bool paren;
	size_t at = skip_paren(r, &paren), end;

	end = skip_word(r, at);
	if (is_handle(r, at, end - at, false))
		at = skip_white(r, end);
	else if (!paren)
		return true;
	return finish_call(r, at, paren);
}

/* binmode(STDOUT, ":utf8"): a literal layer, since :via(Module) loads and runs code. */
static bool read_binmode(struct perl_reader *r)
{
	static const char *const layers[] = { ":utf8", ":encoding(UTF-8)", ":encoding(utf-8)", ":encoding(utf8)",
		":raw" };
	bool paren;
	size_t at = skip_paren(r, &paren), end;
	int quote;

	end = skip_word(r, at);
	if (!is_handle(r, at, end - at, false))
		return unknown_at(r, at);
	at = skip_white(r, end);
	if (peek_at(r, at) == ',') {
		at = skip_white(r, at + 1);
		quote = peek_at(r, at++);
		for (end = at; peek_at(r, end) != quote && peek_at(r, end) != END; end++)
			;
		if (!is_one_of(quote, "'\"") || !is_listed(r, at, end - at, layers, COUNT(layers)))
			return unknown_at(r, at);
		at = skip_white(r, end + 1);
	}
	return finish_call(r, at, paren);
}

static bool read_function(struct perl_reader *r)
{
	size_t next = skip_white(r, r->pos);
	int c = peek_at(r, next);

	after(r, EXPECT_TERM, LAST_WORD);
	if (r->word->flags & IMPORTED) {
		const struct perl_word *argument = zs_perl_find_word(r, next, skip_word(r, next) - next);
		if (c == '{' ? !(r->word->flags & BLOCK) : !is_word(c) && c != END && !is_one_of(c, "($@\"';}),"))
			return unknown_at(r, next);
		if ((argument && zs_perl_is_quote_word(argument)) || is_one_of(c, "x_"))
			return unknown_at(r, next);
	}
	return r->word->flags & PRINTS ? read_output_handle(r) : true;
}

static bool read_declare(struct perl_reader *r)
{
	if (!is_one_of(peek_at(r, skip_white(r, r->pos)), r->word->flags & READS ? "$@%(" : "$@("))
		return unknown(r);
	after(r, EXPECT_TERM, LAST_WORD);
	return true;
}

static bool read_jump(struct perl_reader *r)
{
	size_t at = skip_blanks(r, r->pos), end = at;

	while (peek_at(r, end) >= 'A' && peek_at(r, end) <= 'Z')
		end++;
	if (end > at && is_word(peek_at(r, end)))
		return unknown_at(r, at);
	r->pos = end;
	if (end > at)
		after(r, EXPECT_OPERATOR, LAST_VALUE);
	else
		after(r, EXPECT_TERM, LAST_WORD);
	return true;
}

static bool read_known_word(struct perl_reader *r, const struct perl_word *word, size_t at)
{
	bool leads = r->expect == EXPECT_STATEMENT;
	bool may_follow = leads || r->last == LAST_WORD; /* print if … */

	if (word->kind != WORD_INFIX)
		r->word = word;
	switch (word->kind) {
	case WORD_FUNCTION:
		return read_function(r);
	case WORD_CONSTANT:
		if (starts(r, r->pos, "()"))
			r->pos += 2;
		after(r, EXPECT_OPERATOR, LAST_VALUE);
		return true;
	case WORD_CONDITION:
		if (!may_follow || (leads && peek_at(r, skip_white(r, r->pos)) != '('))
			return unknown_at(r, at);
		after(r, EXPECT_TERM, LAST_OTHER);
		return true;
	case WORD_INFIX:
		if (leads || !may_follow)
			return unknown_at(r, at);
		after(r, EXPECT_TERM, LAST_OTHER);
		return true;
	case WORD_FOR:
		return may_follow ? read_for(r) : unknown_at(r, at);
	case WORD_HEAD:
		return leads ? read_head(r, SCOPE_BLOCK) : unknown_at(r, at);
	case WORD_DO:
		return read_head(r, SCOPE_DO);
	case WORD_JUMP:
		return read_jump(r);
	case WORD_DECLARE:
		return read_declare(r);
	case WORD_RAW:
	case WORD_STRING:
	case WORD_MATCH:
	case WORD_SUBST:
	case WORD_TRANSLATE:
		return zs_perl_read_quote_word(r, word->kind);
	case WORD_USE:
		return leads ? read_use(r) : unknown_at(r, at);
	case WORD_ON_HANDLE:
		after(r, EXPECT_TERM, LAST_WORD);
		return read_on_handle(r);
	case WORD_BINMODE:
		return read_binmode(r);
	case WORD_EXECUTES:
		return zs_perl_settle_call(r, ZS_FILTER_EXECUTES, at);
	case WORD_WRITES:
		return zs_perl_settle_call(r, ZS_FILTER_WRITES, at);
	case WORD_OPEN:
		return settle_open(r, at);
	}
	return unknown_at(r, at);
}

/* A string between quotes of one kind that interpolates nothing; returns what stands behind it, or 0. */
static size_t skip_literal(const struct perl_reader *r, size_t at)
{
	int quote = peek_at(r, at);
	size_t end = at + 1;

	if (quote != '"' && quote != '\'')
		return 0;
	while (peek_at(r, end) != END && !is_one_of(peek_at(r, end), "$@\\\n") && peek_at(r, end) != quote)
		end++;
	return peek_at(r, end) == quote ? end + 1 : 0;
}

/* open my $f, '<', 'FILE', with parentheses or without: the one form that opens a file and surely reads it. Two
 * arguments may write or run ("|x"), and so may other modes. Returns what stands behind it, or 0. */
static size_t skip_open(const struct perl_reader *r)
{
	static const char *const modes[] = { "'<'", "\"<\"", "'<:utf8'", "\"<:utf8\"", "'<:raw'", "\"<:raw\"",
		"'<:encoding(UTF-8)'", "\"<:encoding(UTF-8)\"" };
	size_t at = skip_white(r, r->pos), end;
	bool paren = peek_at(r, at) == '(';

	at = paren ? skip_white(r, at + 1) : at;
	if (!starts(r, at, "my ") && !starts(r, at, "my$"))
		return 0;
	at = skip_white(r, at + 2);
	end = skip_word(r, at + 1);
	if (peek_at(r, at) != '$' || !is_letter(peek_at(r, at + 1)) || zs_perl_is_special(r, at + 1, end - at - 1))
		return 0;
	at = skip_white(r, end);
	if (peek_at(r, at) != ',')
		return 0;
	at = skip_white(r, at + 1);
	for (size_t i = 0; i < COUNT(modes); i++) {
		if (!starts(r, at, modes[i]))
			continue;
		at = skip_white(r, at + strlen(modes[i]));
		if (peek_at(r, at) != ',')
			return 0;
		at = skip_white(r, at + 1);
		end = skip_literal(r, at);
		if (!end || !paren)
			return end;
		end = skip_white(r, end);
		return peek_at(r, end) == ')' ? end + 1 : 0;
	}
	return 0;
}

bool zs_perl_read_word(struct perl_reader *r)
{
	size_t at = r->pos, end = skip_word(r, at);
	const struct perl_word *word = zs_perl_find_word(r, at, end - at);

	r->pos = end;
	if (starts(r, end, "::"))
		return unknown_at(r, at);
	if (starts(r, skip_blanks(r, end), "=>")) {
		after(r, EXPECT_OPERATOR, LAST_VALUE);
		return true;
	}
	if (is_text(r, at, end - at, "open") && skip_open(r))
		return finish_call(r, skip_open(r), false);
	if (!word || (peek(r) == '\'' && !zs_perl_is_quote_word(word)))
		return unknown_at(r, at);
	return read_known_word(r, word, at);
}
