/* Awk (POSIX, gawk, mawk, the one true awk): finds redirections, pipes and system().
 *
 * Only `>`, `|`, `@` and the name `system` let an awk program act, so no grammar is needed: only tokens of which it is
 * certain what is text. A program that holds none of them does nothing. Where awks disagree on what is text (a `/` in a
 * bracket expression; a `/` after `if (x)`), the others are not known.
 */
#include "code/code_judge.h"

static const char conditions[] = "for if switch while";
/* A `/` behind these is a division for one awk, and a pattern for another. */
static const char lone_words[] =
	"BEGIN BEGINFILE END ENDFILE break case continue default delete func function next nextfile";

static bool ends_condition(const struct code_text *awk, size_t token)
{
	return zs_code_is(awk, token, ")") && zs_code_in(awk, code_mate(awk, token) - 1, conditions);
}

/* The print whose statement goes on in front of this token, or 0. */
static size_t print_of(const struct code_text *awk, struct code_place place)
{
	for (size_t i = place.first - 1; i > place.open; i--) {
		bool newline = code_kind(awk, i) == CODE_NEWLINE;

		if (zs_code_in(awk, i, "print printf"))
			return i;
		while (i > place.open && code_kind(awk, i) == CODE_NEWLINE)
			i--;
		/* a newline behind an operator or a comma goes on with the statement */
		if (zs_code_in(awk, i, "; }") ||
			(newline && (code_kind(awk, i) != CODE_SIGN || zs_code_in(awk, i, "++ --"))))
			return 0;
		if (code_kind(awk, i) == CODE_CLOSE)
			i = code_mate(awk, i);
	}
	return 0;
}

/* After the `>` or `>>` of print: the literal that is the whole rest of the statement. */
static bool check_target(struct code_text *awk, size_t at)
{
	size_t len;
	const char *name = zs_code_literal(awk, at + 1, &len);
	bool whole = code_kind(awk, at + 2) == CODE_END || code_kind(awk, at + 2) == CODE_NEWLINE ||
		     zs_code_in(awk, at + 2, "; }");

	if (!name || !whole)
		return zs_code_acts(awk, ZS_FILTER_WRITES, at);
	if (zs_filter_is_harmless_file(name, len))
		return true;
	awk->found.object = name;
	awk->found.object_len = len;
	return zs_code_acts(awk, ZS_FILTER_WRITES, at);
}

static bool awk_check_sign(struct code_text *awk, struct code_place place)
{
	size_t at = place.first;
	bool greater = zs_code_in(awk, at, "> >>");

	if (zs_code_in(awk, at, "| |&"))
		return zs_code_acts(awk, ZS_FILTER_EXECUTES, at);
	if (greater && print_of(awk, place))
		return check_target(awk, at);
	if (greater || zs_code_is(awk, at, ">="))
		return !zs_code_is(awk, at, ">>") && awk->tokens[at].expect != EXPECT_OPERAND &&
		       !zs_code_in(awk, at - 1, lone_words) && !ends_condition(awk, at - 1);
	if (zs_code_is(awk, at, "@")) /* @/re/; @load, @include and @function() are not read */
		return awk->tokens[at].expect == EXPECT_OPERAND && code_kind(awk, at + 1) == CODE_REGEX &&
		       !awk->tokens[at + 1].spaced;
	if (zs_code_is(awk, at, ";"))
		return !place.open || zs_code_is(awk, place.open, "{") || zs_code_is(awk, place.open - 1, "for");
	return !zs_code_is(awk, at, "::");
}

static bool awk_check_token(struct code_text *awk, struct code_place place, size_t *ret_last)
{
	size_t at = place.first, len;
	const char *text = code_name(awk, at, &len);
	bool known = true;

	(void)ret_last;
	if (zs_code_is(awk, at, "system"))
		return zs_code_acts(awk, ZS_FILTER_EXECUTES, at);
	if (code_kind(awk, at) == CODE_SIGN)
		known = awk_check_sign(awk, place);
	else if (zs_code_in(awk, at, conditions))
		known = zs_code_is(awk, at + 1, "(");
	else if (zs_code_in(awk, at, "print printf {"))
		known = (!place.open || zs_code_is(awk, place.open, "{")) && !print_of(awk, place);
	for (size_t i = 0; code_kind(awk, at) == CODE_STRING && i + 5 <= len; i++)
		known &= memcmp(text + i, "/inet", 5) != 0; /* the directory of gawk's sockets */
	return known;
}

static const struct code_language awk = {
	.signs = "**= >> >= || |& && ++ -- += -= *= /= %= ^= ** == <= != !~ :: + - * / % ^ = < > ! ~ ? : , "
		 "; $ | @",
	.quotes = "\"",
	.refused = "\r",
	.acts = "> | @ system /inet",
	.hash_comments = true,
	.newlines = true,
	.in_brackets = true,
	.continued = true,
	.wants = "do else exit in return print printf",
	.doubtful = "++ --",
	.heads = conditions,
	.keywords = "BEGIN BEGINFILE END ENDFILE break case continue default delete func function next nextfile for if "
		    "switch while do else exit in return print printf getline length",
	.check = awk_check_token,
};

struct zs_filter zs_filter_awk(const char *program, size_t len)
{
	return zs_code_judge(program, len, &awk);
}
