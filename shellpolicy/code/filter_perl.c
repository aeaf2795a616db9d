/* Perl: lets one-line programs through that only filter.
 *
 * Nobody can parse perl without running it, so this is an allow-list. A program is PLAIN if every token is known and
 * the end of each token is certain. Three rules keep it certain:
 *
 * - The state of perl's lexer (toke.c: PL_expect) decides whether `/`, `?`, `<`, `%`, `&` and `*` begin a term or are
 *   operators. After a `}` whose meaning perl guesses, and after a possible file handle, they are UNKNOWN. Quotes that
 *   nest, and delimiters with a meaning of their own, are UNKNOWN too.
 * - Two operands side by side are UNKNOWN: the first one is a function or a file handle. No file is opened.
 * - Without `use strict`, a string used as a reference names a package variable. A program that stores through one
 * could reach @ARGV (whose elements `<>` may run as commands), $^I and %SIG. So no reference is followed or made: `->`,
 *   `@$x`, `@{…}`, `$h{a}{b}`, `\`, `[…]` and `{…}` are UNKNOWN, and so is s///e.
 */
#include "code/code_judge.h"

enum word_kind {
	WORD_NONE,
	WORD_FUNCTION, /* a term or `(` follows, or nothing */
	WORD_CONSTANT,
	WORD_CONDITION, /* if (…), for (…), also a modifier */
	WORD_HEAD,      /* else and BEGIN, before a block */
	WORD_DECLARE,   /* my */
	WORD_INFIX,
	WORD_QUOTE, /* q, m, s: `flags` is the enum quote */
	WORD_USE,
	WORD_EXECUTES,
	WORD_WRITES,
};

enum {
	BLOCK = 1,      /* takes a block: map { … } @x */
	PRINTS = 2,     /* takes a file handle */
	IMPORTED = 4,   /* perl may not know it, and then reads the text after it differently: say /x/ is a division */
	DEFINED_OR = 8, /* the operator // may follow: shift // 0 */
};

enum quote { QUOTE_RAW, QUOTE_STRING, QUOTE_MATCH, QUOTE_SUBST, QUOTE_TRANSLATE };

static const struct word {
	enum word_kind kind;
	unsigned flags;
	const char *names;
} words[] = {
	{ WORD_CONDITION, 0, "if unless elsif while until for foreach" },
	{ WORD_HEAD, 0, "else continue BEGIN END" },
	{ WORD_DECLARE, 0, "my our local" },
	{ WORD_INFIX, 0, "cmp eq ne lt gt le ge and or xor" },
	{ WORD_QUOTE, QUOTE_RAW, "q qw" },
	{ WORD_QUOTE, QUOTE_STRING, "qq" },
	{ WORD_QUOTE, QUOTE_MATCH, "m qr" },
	{ WORD_QUOTE, QUOTE_SUBST, "s" },
	{ WORD_QUOTE, QUOTE_TRANSLATE, "tr y" },
	{ WORD_FUNCTION, PRINTS, "print printf" },
	{ WORD_FUNCTION, PRINTS | IMPORTED, "say" },
	{ WORD_CONSTANT, 0, "time wantarray" },
	{ WORD_FUNCTION, DEFINED_OR, "shift pop undef" },
	{ WORD_FUNCTION, BLOCK, "map grep sort" },
	{ WORD_FUNCTION, 0,
		"next last redo not return exit die warn sleep keys exists delete defined scalar values each push "
		"unshift splice reverse ref stat lstat length substr index rindex uc lc ucfirst lcfirst sprintf join "
		"split chomp chop chr ord pos quotemeta pack unpack hex oct abs int sqrt sin cos atan2 exp log rand "
		"srand localtime gmtime eof" },
	{ WORD_FUNCTION, IMPORTED,
		"sum sum0 product min max minstr maxstr uniq uniqnum shuffle looks_like_number floor ceil fmod "
		"strftime Dumper encode_base64 decode_base64 md5_hex sha1_hex sha256_hex" },
	{ WORD_USE, 0, "use" },
	{ WORD_EXECUTES, 0, "system exec qx readpipe" },
	{ WORD_WRITES, 0, "unlink rename mkdir rmdir link symlink truncate chmod chown utime" },
};

