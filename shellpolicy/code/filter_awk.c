/* Awk (POSIX, gawk, mawk, the one true awk): finds redirections, pipes and system().
 *
 * An awk program can only act by `>`, `|`, `@` and the name `system`. So no grammar is needed, only tokens that tell
 * for certain which bytes are text. A program without any of the four does nothing. In a program with one of them, a
 * place where awks disagree on the text is not known: a `/` in a bracket expression, or after `if (x)`.
 */
#include "code/code_judge.h"

static const char conditions[] = "for if switch while";
/* A `/` after these words is a division in one awk, and begins a pattern in another. */
static const char lone_words[] =
	"BEGIN BEGINFILE END ENDFILE break case continue default delete func function next nextfile";

static bool ends_condition(const struct code_text *awk, size_t token)
{
	return zs_code_is(awk, token, ")") && zs_code_in(awk, code_mate(awk, token) - 1, conditions);
}

/* The print to whose statement this token belongs, or 0. */
static size_t print_of(const struct code_text *awk, struct code_place place)
{
	for (size_t i = place.first - 1; i > place.open; i--) {
		bool newline = code_kind(awk, i) == CODE_NEWLINE;

		if (zs_code_in(awk, i, "print printf"))
			return i;
		while (i > place.open && code_kind(awk, i) == CODE_NEWLINE)
			i--;
		/* the statement continues if the line ends in an operator or a comma */
		if (zs_code_in(awk, i, "; }") ||
			(newline && (code_kind(awk, i) != CODE_SIGN || zs_code_in(awk, i, "++ --"))))
			return 0;
		if (code_kind(awk, i) == CODE_CLOSE)
			i = code_mate(awk, i);
	}
	return 0;
}

/* Checks the target after the `>` or `>>` of print: a literal must be the whole rest of the statement. */
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
	if (zs_code_is(awk, at, "@")) /* @/re/ is a pattern; @load, @include and @function() are refused */
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
