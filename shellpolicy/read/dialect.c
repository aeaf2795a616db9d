/* Text for shells other than bash. It is read as bash, but /bin/sh is dash on Debian and ash on Alpine, so the reader
 * refuses the constructs of bash that dash reads differently, in a way that may run something else (man dash; POSIX XCU
 * 2). A construct that fails in dash without running anything is allowed: ${x//a/b}, [ a == b ]. */
#include "read/reader.h"

#include <string.h>

static void find_dialect(struct zs_build *build, const struct zs_pending_text *pending, const char *what, uint32_t at)
{
	zs_find(build, ZS_RISK_UNSUPPORTED, -1, what,
		pending->other ? "bash and this shell may read it differently" : "bash's syntax in a text for sh",
		zs_place_span(&pending->place, at, at + 1))
		->hint = "Use bash -c, or write it as POSIX sh does.";
}

void zs_only_in_bash(struct strict_reader *r, const char *what)
{
	if (r->pending->posix)
		find_dialect(r->build, r->pending, what, r->at);
}

/* [[ … ]] without operators of the shell fails in dash: the command [[ is not known. */
static bool is_harmless_test(const struct strict_reader *r, uint32_t end)
{
	for (uint32_t i = end; i < r->len && !strchr(";&|<>()\n", r->text[i]); i++)
		if (r->text[i] == ']' && i + 1 < r->len && r->text[i + 1] == ']' && zs_is_blank(r->text[i - 1]))
			return true;
	return false;
}

/* time NAME runs /usr/bin/time in dash. That does the same, unless a flag or an assignment follows. */
static bool is_harmless_time(const struct strict_reader *r, uint32_t end)
{
	uint32_t start = end;

	while (start < r->len && zs_is_blank(r->text[start]))
		start++;
	for (end = start; end < r->len && !zs_is_metacharacter(r->text[end]);)
		end++;
	return end > start && (zs_is_name(r->text[start]) || strchr("./", r->text[start])) &&
	       !memchr(r->text + start, '=', end - start);
}

void zs_check_reserved(struct strict_reader *r, const char *word, uint32_t end)
{
	if (zs_listed(word, "function select coproc") || (strcmp(word, "time") == 0 && !is_harmless_time(r, end)) ||
		(strcmp(word, "[[") == 0 && !is_harmless_test(r, end)))
		zs_only_in_bash(r, word);
}

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

/* The syntax at `at` that zsh or ksh may read differently; NULL if there is none. Quoting is ignored, so more is
 * refused than needed. In zsh (e:'code':) after a glob runs code, and =NAME is the path of NAME. */
static const char *own_syntax(const char *text, uint32_t len, uint32_t at)
{
	char c = text[at], before = at ? text[at - 1] : ' ', next = at + 1 < len ? text[at + 1] : ' ';

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
		return "a word that only this shell knows";
	return NULL;
}

void zs_check_other_shell(struct zs_build *build, const struct zs_pending_text *pending)
{
	for (uint32_t at = 0; at < pending->len; at++) {
		const char *what = own_syntax(pending->text, pending->len, at);

		if (what) {
			find_dialect(build, pending, what, at);
			return;
		}
	}
}