/* The kinds of `{`. */
enum {
	MARK_SUBSCRIPT = 1, /* of a subscript */
	MARK_BLOCK,         /* after `)`, else, BEGIN: a statement follows it */
	MARK_LIST,          /* after map, grep, sort: perl guesses whether it is a block or a hash */
};

static const struct word *word_named(const char *name, size_t len)
{
	static const struct word none = { WORD_NONE, 0, "" };

	for (size_t i = 0; len && i < sizeof words / sizeof *words; i++)
		if (zs_code_listed(name, len, words[i].names))
			return &words[i];
	return &none;
}

/* The word of a token; its kind is WORD_NONE if the token is no name. */
static const struct word *word_at(const struct code_text *p, size_t token)
{
	return word_named(
		p->text + p->tokens[token].start, code_kind(p, token) == CODE_NAME ? p->tokens[token].len : 0);
}

/* Is it a function? Its arguments may be absent. */
static bool is_function(const struct code_text *p, size_t token)
{
	enum word_kind kind = word_at(p, token)->kind;

	return kind == WORD_FUNCTION || kind == WORD_DECLARE;
}

/* The flags of the function whose first argument is `token`. */
static unsigned flags_of_function(const struct code_text *p, size_t token)
{
	const struct word *word = word_at(p, token - 1 - zs_code_is(p, token - 1, "("));

	return word->kind == WORD_FUNCTION ? word->flags : 0;
}

static bool is_variable(const struct code_text *p, size_t token)
{
	return code_kind(p, token) == CODE_NAME && is_one_of(code_sigil(p, token), "$@%");
}

/* The mark of the `{` that this `}` closes. */
static uint8_t mark_closed(const struct code_text *p, size_t token)
{
	return zs_code_is(p, token, "}") ? p->tokens[code_mate(p, token)].mark : 0;
}

/* Does a statement begin with this token? */
static bool leads(const struct code_text *p, size_t token)
{
	size_t last = token - 1;

	return mark_closed(p, last) == MARK_BLOCK || code_kind(p, last) == CODE_END || zs_code_is(p, last, ";") ||
	       (zs_code_is(p, last, "{") && p->tokens[last].mark != MARK_SUBSCRIPT);
}

/* Is the token a variable, $x or @x or $+, that a subscript may follow? */
static bool has_elements(const struct code_text *p, size_t token)
{
	int second = code_at(p, p->tokens[token].start + (size_t)1);

	return is_variable(p, token) && (is_word(second) || is_one_of(second, "{+"));
}

static size_t skip_word(const struct code_text *p, size_t pos)
{
	while (is_word(code_at(p, pos)))
		pos++;
	return pos;
}

/* The end of the name after a `$`: a word, digits, {word}, or one of `signs`. `at` if there is no name. */
static size_t skip_name(const struct code_text *p, size_t at, const char *signs)
{
	int c = code_at(p, at);
	size_t inner = skip_word(p, at + 1);

	if (is_word(c))
		return is_digit(c) ? code_skip(p, at, "0123456789") : skip_word(p, at);
	if (c == '{')
		return inner > at + 1 && code_at(p, inner) == '}' ? inner + 1 : at;
	return at + is_one_of(c, signs);
}

/* Strings and patterns. Subscripts in them are code ("$h{system 1}"): only constants and plain variables pass. */

/* Checks the text after the name of an interpolated variable. The name must end here: `::`, `'` and, under `use utf8`,
 * other letters would continue it. One subscript that calls nothing may follow: 1, -1, $i, key. A second subscript, or
 * `->`, would dereference. */
static bool skip_subscript(const struct code_text *p, size_t *pos, size_t end)
{
	int c = code_at(p, *pos);

	if (c >= 0x80 || code_starts(p, *pos, "::") || (c == '\'' && is_letter(code_at(p, *pos + 1))))
		return false;
	if (*pos < end && is_one_of(c, "[{")) {
		bool variable = code_at(p, *pos + 1) == '$';
		size_t at = *pos + 1 + (variable || code_at(p, *pos + 1) == '-'), close = skip_word(p, at);

		if (!variable && (c == '[' || is_digit(code_at(p, at))))
			close = code_skip(p, at, "0123456789");
		if (close == at || close >= end || code_at(p, close) != (c == '[' ? ']' : '}'))
			return false;
		*pos = close + 1;
		if (*pos < end && is_one_of(code_at(p, *pos), "[{"))
			return false;
	}
	return !code_starts(p, *pos, "->") || !is_one_of(code_at(p, *pos + 2), "[{@$%&*");
}

