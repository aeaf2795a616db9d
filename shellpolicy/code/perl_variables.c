/* Names of variables: which may be used, and how. */
#include "code/perl_reader.h"

bool zs_perl_is_special(const struct perl_reader *r, size_t at, size_t len)
{
	static const char *const names[] = { "SIG", "INC", "ARGVOUT", "ISA", "main", "CORE" };

	return is_listed(r, at, len, names, COUNT(names));
}

/* Called before what follows the name. @ARGV holds what `<>` opens, and %ENV, %SIG and @INC decide what runs. */
static bool check_name(struct perl_reader *r, int sigil)
{
	size_t at = r->access.name, len = r->access.name_len;
	int next = peek(r);
	bool element = next == '[' || next == '{';

	if (zs_perl_is_special(r, at, len))
		return unknown_at(r, at);
	if (is_text(r, at, len, "ARGV")) {
		r->access.fixed = true;
		if (sigil == '$' ? element : sigil != '@' || element || !(word_flags(r) & TAKES_ARGV))
			return unknown_at(r, at);
	}
	if (is_text(r, at, len, "ENV")) {
		r->access.fixed = true;
		if (sigil == '$' ? next != '{' : sigil != '%' || !(word_flags(r) & READS))
			return unknown_at(r, at);
	}
	if (is_text(r, at, len, "0"))
		r->access.fixed = true;
	return true;
}

/* print $fh /x/, sort $by @x: perl guesses by the space whether $fh is a file handle, or $by a function. */
static bool check_handle_guess(struct perl_reader *r)
{
	size_t start = r->pos, next;
	int c, c2;

	if (!(word_flags(r) & (PRINTS | BLOCK)))
		return true;
	if (!zs_perl_skip_space(r))
		return false;
	next = r->pos;
	if (next == start)
		return true;
	c = peek_at(r, next);
	c2 = peek_at(r, next + 1);
	if (is_one_of(c, "[{") || (is_one_of(c, "&*<%.") && is_word(c2)))
		return unknown_at(r, next);
	if (is_one_of(c, "?-+/<") && !is_one_of(c2, " \t\n="))
		return unknown_at(r, next);
	return true;
}

/* A named variable whose name is at [at, end). */
static bool finish_variable(struct perl_reader *r, int sigil, size_t start, size_t at, size_t end)
{
	r->access = (struct perl_access){
		.start = start,
		.name = at,
		.name_len = end - at,
		.before = r->last,
		.kind = sigil == '%' ? '{' : '[',
		.reads = sigil == '#' || (word_flags(r) & READS),
	};
	if (peek(r) == '\'' || starts(r, r->pos, "::"))
		return unknown(r);
	if ((sigil == '$' && !check_handle_guess(r)) || !zs_perl_skip_space(r) || !check_name(r, sigil))
		return false;
	if ((word_flags(r) & READS) && r->word->kind == WORD_DECLARE && peek(r) != ';')
		r->access.reads = false;
	if (sigil != '$' && peek(r) != '[' && peek(r) != '{')
		r->access.level = 1;
	return zs_perl_finish_access(r);
}

bool zs_perl_finish_plain(struct perl_reader *r, size_t end)
{
	r->pos = end;
	if (!check_handle_guess(r))
		return false;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

/* `{` after a sigil: ${name}, or a block that yields a reference. */
static bool read_braced(struct perl_reader *r, int sigil, size_t start)
{
	size_t at = skip_blanks(r, r->pos + 1), end = skip_word(r, at), close = skip_blanks(r, end);

	if (end > at && peek_at(r, close) == '}') {
		r->pos = close + 1;
		return finish_variable(r, sigil, start, at, end);
	}
	if (peek_at(r, at) == '^')
		return unknown(r);
	r->pos++;
	if (!zs_perl_skip_space(r) || !zs_perl_open_scope(r, SCOPE_DEREF))
		return false;
	top(r)->reads = sigil == '#' || (word_flags(r) & READS);
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return true;
}

/* After the sigil: a name, `{`, or another `$`, whose value would be the reference. */
static bool read_name(struct perl_reader *r, int sigil, size_t start)
{
	size_t at = r->pos;
	int c = peek(r);

	for (; c == '$'; c = peek_at(r, ++at))
		if (!r->strict)
			return unknown_at(r, start);
	r->pos = at;
	if (c == '{')
		return read_braced(r, sigil, start);
	if (is_letter(c))
		r->pos = skip_word(r, at);
	else
		while (is_digit(peek(r)))
			r->pos++;
	if (r->pos == at)
		return unknown_at(r, start);
	return finish_variable(r, sigil, start, at, r->pos);
}

bool zs_perl_read_scalar(struct perl_reader *r)
{
	size_t start = r->pos++;
	int c = peek(r), c2 = peek_at(r, r->pos + 1);

	if (c == '#') {
		r->pos++;
		if (is_letter(c2))
			return zs_perl_finish_plain(r, skip_word(r, r->pos));
		return peek(r) == '{' ? read_name(r, '#', start) : unknown(r);
	}
	if (c == '$' && !is_word(c2) && c2 != '$' && c2 != '{')
		return zs_perl_finish_plain(r, r->pos + 1);
	if (c == '^')
		return is_one_of(c2, "WTVOXNRS") && !is_word(peek_at(r, r->pos + 2))
			       ? zs_perl_finish_plain(r, r->pos + 2)
			       : unknown_at(r, start);
	if (is_one_of(c, "+-") && is_one_of(c2, "[{")) {
		r->pos++;
		return finish_variable(r, '$', start, r->pos - 1, r->pos);
	}
	if (c == '\'' && is_letter(c2))
		return unknown_at(r, start); /* $'x is $main::x */
	if (is_one_of(c, "&`'+!@/\\,;.|\"-]?"))
		return zs_perl_finish_plain(r, r->pos + 1);
	return read_name(r, '$', start);
}

bool zs_perl_read_list_variable(struct perl_reader *r)
{
	size_t start = r->pos++;
	int sigil = r->text[start];

	if (!is_letter(peek(r)) && peek(r) != '{' && peek(r) != '$')
		return unknown_at(r, start);
	return read_name(r, sigil, start);
}
