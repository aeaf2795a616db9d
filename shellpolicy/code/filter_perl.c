/* Tokenizes perl to let through one-line programs that only filter.
 *
 * Nobody can parse perl without running it, so this is an allow-list: a program is PLAIN when every token of it is one
 * that we know, and when it is certain where each token ends. Three rules carry that certainty:
 *
 * - Whether `/`, `?`, `<`, `%`, `&` and `*` begin a term or are operators depends on what perl expects at that point
 *   (toke.c: PL_expect). We track it; after a `}` that perl decides by guessing, such a character is UNKNOWN.
 * - Subscripts inside strings and patterns are code ("$h{system 1}"); only constants and plain variables pass.
 * - Without `use strict`, a string used as a reference names a package variable, and a program that may store through
 *   one can reach @ARGV (whose elements `<>` may run as commands), $^I and %SIG. So nothing is dereferenced: `->`,
 *   `@$x`, `@{…}`, `$h{a}{b}` and what makes references (`\`, `[…]`, `{…}`) are UNKNOWN, and s///e is too.
 */
#include "code/perl_reader.h"

enum word_kind {
	WORD_NONE,
	WORD_FUNCTION, /* a term or `(` follows, or nothing */
	WORD_CONSTANT,
	WORD_CONDITION, /* if (…), also a modifier */
	WORD_FOR,
	WORD_HEAD, /* else, BEGIN: a block follows */
	WORD_DO,
	WORD_JUMP,    /* next LABEL */
	WORD_DECLARE, /* my */
	WORD_INFIX,
	WORD_QUOTE, /* q qq m s tr: `flags` is the enum perl_quote */
	WORD_USE,
	WORD_ON_HANDLE, /* eof ARGV */
	WORD_OPEN,
	WORD_EXECUTES,
	WORD_WRITES,
};

enum {
	BLOCK = 1,       /* takes a block: map { … } @x */
	PRINTS = 2,      /* takes a file handle */
	IMPORTED = 4,    /* perl may not know it, and then reads what follows otherwise: say /x/ is a division */
	READS = 8,       /* stores nothing, hands out no alias: may name %ENV */
	TAKES_ARGV = 16, /* may name @ARGV */
	DEFINED_OR = 32, /* `//` after it is an operator: shift // 0 */
};

struct word {
	enum word_kind kind;
	unsigned flags;
	const char *names;
};

static const struct word words[] = {
	{ WORD_CONDITION, 0, "if unless elsif while until" },
	{ WORD_FOR, 0, "for foreach" },
	{ WORD_HEAD, 0, "else continue BEGIN END" },
	{ WORD_DO, 0, "do" },
	{ WORD_JUMP, 0, "next last redo" },
	{ WORD_USE, 0, "use" },
	{ WORD_DECLARE, READS, "my our" },
	{ WORD_DECLARE, 0, "local state" },
	{ WORD_INFIX, 0, "cmp eq ne lt gt le ge and or xor" },
	{ WORD_QUOTE, QUOTE_RAW, "q qw" },
	{ WORD_QUOTE, QUOTE_STRING, "qq" },
	{ WORD_QUOTE, QUOTE_MATCH, "m qr" },
	{ WORD_QUOTE, QUOTE_SUBST, "s" },
	{ WORD_QUOTE, QUOTE_TRANSLATE, "tr y" },
	{ WORD_FUNCTION, PRINTS, "print printf" },
	{ WORD_FUNCTION, PRINTS | IMPORTED, "say" },
	{ WORD_ON_HANDLE, 0, "eof close" },
	{ WORD_CONSTANT, 0, "time times wantarray __LINE__ __FILE__" },
	{ WORD_FUNCTION, TAKES_ARGV | DEFINED_OR, "shift pop" },
	{ WORD_FUNCTION, DEFINED_OR, "undef" },
	{ WORD_FUNCTION, TAKES_ARGV, "scalar" },
	{ WORD_FUNCTION, READS, "keys exists delete defined" },
	{ WORD_FUNCTION, BLOCK, "map grep sort" },
	{ WORD_FUNCTION, 0, "not return exit die warn sleep values each push unshift splice reverse ref stat lstat" },
	{ WORD_FUNCTION, 0, "length substr index rindex uc lc ucfirst lcfirst sprintf join split chomp chop chr ord" },
	{ WORD_FUNCTION, 0, "pos quotemeta pack unpack hex oct abs int sqrt sin cos atan2 exp log rand srand" },
	{ WORD_FUNCTION, 0, "localtime gmtime" },
	{ WORD_FUNCTION, IMPORTED | BLOCK, "first any all none reduce" },
	{ WORD_FUNCTION, IMPORTED, "sum sum0 product min max minstr maxstr uniq uniqnum shuffle looks_like_number" },
	{ WORD_FUNCTION, IMPORTED, "floor ceil fmod strftime Dumper encode_base64 decode_base64" },
	{ WORD_FUNCTION, IMPORTED, "md5_hex sha1_hex sha256_hex" },
	{ WORD_OPEN, 0, "open" },
	{ WORD_EXECUTES, 0, "system exec qx readpipe" },
	{ WORD_WRITES, 0, "unlink rename mkdir rmdir link symlink truncate chmod chown utime" },
};