/* Reads the variable after a `$` or `@` in a string or pattern. */
static bool skip_variable(const struct code_text *p, size_t *pos, size_t end, bool pattern)
{
	bool scalar = p->text[*pos - 1] == '$';
	int c = *pos < end ? code_at(p, *pos) : END;
	size_t start = *pos;

	if (!scalar && !is_word(c))
		return c == END || (c < 0x80 && !is_one_of(c, ":'{$+-"));
	if (c == END || (pattern && is_one_of(c, "()| \n\t")))
		return true; /* in a pattern $ matches the end of the line; in a string it is a syntax error */
	*pos = skip_name(p, start, "&.!@,;/+-]");
	return *pos > start && *pos <= end && skip_subscript(p, pos, end);
}

/* Does this string or pattern only read the variables that it interpolates? */
static bool interpolates_plainly(const struct code_text *p, size_t pos, size_t end, bool pattern)
{
	while (pos < end) {
		int c = code_at(p, pos++), next = code_at(p, pos);

		if (pattern && ((c == '?' && next == '{') || (c == '(' && code_starts(p, pos, "*{"))))
			return false; /* (?{code}) */
		/* `\c\` swallows the second backslash; `\N{name}` looks names up */
		if (c == '\\' && (next == 'N' || (next == 'c' && !is_letter(code_at(p, pos + 1)))))
			return false;
		pos += c == '\\';
		if (is_one_of(c, "$@") && !skip_variable(p, &pos, end, pattern))
			return false;
	}
	return pos == end;
}

/* Reads the text after the delimiter `open`, and the closing delimiter. A text in which perl would drop a backslash or
 * count brackets is not known. */
static bool read_part(struct code_text *p, int open, enum quote kind)
{
	static const char brackets[] = "()[]{}";
	const char *bracket = strchr(brackets, open);
	int close = bracket ? bracket[1] : open;
	size_t start = p->pos;

	for (;; p->pos++) {
		int c = code_at(p, p->pos);

		if (c == '\\') {
			c = code_at(p, ++p->pos);
			if (bracket ? c == open || c == close : c == close && !is_one_of(c, "/\"'#,!%~|"))
				return false;
		} else if (c == close) {
			break;
		} else if (c == open) {
			return false;
		}
		if (c == END)
			return false;
	}
	p->pos++;
	return kind == QUOTE_RAW || kind == QUOTE_TRANSLATE ||
	       interpolates_plainly(p, start, p->pos - 1, kind != QUOTE_STRING);
}

/* Reads from the place after the delimiter `open`. No set of modifiers has `e`, with which the replacement is code. */
static bool read_quoted(struct code_text *p, enum quote kind, int open, size_t start)
{
	static const char *const modifiers[] = { "", "", "msixpodualngc", "msixpodualngcr", "cdsr" };

	if (!read_part(p, open, kind))
		return false;
	if (kind == QUOTE_SUBST || kind == QUOTE_TRANSLATE) {
		if (is_one_of(open, "([{") && code_at(p, p->pos++) != open)
			return false;
		if (!read_part(p, open, kind == QUOTE_SUBST ? QUOTE_STRING : kind))
			return false;
	}
	p->pos = code_skip(p, p->pos, modifiers[kind]);
	return !(kind >= QUOTE_MATCH && is_word(code_at(p, p->pos))) &&
	       zs_code_push(p, kind >= QUOTE_MATCH ? CODE_REGEX : CODE_STRING, start);
}

/* Tokens */

/* $h{key}: does the word from p->pos to `end` stand alone in these braces? */
static bool is_key(const struct code_text *p, size_t end)
{
	const struct code_token *last = &p->tokens[p->count - 1];

	return last->mark == MARK_SUBSCRIPT && code_skip(p, last->start + 1, " \t") == p->pos &&
	       code_at(p, code_skip(p, end, " \t")) == '}';
}

