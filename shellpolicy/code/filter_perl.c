/* Perl, to let through one-line programs that only filter.
 *
 * Nobody can parse perl without running it, so this is an allow-list: a program is PLAIN when every token of it is one
 * that we know, and when it is certain where each token ends. Three rules carry that certainty:
 *
 * - Whether `/`, `?`, `<`, `%`, `&` and `*` begin a term or are operators depends on what perl expects at that point
 *   (toke.c: PL_expect). perl_tokens.c tracks it; after a `}` that perl decides by guessing, such a character is
 *   UNKNOWN.
 * - Two operands side by side are UNKNOWN: the first one is a function or a file handle. No file is opened.
 * - Without `use strict`, a string used as a reference names a package variable, and a program that may store through
 *   one can reach @ARGV (whose elements `<>` may run as commands), $^I and %SIG. So nothing is dereferenced: `->`,
 *   `@$x`, `@{…}`, `$h{a}{b}` and what makes references (`\`, `[…]`, `{…}`) are UNKNOWN, and s///e is too.
 */
#include "code/perl_words.h"

/* Modules whose import runs nothing of the program's and changes no syntax. */
static const char modules[] =
	"strict warnings utf8 feature integer List::Util Scalar::Util POSIX Data::Dumper MIME::Base64 Digest::MD5 "
	"Digest::SHA";

static const struct code_syntax syntax = {
	.signs = "<=> **= ||= &&= //= <<= >>= ... ** =~ !~ == != <= >= => -> :: && || // .. ++ -- += -= *= /= .= %= &= "
		 "|= ^= << >> + - * / % . < > = & | ^ ? : , ; !",
	.first = "",
	.last = "",
	.number_end = "",
	.quotes = "",
	.templates = "",
	.field = "\n",
	.refused = "#!", /* perl runs that interpreter */
	.hash_comments = true,
	.bare_point = true,
	.expect = zs_perl_expect,
	.read_own = zs_perl_read_own,
};

/* Is the token a variable with one of these sigils, $x or @x, and not $& or $1? */
static bool is_variable(const struct code_text *p, size_t token, const char *sigils)
{
	return code_kind(p, token) == CODE_NAME && is_one_of(code_sigil(p, token), sigils) &&
	       is_letter(code_at(p, p->tokens[token].start + 1));
}

/* @ARGV holds what `<>` opens, and %ENV, %SIG and @INC decide what runs. */
static bool check_variable(struct code_text *p, size_t at)
{
	size_t len, next = at + 1;
	const char *text = code_name(p, at, &len), *name = text + 1;
	bool fixed, element = zs_code_is(p, next, "[") || code_token(p, next)->mark == MARK_SUBSCRIPT;
	unsigned flags = zs_perl_argument_of(p, at);

	len--;
	if (*name == '{') {
		name++;
		len -= 2;
	}
	fixed = zs_code_listed(name, len, "ARGV ENV 0");
	if (zs_code_listed(name, len, zs_perl_special) ||
		(fixed && zs_code_in(p, at - 1, "++ --") && !code_closes(p, at - 2)))
		return false;
	if (zs_code_listed(name, len, "ARGV") &&
		(*text == '$' ? element : *text == '%' || element || !(flags & TAKES_ARGV)))
		return false;
	if (zs_code_listed(name, len, "ENV") &&
		(*text == '$' ? !zs_code_is(p, next, "{") : *text == '@' || !(flags & READS)))
		return false;
	if (element)
		next = code_mate(p, next) + 1;
	/* $ENV{PATH} = 1 */
	return !fixed || code_kind(p, next) != CODE_SIGN || zs_code_in(p, next, "== != <= >=") ||
	       !(zs_code_in(p, next, "++ --") || p->text[p->tokens[next].start + p->tokens[next].len - 1] == '=');
}

/* for (…), for my $x (…); elsewhere a modifier. */
static bool check_for(const struct code_text *p, size_t at)
{
	size_t next = at + 1 + zs_code_in(p, at + 1, "my our");

	if (!zs_perl_leads(p, at))
		return p->tokens[at].expect == EXPECT_OPERATOR || zs_perl_is_function(p, at - 1);
	return is_variable(p, next, "$") ? zs_code_is(p, next + 1, "(") : next == at + 1 && zs_code_is(p, next, "(");
}

/* Does perl read the token behind it the same, whether it knows the function or not? */
static bool check_imported(const struct code_text *p, size_t at, unsigned flags)
{
	enum code_kind kind = code_kind(p, at + 1);
	size_t end = p->tokens[at].start + p->tokens[at].len;
	int c;

	while (is_one_of(code_at(p, end), " \t\n"))
		end++;
	c = code_at(p, end);
	if (kind == CODE_END || c == '{')
		return c == END || (c == '{' && (flags & BLOCK));
	if ((kind == CODE_STRING || kind == CODE_REGEX) && is_letter(c))
		return false;
	return is_word(c) ? !is_one_of(c, "x_") : is_one_of(c, "($@\"';}),");
}

