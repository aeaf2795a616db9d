/* Text for shells other than bash. It is read as bash; a construct that the text's shell reads otherwise, in a way that
 * may run something else, is refused (man dash, man 1 zshmisc, zshexpn; the manuals of fish and BusyBox; bash's NEWS).
 * A construct that fails there without running anything is allowed: ${x//a/b} and [ a == b ] in dash. */
#include "read/reader.h"

#include <string.h>

static const struct {
	const char *text;
	unsigned shells;
} constructs[] = {
#define X(id, text, shells) [CONSTRUCT_##id] = { text, shells },
	CONSTRUCTS(X)
#undef X
};

bool zs_reads_otherwise(const struct zs_pending_text *pending, enum construct construct)
{
	return pending->shell == ZS_SHELL_ANY || (constructs[construct].shells & 1u << pending->shell);
}

void zs_find_otherwise(
	struct zs_build *build, enum zs_shell shell, int32_t command, const char *what, struct zs_span span)
{
	const char *detail = shell == ZS_SHELL_ANY ? "a shell other than bash may read this otherwise"
						   : zs_arena_format(build->arena, "%s reads this otherwise than bash",
							     zs_shell_name(shell));

	zs_find(build, ZS_RISK_UNSUPPORTED, command, what, detail, span)->hint =
		"Run it with bash -c, or write it as both shells read it.";
}

static void find_dialect(struct zs_build *build, const struct zs_pending_text *pending, const char *what, uint32_t at)
{
	zs_find_otherwise(build, pending->shell, -1, what, zs_place_span(&pending->place, at, at + 1));
}

void zs_only_in_bash(struct strict_reader *r, enum construct construct)
{
	if (zs_reads_otherwise(r->pending, construct))
		find_dialect(r->build, r->pending, constructs[construct].text, r->at);
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
	enum zs_shell shell = r->pending->shell;
	bool harmless = (strcmp(word, "[[") == 0 && is_harmless_test(r, end)) ||
			(strcmp(word, "time") == 0 && is_harmless_time(r, end)) || strcmp(word, "!") == 0;
	enum construct construct = CONSTRUCT_COMPOUND;

	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++)
		if (strcmp(word, constructs[i].text) == 0)
			construct = (enum construct)i;
	if (!harmless || ((shell == ZS_SHELL_FISH || shell == ZS_SHELL_ANY) && *word != '!'))
		zs_only_in_bash(r, construct);
}

/* Words */

static bool is_plain(const struct zs_units *units, uint32_t i, char byte)
{
	return i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && units->items[i].byte == byte;
}

/* Does a tilde or = at unit `i` begin what the shell expands: the word, a word that braces make, the value, or a part
 * of it after a colon? */
static bool begins_expansion(const struct frame *word, uint32_t i)
{
	return i == 0 || is_plain(&word->units, i - 1, '{') || is_plain(&word->units, i - 1, ',') ||
	       (word->name_len && (i == word->value || (i > word->value && is_plain(&word->units, i - 1, ':'))));
}

static void check_tilde(struct strict_reader *r, const struct frame *word, uint32_t i)
{
	const struct zs_unit *next = i + 1 < word->units.count ? &word->units.items[i + 1] : NULL;

	if (!begins_expansion(word, i)) {
		if (i && is_plain(&word->units, i - 1, '=') && (zs_is_name_start(word->units.items[0].byte)))
			zs_only_in_bash(r, CONSTRUCT_TILDE_ARGUMENT);
	} else if (next && next->kind == ZS_UNIT_PLAIN && (next->byte == '+' || next->byte == '-')) {
		zs_only_in_bash(r, CONSTRUCT_SIGNED_TILDE);
	} else if (next && next->kind == ZS_UNIT_PLAIN && (zs_is_name(next->byte) || next->byte == '[')) {
		zs_only_in_bash(r, CONSTRUCT_NAMED_FOLDER);
	}
}