/* Modules whose import runs nothing of the program's and changes no syntax. */
static const char modules[] = "strict warnings utf8 feature integer List::Util Scalar::Util POSIX Data::Dumper "
			      "MIME::Base64 Digest::MD5 Digest::SHA";

/* Names that may not be used at all. */
static const char special[] = "SIG INC ARGVOUT ISA main CORE";

/* Longer ones first. */
static const char operators[] =
	"<=> **= ||= &&= //= <<= >>= ... ** =~ !~ == != <= >= => && || // .. ++ -- += -= *= /= .= %= &= |= ^= << >> "
	"+ - * / % . < > = & | ^ ? : ,";

static const struct word *find_word(const struct perl_reader *p, size_t at, size_t len)
{
	static const struct word none = { WORD_NONE, 0, "" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (len && zs_code_listed(p->text + at, len, words[i].names))
			return &words[i];
	return &none;
}

/* The length of the operator at `at`, or 0. */
static size_t operator_at(const struct perl_reader *p, size_t at)
{
	for (const char *sign = operators; *sign; sign += strspn(sign, " ")) {
		size_t len = strcspn(sign, " ");

		if (at + len <= p->len && memcmp(p->text + at, sign, len) == 0)
			return len;
		sign += len;
	}
	return 0;
}

static bool is_listed(const struct perl_reader *p, size_t at, size_t end, const char *list)
{
	return end > at && zs_code_listed(p->text + at, end - at, list);
}

static struct perl_scope *top(struct perl_reader *p)
{
	return &p->scopes[p->depth - 1];
}

/* The function that the term at hand is the first argument of. */
static unsigned word_flags(const struct perl_reader *p)
{
	return p->last == LAST_WORD || p->last == LAST_CALL ? p->flags : 0;
}

/* `#!` makes perl run that interpreter; `=word` at the start of a line is documentation. */
static bool skip_space(struct perl_reader *p)
{
	for (;;) {
		p->pos = skip_white(p, p->pos);
		if (peek(p) == '=' && is_letter(peek_at(p, p->pos + 1)) && (!p->pos || p->text[p->pos - 1] == '\n'))
			return unknown(p);
		if (peek(p) != '#')
			return true;
		if (peek_at(p, p->pos + 1) == '!')
			return unknown(p);
		while (peek(p) != END && peek(p) != '\n')
			p->pos++;
	}
}

/* Called at what opens it. */
static bool open_scope(struct perl_reader *p, enum perl_scope_kind kind, char close, enum perl_last last)
{
	bool block = kind == SCOPE_BLOCK || kind == SCOPE_BARE || kind == SCOPE_LIST || kind == SCOPE_DO;

	if (p->depth == PERL_DEPTH)
		return unknown(p);
	p->scopes[p->depth++] = (struct perl_scope){ .kind = kind, .close = close };
	p->pos++;
	after(p, block ? EXPECT_STATEMENT : EXPECT_TERM, last);
	return true;
}

static size_t filter_perl_skip_blanks(const struct perl_reader *p, size_t pos)
{
	while (is_one_of(peek_at(p, pos), " \t"))
		pos++;
	return pos;
}

/* Variables */

/* Behind a variable or an element of one: what follows neither subscripts it nor changes it when it is `fixed`. */
static bool finish_operand(struct perl_reader *p, bool fixed)
{
	size_t len;

	if (!skip_space(p))
		return false;
	len = operator_at(p, p->pos);
	if (is_one_of(peek(p), "[{") ||
		(fixed && (starts(p, p->pos, "x=") || starts(p, p->pos, "++") || starts(p, p->pos, "--"))))
		return unknown(p);
	if (fixed && len && p->text[p->pos + len - 1] == '=' && !is_listed(p, p->pos, p->pos + len, "== != <= >="))
		return unknown(p);
	after(p, EXPECT_OPERATOR, LAST_OTHER);
	return true;
}

/* `[` or `{` behind a variable. */
static bool read_subscript(struct perl_reader *p, bool fixed)
{
	bool key = peek(p) == '{';
	size_t at = filter_perl_skip_blanks(p, p->pos + 1), end;

	at += peek_at(p, at) == '-';
	end = filter_perl_skip_blanks(p, skip_word(p, at));
	if (key && is_letter(peek_at(p, at)) && peek_at(p, end) == '}') {
		p->pos = end + 1;
		return finish_operand(p, fixed);
	}
	if (!open_scope(p, SCOPE_SUBSCRIPT, key ? '}' : ']', LAST_OTHER))
		return false;
	top(p)->fixed = fixed;
	return true;
}

/* print $fh /x/, sort $by @x: perl guesses by the space whether $fh is a file handle, or $by a function. */
static bool check_handle_guess(struct perl_reader *p)
{
	size_t start = p->pos;
	int c, next;

	if (!(word_flags(p) & (PRINTS | BLOCK)))
		return true;
	if (!skip_space(p))
		return false;
	c = peek(p);
	next = peek_at(p, p->pos + 1);
	if (p->pos == start)
		return true;
	if (is_one_of(c, "[{") || (is_one_of(c, "&*<%.") && is_word(next)) ||
		(is_one_of(c, "?-+/<") && !is_one_of(next, " \t\n=")))
		return unknown(p);
	return true;
}

/* A term that ends at `end`, and that is neither subscripted nor stored into with effect. */
static bool finish_plain(struct perl_reader *p, size_t end)
{
	p->pos = end;
	if (!check_handle_guess(p))
		return false;
	after(p, EXPECT_OPERATOR, LAST_OTHER);
	return true;
}

/* A variable whose name is at [at, end). @ARGV holds what `<>` opens, and %ENV, %SIG and @INC decide what runs. */
static bool finish_variable(struct perl_reader *p, int sigil, size_t at, size_t end)
{
	bool fixed = is_listed(p, at, end, "ARGV ENV 0"), element;

	if (peek(p) == '\'' || starts(p, p->pos, "::") || is_listed(p, at, end, special) ||
		(fixed && p->last == LAST_STEP))
		return unknown_at(p, at);
	if ((sigil == '$' && !check_handle_guess(p)) || !skip_space(p))
		return false;
	element = is_one_of(peek(p), "[{");
	if (is_listed(p, at, end, "ARGV") &&
		(sigil == '$' ? element : sigil != '@' || element || !(word_flags(p) & TAKES_ARGV)))
		return unknown_at(p, at);
	if (is_listed(p, at, end, "ENV") && (sigil == '$' ? peek(p) != '{' : sigil != '%' || !(word_flags(p) & READS)))
		return unknown_at(p, at);
	return element ? read_subscript(p, fixed) : finish_operand(p, fixed);
}

/* $x, $#x, ${x}, $& */
static bool read_scalar(struct perl_reader *p)
{
	size_t at = ++p->pos, end = skip_word(p, at);
	int c = peek(p), next = peek_at(p, at + 1);

	if (is_letter(c) || (is_one_of(c, "+-") && is_one_of(next, "[{"))) {
		p->pos = is_letter(c) ? end : at + 1;
		return finish_variable(p, '$', at, p->pos);
	}
	if (is_digit(c)) {
		while (is_digit(peek(p)))
			p->pos++;
		return finish_variable(p, '$', at, p->pos);
	}
	if (c == '{') {
		at = filter_perl_skip_blanks(p, at + 1);
		end = skip_word(p, at);
		p->pos = filter_perl_skip_blanks(p, end);
		if (at == end || peek(p) != '}')
			return unknown(p);
		p->pos++;
		return finish_variable(p, '$', at, end);
	}
	if (c == '#' && is_letter(next))
		return finish_plain(p, skip_word(p, at + 1));
	if (c == '^' && is_one_of(next, "WTVOXNRS") && !is_word(peek_at(p, at + 2)))
		return finish_plain(p, at + 2);
	if ((c == '$' && !is_word(next) && !is_one_of(next, "${")) ||
		(is_one_of(c, "&`'+!@/\\,;.|\"-]?") && !(c == '\'' && is_letter(next)))) /* $'x is $main::x */
		return finish_plain(p, at + 1);
	return unknown(p);
}

/* @x, %x */
static bool read_list_variable(struct perl_reader *p)
{
	int sigil = peek(p);
	size_t at = ++p->pos;

	p->pos = skip_word(p, at);
	return is_letter(peek_at(p, at)) ? finish_variable(p, sigil, at, p->pos) : unknown_at(p, at - 1);
}

/* Words */

/* Where the first argument of a call begins: print X, print(X). */
static size_t skip_paren(const struct perl_reader *p, bool *ret_paren)
{
	size_t at = skip_white(p, p->pos);

	*ret_paren = peek_at(p, at) == '(';
	return *ret_paren ? skip_white(p, at + 1) : at;
}

/* The call's arguments end at `at`. */
static bool finish_call(struct perl_reader *p, size_t at, bool paren)
{
	p->pos = paren ? skip_white(p, at) : at;
	if (paren && peek(p) != ')')
		return unknown(p);
	p->pos += paren;
	after(p, EXPECT_OPERATOR, LAST_OTHER);
	return true;
}

/* `use VERSION`, `use MODULE LIST`. */
static bool read_use(struct perl_reader *p)
{
	size_t at = filter_perl_skip_blanks(p, p->pos), end = at;

	while (is_word(peek_at(p, end)) || is_one_of(peek_at(p, end), ":."))
		end++;
	p->pos = end;
	if (is_digit(peek_at(p, at)) || (peek_at(p, at) == 'v' && is_digit(peek_at(p, at + 1)))) {
		after(p, EXPECT_OPERATOR, LAST_OTHER);
		return true;
	}
	after(p, EXPECT_TERM, LAST_OTHER);
	return is_listed(p, at, end, modules) || unknown_at(p, at);
}

/* for (…), for my $x (…); elsewhere a modifier. */
static bool read_for(struct perl_reader *p)
{
	size_t at = skip_white(p, p->pos), end = skip_word(p, at);
	bool declares = is_listed(p, at, end, "my our");

	if (p->expect != EXPECT_STATEMENT) {
		after(p, EXPECT_TERM, LAST_OTHER);
		return true;
	}
	if (declares)
		at = skip_white(p, end);
	if (declares || peek_at(p, at) == '$') {
		end = skip_word(p, at + 1);
		if (peek_at(p, at) != '$' || !is_letter(peek_at(p, at + 1)) || is_listed(p, at + 1, end, special))
			return unknown_at(p, at);
		at = skip_white(p, end);
	}
	if (peek_at(p, at) != '(')
		return unknown_at(p, at);
	p->pos = at;
	return open_scope(p, SCOPE_FOR, ')', LAST_OTHER);
}

/* A word behind which `{` must follow. */
static bool read_head(struct perl_reader *p, enum perl_scope_kind kind)
{
	if (!skip_space(p))
		return false;
	return peek(p) == '{' ? open_scope(p, kind, '}', LAST_OTHER) : unknown(p);
}

/* print STDERR …, print(STDERR …) */
static bool read_output_handle(struct perl_reader *p)
{
	bool paren;
	size_t at = skip_paren(p, &paren), end = skip_word(p, at), next = filter_perl_skip_blanks(p, end);
	int c = peek_at(p, next);

	if (!is_listed(p, at, end, "STDOUT STDERR"))
		return true;
	if (c == 'x' || (is_word(c) && next == end) || (c == '(' && next == end) ||
		(c != END && !is_word(c) && !is_one_of(c, "\"'$@;)}\n(")))
		return unknown_at(p, next);
	if (paren) {
		p->pos = at - 1; /* where open_scope() takes the parenthesis to be */
		if (!open_scope(p, SCOPE_PAREN, ')', LAST_OTHER))
			return false;
	}
	p->pos = next;
	after(p, EXPECT_TERM, LAST_OTHER);
	return true;
}

/* eof, eof(), eof(ARGV), close ARGV */
static bool read_on_handle(struct perl_reader *p)
{
	bool paren;
	size_t at = skip_paren(p, &paren), end = skip_word(p, at);

	after(p, EXPECT_TERM, LAST_WORD);
	if (is_listed(p, at, end, "STDOUT STDERR STDIN ARGV"))
		return finish_call(p, end, paren);
	return !paren || finish_call(p, at, paren);
}

static bool read_function(struct perl_reader *p)
{
	size_t next = skip_white(p, p->pos);
	int c = peek_at(p, next);

	after(p, EXPECT_TERM, LAST_WORD);
	if (p->flags & IMPORTED) {
		if (c == '{' ? !(p->flags & BLOCK) : !is_word(c) && c != END && !is_one_of(c, "($@\"';}),"))
			return unknown_at(p, next);
		if (find_word(p, next, skip_word(p, next) - next)->kind == WORD_QUOTE || is_one_of(c, "x_"))
			return unknown_at(p, next);
	}
	return !(p->flags & PRINTS) || read_output_handle(p);
}

static bool read_jump(struct perl_reader *p)
{
	size_t at = filter_perl_skip_blanks(p, p->pos), end = at;

	while (peek_at(p, end) >= 'A' && peek_at(p, end) <= 'Z')
		end++;
	if (end > at && is_word(peek_at(p, end)))
		return unknown_at(p, at);
	p->pos = end;
	after(p, end > at ? EXPECT_OPERATOR : EXPECT_TERM, end > at ? LAST_OTHER : LAST_WORD);
	return true;
}

/* The last quote of a text that begins at `at` and interpolates nothing, or 0. */
static size_t literal_end(const struct perl_reader *p, size_t at)
{
	size_t end = at + 1;

	while (peek_at(p, end) != END && !is_one_of(peek_at(p, end), "$@\\\n\"'"))
		end++;
	return is_one_of(peek_at(p, at), "\"'") && peek_at(p, end) == peek_at(p, at) ? end : 0;
}

/* open my $f, '<', 'FILE': the one form that opens a file and surely reads it. Two arguments may write or run ("|x"),
 * and so may other modes. */
static bool read_open(struct perl_reader *p)
{
	static const char modes[] = "'<' \"<\" '<:utf8' \"<:utf8\" '<:raw' \"<:raw\" '<:encoding(UTF-8)' "
				    "\"<:encoding(UTF-8)\"";
	bool paren;
	size_t at = skip_paren(p, &paren), end;

	if (!starts(p, at, "my ") && !starts(p, at, "my$"))
		return unknown_at(p, at);
	at = skip_white(p, at + 2);
	end = skip_word(p, at + 1);
	if (!starts(p, at, "$") || !is_letter(peek_at(p, at + 1)) || is_listed(p, at + 1, end, special))
		return unknown_at(p, at);
	at = skip_white(p, end);
	if (!starts(p, at, ","))
		return unknown_at(p, at);
	at = end = skip_white(p, at + 1);
	while (peek_at(p, end) != END && !is_one_of(peek_at(p, end), ", \t\n"))
		end++;
	if (!is_listed(p, at, end, modes))
		return unknown_at(p, at);
	at = skip_white(p, end);
	if (!starts(p, at, ","))
		return unknown_at(p, at);
	at = skip_white(p, at + 1);
	end = literal_end(p, at);
	return end ? finish_call(p, end + 1, paren) : unknown_at(p, at);
}

/* For the report: the only argument, when it is a literal. */
static bool settle_write(struct perl_reader *p, size_t at)
{
	bool paren;
	size_t text = skip_paren(p, &paren), end = literal_end(p, text), next = skip_white(p, end + 1);

	settle(p, ZS_FILTER_WRITES, at);
	if (end && (peek_at(p, next) == END || is_one_of(peek_at(p, next), ");}"))) {
		p->found.object = p->text + text + 1;
		p->found.object_len = end - text - 1;
	}
	return false;
}

static bool read_known_word(struct perl_reader *p, const struct word *word, size_t at)
{
	bool leads = p->expect == EXPECT_STATEMENT;
	bool may_follow = leads || p->last == LAST_WORD; /* print if … */

	if (word->kind != WORD_INFIX)
		p->flags = word->flags;
	switch (word->kind) {
	case WORD_FUNCTION:
		return read_function(p);
	case WORD_CONSTANT:
		p->pos += starts(p, p->pos, "()") ? 2 : 0;
		after(p, EXPECT_OPERATOR, LAST_OTHER);
		return true;
	case WORD_CONDITION:
		if (!may_follow || (leads && peek_at(p, skip_white(p, p->pos)) != '('))
			return unknown_at(p, at);
		after(p, EXPECT_TERM, LAST_OTHER);
		return true;
	case WORD_INFIX:
		if (leads || !may_follow)
			return unknown_at(p, at);
		after(p, EXPECT_TERM, LAST_OTHER);
		return true;
	case WORD_FOR:
		return may_follow ? read_for(p) : unknown_at(p, at);
	case WORD_HEAD:
		return leads ? read_head(p, SCOPE_BLOCK) : unknown_at(p, at);
	case WORD_DO:
		return read_head(p, SCOPE_DO);
	case WORD_JUMP:
		return read_jump(p);
	case WORD_DECLARE:
		p->flags = 0;
		after(p, EXPECT_TERM, LAST_WORD);
		return is_one_of(peek_at(p, skip_white(p, p->pos)), word->flags & READS ? "$@%(" : "$@(") || unknown(p);
	case WORD_QUOTE:
		return zs_perl_read_quote_word(p, (enum perl_quote)word->flags);
	case WORD_USE:
		return leads ? read_use(p) : unknown_at(p, at);
	case WORD_ON_HANDLE:
		return read_on_handle(p);
	case WORD_OPEN:
		return read_open(p);
	case WORD_EXECUTES:
		return settle(p, ZS_FILTER_EXECUTES, at);
	case WORD_WRITES:
		return settle_write(p, at);
	case WORD_NONE:
		break;
	}
	return unknown_at(p, at);
}

/* A word where perl expects a term. */
static bool filter_perl_read_word(struct perl_reader *p)
{
	size_t at = p->pos, end = skip_word(p, at);
	const struct word *word = find_word(p, at, end - at);

	p->pos = end;
	if (starts(p, end, "::"))
		return unknown_at(p, at);
	if (starts(p, filter_perl_skip_blanks(p, end), "=>")) {
		after(p, EXPECT_OPERATOR, LAST_OTHER);
		return true;
	}
	if (peek(p) == '\'' && word->kind != WORD_QUOTE)
		return unknown_at(p, at);
	return read_known_word(p, word, at);
}

/* Tokens */

static bool filter_perl_read_number(struct perl_reader *p)
{
	if (peek(p) == '0' && is_one_of(peek_at(p, p->pos + 1), "xXbB")) {
		p->pos = skip_word(p, p->pos);
	} else {
		while (is_digit(peek(p)) || peek(p) == '_')
			p->pos++;
		if (peek(p) == '.' && peek_at(p, p->pos + 1) != '.')
			for (p->pos++; is_digit(peek(p)) || peek(p) == '_'; p->pos++)
				;
		if (is_one_of(peek(p), "eE")) {
			size_t digits = p->pos + 1 + (size_t)is_one_of(peek_at(p, p->pos + 1), "+-");

			while (is_digit(peek_at(p, digits)))
				p->pos = ++digits;
		}
	}
	/* 1.2.3 is a string, 0x1.8p1 a number, and 1x3 is read in more than one way */
	if (is_word(peek(p)) || (peek(p) == '.' && peek_at(p, p->pos + 1) != '.'))
		return unknown(p);
	after(p, EXPECT_OPERATOR, LAST_OTHER);
	return true;
}

/* <>, <STDIN>, and <$f>: with a blank or a subscript it would be a glob (perldoc perlop), and a name in $f stands for
 * that handle, of which ARGV opens the operands, as <> does. */
static bool read_input(struct perl_reader *p)
{
	size_t at = p->pos + 2, end = skip_word(p, at);

	if (starts(p, p->pos, "<>"))
		return finish_plain(p, p->pos + 2);
	if (starts(p, p->pos, "<STDIN>"))
		return finish_plain(p, p->pos + 7);
	if (!starts(p, p->pos, "<$") || !is_letter(peek_at(p, at)) || peek_at(p, end) != '>' ||
		is_listed(p, at, end, special))
		return unknown(p);
	return finish_plain(p, end + 1);
}

/* Unary minus, --, and the file tests. */
static bool read_minus(struct perl_reader *p)
{
	size_t at = p->pos++, next = skip_white(p, p->pos + 1);
	int c = peek(p);

	if (c == '-') {
		p->pos++;
		after(p, EXPECT_TERM, LAST_STEP);
	} else if (c == '>') {
		return unknown_at(p, at);
	} else if (is_letter(c) && !is_word(peek_at(p, p->pos + 1)) && !starts(p, next, "=>")) {
		if (!is_one_of(c, "edfrwxoRWXOzslpSugktTBAMCbc"))
			return unknown_at(p, at);
		p->pos++;
		p->flags = DEFINED_OR;
		after(p, EXPECT_TERM, LAST_WORD);
	} else {
		after(p, EXPECT_TERM, LAST_OTHER);
	}
	return true;
}

static bool filter_perl_read_close(struct perl_reader *p, int c)
{
	static const enum perl_expect expected[] = {
		[SCOPE_BLOCK] = EXPECT_STATEMENT,
		[SCOPE_BARE] = EXPECT_STATEMENT,
		[SCOPE_LIST] = EXPECT_TERM,
		[SCOPE_DO] = EXPECT_OPERATOR,
		[SCOPE_PAREN] = EXPECT_OPERATOR,
		[SCOPE_FOR] = EXPECT_OPERATOR,
		[SCOPE_SUBSCRIPT] = EXPECT_OPERATOR,
	};
	struct perl_scope scope = *top(p);

	if (p->depth == 1 || scope.close != c)
		return unknown(p);
	p->depth--;
	p->pos++;
	if (scope.kind == SCOPE_SUBSCRIPT)
		return finish_operand(p, scope.fixed);
	p->doubtful = scope.kind == SCOPE_BARE || scope.kind == SCOPE_LIST || scope.kind == SCOPE_DO;
	after(p, expected[scope.kind],
		scope.kind == SCOPE_PAREN || scope.kind == SCOPE_FOR ? LAST_CLOSE_PAREN : LAST_OTHER);
	return true;
}

static bool read_semicolon(struct perl_reader *p)
{
	enum perl_scope_kind kind = top(p)->kind;

	if (kind == SCOPE_PAREN || kind == SCOPE_SUBSCRIPT)
		return unknown(p);
	p->pos++;
	after(p, kind == SCOPE_FOR ? EXPECT_TERM : EXPECT_STATEMENT, LAST_OTHER);
	top(p)->ternaries = 0;
	return true;
}

static bool read_operator(struct perl_reader *p)
{
	size_t len = operator_at(p, p->pos);
	int c = peek(p);

	if (!len || starts(p, p->pos, "->"))
		return unknown(p);
	if (c == '?')
		top(p)->ternaries++;
	if (c == ':' && !top(p)->ternaries--)
		return unknown(p); /* an attribute: my $x :name */
	after(p, starts(p, p->pos, "++") || starts(p, p->pos, "--") ? EXPECT_OPERATOR : EXPECT_TERM, LAST_OTHER);
	p->pos += len;
	return true;
}

/* A word where perl expects an operator. */
static bool read_word_operator(struct perl_reader *p)
{
	size_t at = p->pos, end = skip_word(p, at);
	enum word_kind kind = find_word(p, at, end - at)->kind;

	if (peek(p) == 'x' && !is_letter(peek_at(p, at + 1))) {
		/* "-" x 3, "-" x3, $s x= 3 */
		if (starts(p, at, "x==") || starts(p, at, "x=~") || starts(p, at, "x=>"))
			return unknown(p);
		p->pos += starts(p, at, "x=") ? 2 : 1;
	} else if (starts(p, end, "::") || peek_at(p, end) == '\'' || starts(p, skip_white(p, end), "=>") ||
		   (kind != WORD_INFIX && kind != WORD_CONDITION && kind != WORD_FOR)) {
		return unknown(p);
	} else {
		p->pos = end;
	}
	after(p, EXPECT_TERM, LAST_OTHER);
	return true;
}

static bool read_after_term(struct perl_reader *p, int c)
{
	if (c == '[')
		return p->last == LAST_CLOSE_PAREN ? read_subscript(p, false) : unknown(p);
	if (c == '{')
		return p->last == LAST_CLOSE_PAREN ? open_scope(p, SCOPE_BLOCK, '}', LAST_OTHER) : unknown(p);
	if (is_one_of(c, ")]}"))
		return filter_perl_read_close(p, c);
	if (c == ';')
		return read_semicolon(p);
	return is_letter(c) ? read_word_operator(p) : read_operator(p);
}

/* Operators after a function without arguments (length > 80), and commas. The rest begins a term there. */
static bool read_operator_after_word(struct perl_reader *p, int c)
{
	int next = peek_at(p, p->pos + 1);

	if (c == ',' && p->expect == EXPECT_TERM)
		return read_operator(p);
	/* eof ? "x" : "y": before perl 5.22 a pattern may start here, if there is another `?` to end it */
	if (p->expect != EXPECT_TERM || p->last != LAST_WORD || (c == '&' && next != '&') ||
		(c == '.' && is_digit(next)) || (c == '?' && memchr(p->text + p->pos + 1, '?', p->len - p->pos - 1)))
		return unknown(p);
	return read_operator(p);
}

static bool read_open_brace(struct perl_reader *p)
{
	if (p->expect == EXPECT_STATEMENT)
		return open_scope(p, SCOPE_BARE, '}', LAST_OTHER);
	/* else print {$handle}, or a hash */
	return (word_flags(p) & BLOCK) ? open_scope(p, SCOPE_LIST, '}', LAST_OTHER) : unknown(p);
}

static bool read_slash(struct perl_reader *p)
{
	if (p->last == LAST_WORD && (p->flags & DEFINED_OR))
		return starts(p, p->pos, "//") ? read_operator(p) : unknown(p);
	p->pos++;
	return zs_perl_read_quoted(p, QUOTE_MATCH, '/');
}

static bool read_term(struct perl_reader *p, int c)
{
	switch (c) {
	case '$':
		return read_scalar(p);
	case '@':
	case '%':
		return read_list_variable(p);
	case '"':
	case '\'':
		p->pos++;
		return zs_perl_read_quoted(p, c == '"' ? QUOTE_STRING : QUOTE_RAW, c);
	case '`':
		return settle(p, ZS_FILTER_EXECUTES, p->pos);
	case '/':
		return read_slash(p);
	case '<':
		return read_input(p);
	case '(':
		return open_scope(p, SCOPE_PAREN, ')', p->last == LAST_WORD ? LAST_CALL : LAST_OTHER);
	case '{':
		return read_open_brace(p);
	case ')':
	case ']':
	case '}':
		return filter_perl_read_close(p, c);
	case ';':
		return read_semicolon(p);
	case '-':
		return read_minus(p);
	case '!':
		if (is_one_of(peek_at(p, p->pos + 1), "=~") && p->last == LAST_WORD)
			return read_operator(p);
		p->pos++;
		after(p, EXPECT_TERM, LAST_OTHER);
		return true;
	case '+':
		after(p, EXPECT_TERM, peek_at(p, p->pos + 1) == '+' ? LAST_STEP : LAST_OTHER);
		p->pos += p->last == LAST_STEP ? 2 : 1;
		return true;
	default:
		if (is_one_of(c, ">=|^&?:,") || (c == '.' && !is_digit(peek_at(p, p->pos + 1))))
			return read_operator_after_word(p, c);
		if (is_digit(c) || c == '.')
			return filter_perl_read_number(p);
		return is_letter(c) ? filter_perl_read_word(p) : unknown(p);
	}
}

/* After a `}` that perl decides by guessing, only what reads the same in either case passes. */
static bool is_certain(const struct perl_reader *p, int c)
{
	size_t next = p->pos + 1;

	if (c == '%' && p->expect == EXPECT_TERM && is_letter(peek_at(p, next)))
		return find_word(p, next, skip_word(p, next) - next)->kind == WORD_NONE && !starts(p, next, "x");
	if (c == '<' && p->expect == EXPECT_TERM)
		return starts(p, p->pos, "<STDIN>") || starts(p, p->pos, "<>");
	if (c == '{')
		return p->expect == EXPECT_STATEMENT;
	return !is_one_of(c, "/?<%&*[x-") && !(c == '.' && is_digit(peek_at(p, next)));
}

static bool read_program(struct perl_reader *p)
{
	for (;;) {
		bool doubtful = p->doubtful;

		if (!skip_space(p))
			return false;
		if (peek(p) == END)
			return p->depth == 1 || unknown(p);
		p->doubtful = false;
		if (doubtful && !is_certain(p, peek(p)))
			return unknown(p);
		if (p->expect == EXPECT_OPERATOR ? !read_after_term(p, peek(p)) : !read_term(p, peek(p)))
			return false;
	}
}

struct zs_filter zs_filter_perl(const char *program, size_t len)
{
	/* the first scope is the block that -n wraps around the program, which may not be closed */
	struct perl_reader p = { .text = program, .len = len, .depth = 1 };

	if (read_program(&p))
		settle(&p, ZS_FILTER_PLAIN, 0);
	return p.found;
}