/* For the report: the only argument, when it is a literal. */
static bool check_write(struct code_text *p, size_t at)
{
	size_t text = at + 1 + zs_code_is(p, at + 1, "("), len = 0;
	const char *name = zs_code_literal(p, text, &len);
	bool only = code_kind(p, text + 1) == CODE_END || zs_code_in(p, text + 1, ") ; }");

	for (size_t i = 0; i < len; i++)
		only &= !is_one_of((unsigned char)name[i], "$@\n\"'");
	if (name && only) {
		p->found.object = name;
		p->found.object_len = len;
	}
	return zs_code_acts(p, ZS_FILTER_WRITES, at);
}

static bool check_word(struct code_text *p, size_t at)
{
	const struct perl_word *word = zs_perl_word_at(p, at);
	bool leads = zs_perl_leads(p, at), operand = code_token(p, at)->expect == EXPECT_OPERAND;
	bool may_follow = !operand || zs_perl_is_function(p, at - 1); /* print if … */
	int next = code_sigil(p, at + 1);

	if (!operand && word->kind != WORD_INFIX && word->kind != WORD_CONDITION && word->kind != WORD_FOR)
		return false;
	switch (word->kind) {
	case WORD_FUNCTION:
		return !(word->flags & IMPORTED) || check_imported(p, at, word->flags);
	case WORD_CONDITION:
		return leads ? next == '(' : may_follow;
	case WORD_INFIX:
		return may_follow && !leads;
	case WORD_FOR:
		return check_for(p, at);
	case WORD_HEAD:
		return leads && next == '{';
	case WORD_DO:
		return next == '{';
	case WORD_DECLARE:
		return is_one_of(next, word->flags & READS ? "$@%(" : "$@(");
	case WORD_USE:
		return leads && (zs_code_in(p, at + 1, modules) || is_digit(next) ||
					(next == 'v' && is_digit(code_at(p, p->tokens[at + 1].start + 1))));
	case WORD_EOF:
		return next != '(' || zs_code_is(p, at + 2, ")");
	case WORD_EXECUTES:
		return zs_code_acts(p, ZS_FILTER_EXECUTES, at);
	case WORD_WRITES:
		return check_write(p, at);
	case WORD_NONE:
		return zs_perl_word_at(p, at - 1)->kind == WORD_USE;
	case WORD_CONSTANT:
	case WORD_QUOTE:
		break;
	}
	return true;
}

/* Is there a `?` in front of this `:`? Else it may begin an attribute: my $x :name */
static bool ends_ternary(const struct code_text *p, struct code_place place)
{
	size_t colons = 0;

	for (size_t i = place.first - 1; i > place.open && !zs_code_is(p, i, ";"); i--) {
		if (code_closes(p, i))
			i = code_mate(p, i);
		else if (zs_code_is(p, i, "?") && !colons--)
			return true;
		else if (zs_code_is(p, i, ":"))
			colons++;
	}
	return false;
}

static bool perl_check_sign(const struct code_text *p, struct code_place place)
{
	size_t at = place.first;

	if (zs_code_in(p, at, "-> ::") || (zs_code_is(p, at, ":") && !ends_ternary(p, place)))
		return false;
	if (p->tokens[at].expect == EXPECT_OPERATOR)
		return !zs_code_is(p, at, "!");
	if (zs_code_in(p, at, "+ - ! ++ -- ;"))
		return true;
	if (zs_code_is(p, at, ","))
		return !zs_perl_leads(p, at);
	/* operators after a function without arguments: length > 80 */
	return zs_perl_is_function(p, at - 1) &&
	       zs_code_in(p, at, "> >> >= >>= = == =~ => | || |= ||= ^ ^= && &&= ? : . .. ... .= != !~");
}

static bool check_open_bracket(const struct code_text *p, size_t at)
{
	if (zs_code_is(p, at, "("))
		return p->tokens[at].expect == EXPECT_OPERAND ||
		       (zs_perl_word_at(p, at - 1)->kind == WORD_CONSTANT && code_mate(p, at) == at + 1);
	/* an element; everything else makes a reference */
	return zs_code_is(p, at, "{") || zs_code_is(p, at - 1, ")") || zs_perl_has_elements(p, at - 1);
}

static bool perl_check_token(struct code_text *p, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	bool known = code_token(p, at)->expect == EXPECT_OPERAND; /* of literals, and of variables */

	(void)ret_last;
	if (code_kind(p, at) == CODE_SIGN)
		known = perl_check_sign(p, place);
	else if (code_kind(p, at) == CODE_OPEN)
		known = check_open_bracket(p, at);
	else if (code_kind(p, at) == CODE_NAME && is_one_of(code_sigil(p, at), "$@%"))
		known &= check_variable(p, at);
	else if (code_kind(p, at) == CODE_NAME)
		known = check_word(p, at);
	else if (code_kind(p, at) == CODE_CLOSE)
		known = true;
	return known;
}

struct zs_filter zs_filter_perl(const char *program, size_t len)
{
	return zs_code_judge(program, len, &syntax, NULL, perl_check_token);
}
