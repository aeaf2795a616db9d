/* Finds the constructs that bash and dash read differently (man dash; POSIX XCU 2). Text for sh is read as bash, but
 * /bin/sh is dash on Debian and ash on Alpine, so it must hold none of these constructs. A construct that fails in dash
 * without running anything is allowed: ${x//a/b}, [ a == b ]. */
#include "read/strict_reader.h"

#include "read/word.h"

#include <string.h>

struct dialect {
	const char *text;
	uint32_t len, at;
	bool in_quotes, word; /* word: a part of a word stands in front */
	bool loose;           /* the end of quotes is not certain, so text that looks like syntax counts as syntax */
	uint64_t outside;     /* a bit for each open parenthesis: does it stand in quotes? */
	uint32_t depth;
	bool command; /* a command may start here */
};

static char dialect_next(const struct dialect *d, uint32_t ahead)
{
	uint32_t at = d->at;

	for (;; ahead--, at++) {
		while (at + 1 < d->len && d->text[at] == '\\' && d->text[at + 1] == '\n')
			at += 2;
		if (!ahead || at >= d->len)
			return at < d->len ? d->text[at] : '\0';
	}
}

static bool starts_with(const struct dialect *d, const char *text)
{
	for (uint32_t i = 0; text[i]; i++)
		if (dialect_next(d, i) != text[i])
			return false;
	return true;
}

static uint32_t word_length(const struct dialect *d, uint32_t from)
{
	uint32_t len = 0;

	while (from + len < d->len && !zs_is_metacharacter(d->text[from + len]))
		len++;
	return len;
}

/* [[ … ]] without operators of the shell fails in dash: the command [[ is not known. */
static bool is_harmless_test(const struct dialect *d)
{
	for (uint32_t i = d->at + 2; i < d->len && !strchr(";&|<>()\n", d->text[i]); i++)
		if (d->text[i] == ']' && i + 1 < d->len && d->text[i + 1] == ']' && zs_is_blank(d->text[i - 1]))
			return true;
	return false;
}

/* time NAME runs /usr/bin/time in dash. That does the same, unless a flag, an assignment or a reserved word stands
 * behind time. */
static bool is_harmless_time(const struct dialect *d)
{
	uint32_t at = d->at + 4, len;

	while (at < d->len && zs_is_blank(d->text[at]))
		at++;
	len = word_length(d, at);
	return len && (zs_is_name(d->text[at]) || strchr("./", d->text[at])) && !memchr(d->text + at, '=', len);
}

/* Does an array assignment stand here: NAME=( NAME[… or NAME+= ? */
static bool is_array_assignment(const struct dialect *d)
{
	uint32_t at = d->at;

	if (!zs_is_name_start(d->text[at]))
		return false;
	while (at < d->len && zs_is_name(d->text[at]))
		at++;
	if (at + 1 >= d->len)
		return false;
	return (d->text[at] == '=' && d->text[at + 1] == '(') || (d->text[at] == '+' && d->text[at + 1] == '=') ||
	       d->text[at] == '[';
}

/* Checks the start of a word where a command may stand. */
static const char *check_command(struct dialect *d)
{
	uint32_t len = word_length(d, d->at);

	if (zs_listed_bytes(d->text + d->at, len, "function select coproc"))
		return "function, select or coproc";
	if (len == 4 && starts_with(d, "time") && !is_harmless_time(d))
		return "time";
	if (starts_with(d, "[[") && !is_harmless_test(d))
		return "[[";
	if (is_array_assignment(d))
		return "an array, or +=";
	d->command = zs_listed_bytes(d->text + d->at, len, "if then elif else while until do ! { time");
	d->at += len && d->command ? len : 0;
	return NULL;
}

/* Does a brace expansion stand here: {a,b} or {1..3} ? */
static bool is_brace_expansion(const struct dialect *d)
{
	uint32_t end = d->at + 1;
	bool splits = false;

	for (; end < d->len && d->text[end] != '}' && !zs_is_metacharacter(d->text[end]); end++)
		splits |= d->text[end] == ',' || (d->text[end] == '.' && d->text[end - 1] == '.');
	return splits;
}

static const char *check_unquoted(struct dialect *d)
{
	static const char *const operators[] = { "&>", "|&", "<<<", "<(", ">(", ";&", ";;&", "((" };
	char c = d->text[d->at];

	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (starts_with(d, operators[i]))
			return operators[i];
	if (c == '{' && is_brace_expansion(d))
		return "{a,b}";
	if (!d->word && d->command && !zs_is_metacharacter(c))
		return check_command(d);
	return NULL;
}