/* print $fh /x/, sort $by @x: perl guesses from the blanks whether $fh is a file handle, or $by a function. */
static bool is_handle_guessed(const struct code_text *p)
{
	size_t pos = code_skip(p, p->pos, " \t\n");
	int c = code_at(p, pos), next = code_at(p, pos + 1);

	return (pos > p->pos || c == '#') && (flags_of_function(p, p->count - (size_t)1) & (PRINTS | BLOCK)) &&
	       (is_one_of(c, "[{#") || (is_one_of(c, "&*<%.") && is_word(next)) ||
		       (is_one_of(c, "?-+/<") && !is_one_of(next, " \t\n=")));
}

/* $x, $#x, ${x}, $& */
static bool read_scalar(struct code_text *p)
{
	size_t start = p->pos, at = start + 1;
	int c = code_at(p, at), next = code_at(p, at + 1);

	if (c == '#' && is_letter(next))
		p->pos = skip_word(p, at + 1);
	else if (c == '^' && is_one_of(next, "VOX") && !is_word(code_at(p, at + 2)))
		p->pos = at + 2;
	else
		p->pos = skip_name(p, at, "&`+!@/\\,;.|\"-]?");
	if (p->pos == at || code_starts(p, p->pos, "::") || (is_word(c) && code_at(p, p->pos) == '\''))
		return false;
	return zs_code_push(p, CODE_NAME, start) && !is_handle_guessed(p);
}

static bool read_word(struct code_text *p)
{
	size_t start = p->pos, end = skip_word(p, start), next = code_skip(p, end, " \t\n");
	const struct word *word = word_named(p->text + start, end - start);
	bool operand = p->expect == EXPECT_OPERAND, key = is_key(p, end) || (operand && code_starts(p, next, "=>"));
	int open = code_at(p, end);

	p->pos = end;
	if (!key && !operand && p->text[start] == 'x' && !is_letter(code_at(p, start + 1))) {
		/* "-" x 3, "-" x3, $s x= 3 */
		p->pos = start + 1 + (code_at(p, start + 1) == '=');
		return !is_one_of(code_at(p, p->pos), "=~>") && zs_code_push(p, CODE_SIGN, start);
	}
	if (!key && operand && word->kind == WORD_QUOTE) {
		p->pos++;
		return is_one_of(open, "/|,!;:~%#@[{(") && read_quoted(p, (enum quote)word->flags, open, start);
	}
	if (!key && (code_starts(p, end, "::") || open == '\'' || code_starts(p, next, "=>")))
		return false;
	return zs_code_push(p, key ? CODE_STRING : CODE_NAME, start);
}

/* Only <> and <STDIN> are read; others may be globs or other handles (perldoc perlop). */
static bool read_input(struct code_text *p)
{
	size_t start = p->pos;

	p->pos += code_starts(p, start, "<>") ? 2 : 7;
	return (code_starts(p, start, "<>") || code_starts(p, start, "<STDIN>")) &&
	       zs_code_push(p, CODE_STRING, start) && !is_handle_guessed(p);
}

/* The token before a brace decides what the brace is. */
static bool read_brace(struct code_text *p)
{
	size_t start = p->pos++, last = p->count - (size_t)1;
	enum word_kind kind = word_at(p, last)->kind;
	uint8_t mark = 0;

	if (has_elements(p, last))
		mark = MARK_SUBSCRIPT;
	else if (zs_code_is(p, last, ")") || kind == WORD_HEAD)
		mark = MARK_BLOCK;
	else if (p->expect == EXPECT_OPERAND && (flags_of_function(p, p->count) & BLOCK))
		mark = MARK_LIST;
	p->mark = mark;
	return mark && zs_code_open(p, (struct code_scope){ .kind = SCOPE_BRACKET }, CODE_OPEN, start);
}

/* After a `}` whose meaning perl guesses, only a token that both meanings read alike passes. */
static bool is_certain(const struct code_text *p)
{
	int c = code_at(p, p->pos);

	return mark_closed(p, p->count - (size_t)1) != MARK_LIST || is_one_of(c, "$@()},;\"'") ||
	       (is_word(c) && c != 'x') || code_starts(p, p->pos, "<STDIN>") || code_starts(p, p->pos, "<>");
}