/* The end of a number, or of a letter, at unit `i`; 0 if there is none. */
static uint32_t range_end(const struct zs_units *units, uint32_t i, bool number)
{
	uint32_t start = i += number && is_plain(units, i, '-');

	while (i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && zs_is_name(units->items[i].byte) &&
		units->items[i].byte != '_' && zs_is_digit(units->items[i].byte) == number && (number || i == start))
		i++;
	return i > start ? i : 0;
}

/* Does a number at unit `i` have leading zeros? */
static bool starts_zero(const struct zs_units *units, uint32_t i)
{
	i += is_plain(units, i, '-');
	return is_plain(units, i, '0') && range_end(units, i, true) > i + 1;
}

/* The unit of the dots in 1..9} or a..z} at unit `i`; 0 if this is something else. */
static uint32_t usual_dots(const struct zs_units *units, uint32_t i)
{
	bool number = range_end(units, i, true) != 0;
	uint32_t first = range_end(units, i, number), last;

	if (!first || !is_plain(units, first, '.') || !is_plain(units, first + 1, '.'))
		return 0;
	last = range_end(units, first + 2, number);
	/* zsh pads {01..013} to other lengths */
	if (!last || !is_plain(units, last, '}') ||
		(first - i != last - first - 2 && (starts_zero(units, i) || starts_zero(units, first + 2))))
		return 0;
	return first;
}

/* Takes dots in braces. bash 3.2 knows neither steps nor leading zeros. */
static void check_dots(struct strict_reader *r, const struct zs_units *units, uint32_t i, bool usual, bool stepped)
{
	zs_only_in_bash(r, CONSTRUCT_SEQUENCE);
	if (!usual)
		zs_only_in_bash(r, CONSTRUCT_ODD_SEQUENCE);
	if (stepped || starts_zero(units, i + 2))
		zs_only_in_bash(r, CONSTRUCT_STEPS);
}

static void check_braces(struct strict_reader *r, const struct zs_units *units)
{
	bool empty = false, stepped = false;
	uint32_t usual = 0;
	int depth = 0;

	for (uint32_t i = 0; i < units->count; i++) {
		depth += is_plain(units, i, '{') - is_plain(units, i, '}');
		if (is_plain(units, i, '{')) {
			usual = usual_dots(units, i + 1);
			stepped = starts_zero(units, i + 1);
		} else if (depth > 0 && is_plain(units, i, '.') && is_plain(units, i + 1, '.')) {
			check_dots(r, units, i, i == usual, stepped);
			stepped = true;
			i++;
		}
		empty |= (is_plain(units, i, '{') || is_plain(units, i, ',')) &&
			 (is_plain(units, i + 1, ',') || (units->items[i].byte == ',' && is_plain(units, i + 1, '}')));
		if (depth > 0 && units->items[i].kind == ZS_UNIT_DYNAMIC)
			zs_only_in_bash(r, CONSTRUCT_DYNAMIC_BRACES);
	}
	if (depth)
		zs_only_in_bash(r, CONSTRUCT_OPEN_BRACE);
	if (depth && units->count == 1)
		zs_only_in_bash(r, CONSTRUCT_LONE_BRACE);
	if (empty && is_plain(units, 0, '{') && is_plain(units, units->count - 1, '}'))
		zs_only_in_bash(r, CONSTRUCT_EMPTY_BRACES);
}

/* é=1 rm x: zsh and fish take é for the name of a variable. */
static void check_name(struct strict_reader *r, const struct zs_units *units)
{
	bool wide = false;
	uint32_t i = 0;

	/* fish skips spaces beyond ASCII in front of a command */
	if (units->count && units->items[0].kind == ZS_UNIT_PLAIN && units->items[0].byte & 0x80)
		zs_only_in_bash(r, CONSTRUCT_WIDE_COMMAND);
	while (i < units->count && units->items[i].kind == ZS_UNIT_PLAIN &&
		(zs_is_name(units->items[i].byte) || units->items[i].byte & 0x80))
		wide |= (units->items[i++].byte & 0x80) != 0;
	i += is_plain(units, i, '+');
	if (wide && (is_plain(units, i, '=') || is_plain(units, i, '[')))
		zs_only_in_bash(r, CONSTRUCT_WIDE_NAME);
	for (i = 0; i < units->count && units->items[i].kind == ZS_UNIT_PLAIN && zs_is_digit(units->items[i].byte);)
		i++;
	if (i && is_plain(units, i, '='))
		zs_only_in_bash(r, CONSTRUCT_POSITIONAL);
}