/* Behind $( quoting begins anew. */
static void open(struct dialect *d)
{
	d->outside = d->outside << 1 | d->in_quotes;
	d->depth++;
	d->in_quotes = false;
}

static bool dialect_holds(const char *text, uint32_t len, const char *part)
{
	size_t size = strlen(part);

	for (uint32_t i = 0; i + size <= len; i++)
		if (memcmp(text + i, part, size) == 0)
			return true;
	return false;
}

static void dialect_step(struct dialect *d)
{
	char c = d->text[d->at];

	if (c == '\\') {
		d->at += 2;
		d->word = true;
		return;
	}
	if (c == ')' && !d->in_quotes && d->depth) {
		d->in_quotes = d->outside & 1;
		d->outside >>= 1;
		d->depth--;
	} else if (c == '(' && !d->in_quotes) {
		open(d);
	}
	if (c == '"')
		d->in_quotes = !d->in_quotes;
	if (c == '\'' && !d->in_quotes && !d->loose)
		while (++d->at < d->len && d->text[d->at] != '\'')
			;
	if (!zs_is_metacharacter(c) && c != '`') {
		d->command &= d->in_quotes;
		d->word = true;
	} else {
		d->command |= strchr("\n;&|(`", c) != NULL;
		d->word = false;
	}
	d->at++;
}

const char *zs_dash_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at)
{
	struct dialect d = { .text = text, .len = len, .command = true };
	const char *what = NULL;

	d.loose = dialect_holds(text, len, "`") || dialect_holds(text, len, "<<") ||
		  (dialect_holds(text, len, "$(") && dialect_holds(text, len, "esac"));
	while (d.at < len && !what) {
		char c = text[d.at];

		*ret_at = d.at;
		if (c == '$' && starts_with(&d, "$((")) { /* arithmetic in dash too */
			open(&d);
			open(&d);
			d.at += 3;
			d.word = true;
		} else if (c == '$' && dialect_next(&d, 1) == '[') {
			what = "$[";
		} else if (d.depth > 60) {
			what = "(";
		} else if (c == '$' && dialect_next(&d, 1) == '(') {
			open(&d);
			d.at += 2;
			d.command = true;
			d.word = false;
		} else if (c == '$' && !d.in_quotes && (dialect_next(&d, 1) == '\'' || dialect_next(&d, 1) == '"')) {
			what = "$' or $\"";
		} else if (c == '$') {
			d.at += d.at + 1 < len && text[d.at + 1] == '{' ? 2 : 1;
			d.word = true;
		} else if (c == '#' && !d.word && !d.in_quotes) {
			while (d.at < len && text[d.at] != '\n')
				d.at++;
		} else {
			uint32_t before = d.at;

			if (!d.in_quotes || d.loose)
				what = check_unquoted(&d);
			if (!what && d.at == before)
				dialect_step(&d);
		}
	}
	return what;
}

/* zsh and ksh */

/* Commands of zsh or ksh that take commands, change how text is read, or write files (man 1 zshmisc, zshbuiltins,
 * zshmodules; man 1 ksh). They are refused anywhere in the text. */
static const char own_words[] =
	"repeat noglob nocorrect foreach always zmodload zf_* zargs zmv zcp zln zcompile zsystem sysopen syswrite "
	"sysread zsocket ztcp zpty zle zed sched setopt unsetopt emulate autoload functions alias aliases bindkey "
	"compctl vared print whence hist builtin enum fned zsh_* ZDOTDIR nameref compound";

static bool starts_own_word(const char *text, uint32_t len, uint32_t at)
{
	uint32_t end = at;

	while (end < len && zs_is_name(text[end]))
		end++;
	return zs_listed_bytes(text + at, end - at, own_words);
}

/* Quoting is ignored, so more is refused than needed. In zsh (e:'code':) behind a glob runs code, and =NAME is the path
 * of NAME. */
const char *zs_other_reads_otherwise(const char *text, uint32_t len, uint32_t *ret_at)
{
	for (uint32_t at = 0; at < len; at++) {
		char c = text[at], before = at ? text[at - 1] : ' ', next = at + 1 < len ? text[at + 1] : ' ';

		*ret_at = at;
		if (c == '(' && before != '$')
			return "(";
		if (c == '=' && (zs_is_metacharacter(before) || strchr("=:'\"{", before)))
			return "=";
		if (c == '\\')
			return "\\";
		if (c == '`')
			return "`";
		if (c == '$' && strchr("{:^=~+", next))
			return "${";
		if (c == '-' && zs_is_metacharacter(before) && zs_is_blank(next))
			return "-";
		if (!zs_is_name(before) && !strchr("-./", before) && starts_own_word(text, len, at))
			return "a word of the shell's own";
	}
	return NULL;
}