static bool perl_read_own(struct code_text *p, bool *ret_read)
{
	size_t start = p->pos, last = p->count - (size_t)1;
	int c = code_at(p, start), next = code_at(p, start + 1);
	bool operand = p->expect == EXPECT_OPERAND;

	*ret_read = true;
	/* `=word` at the start of a line is documentation */
	if (!is_certain(p) || (c == '=' && is_letter(next) && (!start || p->text[start - 1] == '\n')))
		return false;
	if (c == '`')
		p->found.effect = ZS_FILTER_EXECUTES;
	if (is_one_of(c, "\"'")) {
		p->pos++;
		return read_quoted(p, c == '"' ? QUOTE_STRING : QUOTE_RAW, c, start);
	}
	if (c == '$')
		return read_scalar(p);
	if (is_letter(c))
		return read_word(p);
	if (c == '{')
		return read_brace(p);
	if (operand && c == '/') {
		p->pos++;
		return !(word_at(p, last)->flags & DEFINED_OR) && read_quoted(p, QUOTE_MATCH, '/', start);
	}
	if (operand && c == '<')
		return read_input(p);
	if (operand && is_one_of(c, "@%")) {
		p->pos = skip_word(p, start + 1);
		return is_letter(next) && code_at(p, p->pos) != '\'' && !code_starts(p, p->pos, "::") &&
		       zs_code_push(p, CODE_NAME, start);
	}
	*ret_read = false;
	/* for (;;) is refused, and -e, a file test. In eof ? "x" : "y" a pattern may start at the `?` before perl 5.22,
	 * if another `?` ends it */
	return c != '`' && !(c == ';' && p->depth && !leads(p, p->scopes[p->depth - 1].token + (size_t)1)) &&
	       (!operand || (!(c == '&' && next != '&') && c != '*' && !(c == '-' && is_letter(next)) &&
				    !(c == '?' && memchr(p->text + start + 1, '?', p->len - start - 1))));
}

static enum code_expect perl_expect(const struct code_text *p)
{
	size_t last = p->count - (size_t)1;
	enum code_kind kind = code_kind(p, last);
	uint8_t mark = mark_closed(p, last);
	bool operand = kind == CODE_OPEN || kind == CODE_END || kind == CODE_SIGN;

	if (zs_code_in(p, last, "++ --"))
		return (enum code_expect)p->tokens[last].expect;
	if (kind == CODE_NAME)
		operand = !is_variable(p, last) && word_at(p, last)->kind != WORD_CONSTANT;
	else if (kind == CODE_CLOSE)
		operand = mark == MARK_BLOCK || mark == MARK_LIST;
	return operand ? EXPECT_OPERAND : EXPECT_OPERATOR;
}

/* `<>` opens the names in @ARGV, and %ENV, %SIG and @INC decide what runs. $ENV{x} may be read. */
static bool check_variable(const struct code_text *p, size_t at)
{
	const char *name = p->text + p->tokens[at].start + 1;
	size_t len = p->tokens[at].len - (size_t)1, next;

	if (*name == '{') {
		name++;
		len -= 2;
	}
	if (!zs_code_listed(name, len, "ENV"))
		return !zs_code_listed(name, len, "SIG INC ARGV ARGVOUT ISA main CORE 0");
	next = code_mate(p, at + 1) + 1;
	return code_sigil(p, at) == '$' && zs_code_is(p, at + 1, "{") && !zs_code_in(p, at - 1, "++ --") &&
	       (code_kind(p, next) != CODE_SIGN || zs_code_in(p, next, "== != . , ; ? : && || // =~ + - * < >"));
}

/* Does perl read the token after it alike, whether it knows the function or not? */
static bool check_imported(const struct code_text *p, size_t at)
{
	int c = code_at(p, code_skip(p, p->tokens[at].start + p->tokens[at].len, " \t\n"));

	if (is_letter(c))
		return c != 'x' && code_kind(p, at + 1) == CODE_NAME;
	return c == END || is_digit(c) || is_one_of(c, "($@\"';}),");
}