/* [[ ]] and patterns of case expand no file names. */
static bool expands_names(const struct frame *word)
{
	return word->place != PLACE_PATTERN && word->place != PLACE_OPERAND && word->place != PLACE_GLOB &&
	       word->place != PLACE_REGEX;
}

void zs_check_word(struct strict_reader *r, const struct frame *word, uint32_t end)
{
	const struct zs_units *units = &word->units;

	if (r->pending->shell == ZS_SHELL_BASH || !expands_names(word))
		return;
	if (word->place == PLACE_COMMAND)
		check_name(r, units);
	if (units->count == 5 && end - word->start == 5 && memcmp(r->text + word->start, "%self", 5) == 0)
		zs_only_in_bash(r, CONSTRUCT_SELF);
	for (uint32_t i = 0; i < units->count; i++) {
		if (is_plain(units, i, '=')) {
			/* = and == alone are operators of [ ] */
			if (begins_expansion(word, i) && i + 1 < units->count &&
				!(units->count == 2 && is_plain(units, 1, '=')))
				zs_only_in_bash(r, CONSTRUCT_EQUALS);
		} else if (is_plain(units, i, '~')) {
			check_tilde(r, word, i);
		} else if (is_plain(units, i, '*') && is_plain(units, i + 1, '*')) {
			zs_only_in_bash(r, CONSTRUCT_RECURSIVE);
		} else if (is_plain(units, i, '[') && units->count > 1) {
			zs_only_in_bash(r, CONSTRUCT_BRACKETS);
			if (is_plain(units, i + 1, '^'))
				zs_only_in_bash(r, CONSTRUCT_CARET);
		}
	}
	check_braces(r, units);
}

/* Expansions */

/* Does a character stand at `at` that may be a letter beyond ASCII? Those from U+2000 to U+203F, as quotes and dashes,
 * are none. */
static bool is_wide(const struct strict_reader *r, uint32_t at)
{
	return (peek(r, at) & 0x80) && !(peek(r, at) == '\xe2' && peek(r, at + 1) == '\x80');
}

void zs_check_dollar(struct strict_reader *r, uint32_t len)
{
	char c = peek(r, 1), next = peek(r, len ? len : 2);

	if (!c)
		return;
	if (is_wide(r, 1) || (zs_is_name_start(c) && is_wide(r, len)))
		zs_only_in_bash(r, CONSTRUCT_WIDE_NAME);
	if (len) {
		if (next == '[')
			zs_only_in_bash(r, CONSTRUCT_SUBSCRIPT);
		if (next == ':' && peek(r, len + 1) && strchr("aAcehlpPqQrstuxFwWfg&", peek(r, len + 1)))
			zs_only_in_bash(r, CONSTRUCT_MODIFIER);
		if (c == '#' && (zs_is_name(next) || (next && strchr("@*#?$!-{", next))))
			zs_only_in_bash(r, CONSTRUCT_LENGTH);
		if (zs_is_digit(c) && zs_is_digit(next))
			zs_only_in_bash(r, CONSTRUCT_TWO_DIGITS);
		if (!zs_is_name_start(c))
			zs_only_in_bash(r, CONSTRUCT_SPECIAL);
	} else if (strchr("^=~", c) ||
		   (c == '+' && (zs_is_name(next) || is_wide(r, 2) || (next && strchr("{[(@*?$!-#", next))))) {
		zs_only_in_bash(r, CONSTRUCT_FLAG);
	}
}

/* Redirections */

/* Is it <1-9> or <->, which zsh takes for a pattern? */
static bool is_number_pattern(const struct strict_reader *r, uint32_t at)
{
	while (zs_is_digit(peek(r, at)))
		at++;
	if (peek(r, at++) != '-')
		return false;
	while (zs_is_digit(peek(r, at)))
		at++;
	return peek(r, at) == '>';
}

/* The descriptors that a redirection sets, as bits. */
static unsigned descriptors_of(const struct strict_reader *r, const char *op, uint32_t digits, char next)
{
	if (digits)
		return 1u << (peek(r, 0) - '0');
	if (op[0] == '&' || (strcmp(op, ">&") == 0 && next != '-' && !zs_is_digit(next)))
		return 1u << 1 | 1u << 2;
	return 1u << (op[0] != '<');
}

/* zsh makes a tee of >a >b, and a cat of <a <b. */
static void check_multios(struct strict_reader *r, unsigned bits)
{
	if (top(r)->descriptors & bits)
		zs_only_in_bash(r, CONSTRUCT_MULTIOS);
	top(r)->descriptors |= (uint16_t)bits;
}

void zs_check_redirect(struct strict_reader *r, const char *op, uint32_t digits)
{
	uint32_t end = digits + (uint32_t)strlen(op);
	char next = peek(r, end);
	bool writes = strchr(op, '>') != NULL;

	if (op[0] == '&' && r->at && zs_is_digit(r->text[r->at - 1]))
		zs_only_in_bash(r, CONSTRUCT_DIGIT_BOTH);
	if (op[0] == '&')
		zs_only_in_bash(r, op[2] ? CONSTRUCT_APPEND_BOTH : CONSTRUCT_REDIRECT_BOTH);
	if (op[0] == '<' && op[1] == '<')
		zs_only_in_bash(r, op[2] == '<' ? CONSTRUCT_HERE_STRING : CONSTRUCT_HERE_DOCUMENT);
	if (strcmp(op, "<") == 0 && is_number_pattern(r, end))
		zs_only_in_bash(r, CONSTRUCT_NUMBER_PATTERN);
	if (writes && next == '!')
		zs_only_in_bash(r, CONSTRUCT_FORCED_TARGET);
	if (writes && next == '?')
		zs_only_in_bash(r, CONSTRUCT_NEW_TARGET);
	if (strcmp(op, ">|") == 0)
		zs_only_in_bash(r, CONSTRUCT_PIPED_TARGET);
	if (digits && peek(r, 0) == '{')
		zs_only_in_bash(r, CONSTRUCT_NAMED_DESCRIPTOR);
	else if (digits > 1)
		zs_only_in_bash(r, CONSTRUCT_WIDE_DESCRIPTOR);
	else
		check_multios(r, descriptors_of(r, op, digits, next));
}

/* The whole text for ksh */

/* Commands of ksh that take commands, change how text is read, or write files (man 1 ksh; man 1 mksh). They are refused
 * anywhere in the text. */
static const char own_words[] = "autoload functions alias aliases print whence hist builtin enum nameref compound";

static bool starts_own_word(const char *text, uint32_t len, uint32_t at)
{
	uint32_t end = at;

	while (end < len && zs_is_name(text[end]))
		end++;
	return zs_listed_bytes(text + at, end - at, own_words);
}

/* The syntax at `at` that ksh may read differently; NULL if there is none. Quoting is ignored, so more is refused than
 * needed. */
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

static void check_ksh(struct zs_build *build, const struct zs_pending_text *pending)
{
	for (uint32_t at = 0; at < pending->len; at++) {
		const char *what = own_syntax(pending->text, pending->len, at);

		if (what) {
			find_dialect(build, pending, what, at);
			return;
		}
	}
}

void zs_take_shell(struct zs_build *build, const struct zs_pending_text *pending)
{
	bool zsh = pending->shell == ZS_SHELL_ZSH || pending->shell == ZS_SHELL_ANY;

	if (pending->shell == ZS_SHELL_KSH || pending->shell == ZS_SHELL_ANY)
		check_ksh(build, pending);
	/* builtins of zsh evaluate their operands: x='a[$(y)]'; exit $x runs y */
	build->assembly.evaluates |= zsh || pending->shell == ZS_SHELL_KSH;
	if (zsh || pending->shell == ZS_SHELL_FISH)
		build->unsplit = pending->shell;
}