static bool check_word(struct code_text *p, size_t at)
{
	const struct word *word = word_at(p, at);
	bool first = leads(p, at), operand = p->tokens[at].expect == EXPECT_OPERAND;
	bool may_follow = !operand || is_function(p, at - 1); /* print if … */
	int next = code_sigil(p, at + 1);
	const char *name;
	size_t len;

	if (!operand && word->kind != WORD_INFIX && word->kind != WORD_CONDITION)
		return false;
	switch (word->kind) {
	case WORD_FUNCTION:
		return !(word->flags & IMPORTED) || check_imported(p, at);
	case WORD_CONDITION:
		return first ? is_one_of(next, "($") || zs_code_in(p, at + 1, "my our") : may_follow;
	case WORD_INFIX:
		return may_follow && !first;
	case WORD_HEAD:
		return first && next == '{';
	case WORD_DECLARE:
		return is_one_of(next, "$@%(");
	case WORD_EXECUTES:
		return zs_code_acts(p, ZS_FILTER_EXECUTES, at);
	case WORD_WRITES:
		name = zs_code_literal(p, at + 1 + zs_code_is(p, at + 1, "("), &len);
		if (name && !memchr(name, '$', len) && !memchr(name, '@', len)) {
			p->found.object = name;
			p->found.object_len = len;
		}
		return zs_code_acts(p, ZS_FILTER_WRITES, at);
	case WORD_USE:
		return first && zs_code_in(p, at + 1, "strict warnings") && zs_code_is(p, at + 2, ";");
	case WORD_NONE:
		return word_at(p, at - 1)->kind == WORD_USE;
	case WORD_CONSTANT:
	case WORD_QUOTE:
		break;
	}
	return true;
}

static bool check_sign(const struct code_text *p, size_t at)
{
	size_t declared = code_closes(p, at - 1) ? code_mate(p, at - 1) : at - 1;

	/* my $x :name is an attribute */
	if (zs_code_in(p, at, "-> ::") ||
		(zs_code_is(p, at, ":") && (leads(p, at) || word_at(p, declared - 1)->kind == WORD_DECLARE)))
		return false;
	if (p->tokens[at].expect == EXPECT_OPERATOR)
		return !zs_code_is(p, at, "!");
	if (zs_code_in(p, at, "+ - ! ++ -- ;"))
		return true;
	if (zs_code_is(p, at, ","))
		return !leads(p, at);
	/* operators after a function without arguments: length > 80 */
	return is_function(p, at - 1) &&
	       zs_code_in(p, at, "> >> >= >>= = == =~ => | || |= ||= ^ ^= && &&= ? : . .. ... .= != !~");
}

static bool check_bracket(const struct code_text *p, size_t at)
{
	if (zs_code_is(p, at, "("))
		/* for $x (…), for my $x (…) */
		return p->tokens[at].expect == EXPECT_OPERAND ||
		       (is_variable(p, at - 1) &&
			       zs_code_in(p, at - 2 - zs_code_in(p, at - 2, "my our"), "for foreach")) ||
		       (word_at(p, at - 1)->kind == WORD_CONSTANT && code_mate(p, at) == at + 1);
	/* an element; everything else makes a reference */
	return zs_code_is(p, at, "{") || zs_code_is(p, at - 1, ")") || has_elements(p, at - 1);
}

static bool perl_check_token(struct code_text *p, struct code_place place, size_t *ret_last)
{
	size_t at = place.first;
	bool operand = p->tokens[at].expect == EXPECT_OPERAND;

	(void)ret_last;
	if (code_kind(p, at) == CODE_SIGN)
		return check_sign(p, at);
	if (code_kind(p, at) == CODE_OPEN)
		return check_bracket(p, at);
	if (is_variable(p, at))
		return operand && check_variable(p, at);
	if (code_kind(p, at) == CODE_NAME)
		return check_word(p, at);
	return operand || code_kind(p, at) == CODE_CLOSE;
}

static const struct code_language perl = {
	.signs = "<=> **= ||= &&= //= <<= >>= ... ** =~ !~ == != <= >= => -> :: && || // .. ++ -- += -= *= "
		 "/= .= %= &= |= ^= << >> + - * / % . < > = & | ^ ? : , ; !",
	.refused = "#!", /* perl runs that interpreter */
	.hash_comments = true,
	.bare_point = true,
	.expect = perl_expect,
	.read_own = perl_read_own,
	.check = perl_check_token,
};

struct zs_filter zs_filter_perl(const char *program, size_t len)
{
	return zs_code_judge(program, len, &perl);
}
