/* Tokenizes perl to let through one-line programs that only filter.
 *
 * Nobody can parse perl without running it, so this is an allow-list: a program is PLAIN when every token of it is one
 * that this file knows, and when it is certain where each token ends. Three rules carry that certainty:
 *
 * - Whether `/`, `?`, `<`, `%`, `&`, `*` and `{` begin a term or are operators depends on what perl expects at that
 *   point (toke.c: PL_expect). We track it; after a `}` that perl decides by guessing, such a character is UNKNOWN.
 * - Subscripts inside strings and patterns are code ("$h{system 1}"); only constants and plain variables pass.
 * - Without `use strict`, a string used as a reference names a package variable, and a program that may store through
 *   one can reach @ARGV (whose elements `<>` may run as commands), $^I and %SIG. So a program may only dereference what
 *   must be a reference: elements of containers into which it never stores anything else (see record_access()).
 */
#include "filter.h"

#include <stdbool.h>
#include <string.h>

enum {
	END = -1,
	DEPTH_LIMIT = 64,    /* open brackets */
	NEST_LIMIT = 4,      /* s///e in s///e */
	CONTAINER_LIMIT = 32 /* arrays and hashes */
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* What perl expects next. */
enum perl_expect { EXPECT_STATEMENT, EXPECT_TERM, EXPECT_OPERATOR };

/* What came last, as far as it matters. */
enum perl_last {
	LAST_OTHER,
	LAST_WORD,        /* a function, whose arguments may be absent; r->word says which */
	LAST_CALL,        /* `(` right after a function */
	LAST_BLOCK,       /* `{` of a block that maps a list */
	LAST_VARIABLE,    /* may be subscripted */
	LAST_CLOSE_PAREN, /* may be subscripted, or followed by a block */
	LAST_VALUE,       /* may not */
	LAST_COPIES,      /* an operator that copies its operands: + . == cmp */
	LAST_ASSIGNS,     /* = += */
	LAST_ALIASES,     /* \ ++ -- =~: the operand itself, not a copy of it */
};

enum perl_scope_kind {
	SCOPE_BLOCK,      /* after `)`, else, BEGIN: a statement follows it */
	SCOPE_BARE,       /* a block, or perl's guess that it is a hash */
	SCOPE_LIST_BLOCK, /* of map, grep, sort */
	SCOPE_DO,
	SCOPE_HASH, /* a hash, or perl's guess that it is a block */
	SCOPE_PAREN,
	SCOPE_FOR, /* for (;;) */
	SCOPE_ARRAY,
	SCOPE_INDEX, /* $x[…] */
	SCOPE_KEY,   /* $x{…} */
	SCOPE_DEREF, /* @{…} */
	SCOPE_CODE,  /* the replacement of s///e */
};

/* One use of a variable with its subscripts: `$h{a}[0]` is level 2 of %h. */
struct perl_access {
	size_t start;
	size_t name;
	size_t name_len;
	size_t level;
	enum perl_last before;
	char kind;      /* '[' of an array, '{' of a hash */
	bool is_scalar; /* $x->[0]: the reference is in a scalar, which may hold a string */
	bool reads;     /* keys, exists, delete, defined: stores nothing, hands out no alias */
	bool fixed;     /* may not be assigned to */
};

struct perl_scope {
	enum perl_scope_kind kind;
	size_t first; /* where what is inside begins */
	size_t ternaries;
	bool reads;      /* of SCOPE_DEREF: see perl_access */
	bool has_access; /* of SCOPE_DEREF: the access that is all of its inside */
	struct perl_access access;
};

struct perl_container {
	size_t name;
	size_t name_len;
	char kind;
	size_t deepest;          /* level that is reached without `use strict` */
	size_t shallowest_store; /* level at which something may be stored */
	size_t at;
};

enum perl_word_kind {
	WORD_FUNCTION, /* a term or `(` follows, or nothing */
	WORD_CONSTANT,
	WORD_CONDITION, /* if (…), also a modifier */
	WORD_FOR,
	WORD_HEAD, /* else, BEGIN: a block follows */
	WORD_DO,
	WORD_JUMP,    /* next LABEL */
	WORD_DECLARE, /* my */
	WORD_INFIX,
	WORD_RAW,       /* q qw */
	WORD_STRING,    /* qq */
	WORD_MATCH,     /* m qr */
	WORD_SUBST,     /* s */
	WORD_TRANSLATE, /* tr y */
	WORD_USE,
	WORD_ON_HANDLE, /* eof ARGV */
	WORD_BINMODE,
	WORD_EXECUTES,
	WORD_WRITES,
	WORD_OPEN,
};

enum {
	BLOCK = 1,       /* takes a block: map { … } @x */
	PRINTS = 2,      /* takes a file handle */
	IMPORTED = 4,    /* perl may not know it, and then reads what follows otherwise: say /x/ is a division */
	READS = 8,       /* see perl_access.reads */
	TAKES_ARGV = 16, /* may name @ARGV */
	COPIES = 32,     /* an operator whose operands are only copied from */
	DEFINED_OR = 64, /* `//` after it is an operator: shift // 0 */
};

/* Words that are read alike. */
struct perl_word {
	enum perl_word_kind kind;
	unsigned flags;
	const char *names; /* each with a space around it */
};

struct perl_frame {
	size_t len;
	size_t resume;
	size_t depth;
};

struct perl_reader {
	const char *text;
	size_t len;
	size_t pos;
	enum perl_expect expect;
	enum perl_last last;
	bool doubtful;       /* perl guessed what the last `}` closed */
	bool strict;         /* `use strict` holds: a string is never a reference */
	bool wrapper_closed; /* `}` closed the loop that -n and -p wrap around the program, as in `}{` */
	bool overflow;       /* more containers than we remember */
	const struct perl_word *word;
	struct perl_access access; /* of LAST_VARIABLE */
	size_t depth;
	struct perl_scope scopes[DEPTH_LIMIT];
	size_t nesting;
	struct perl_frame frames[NEST_LIMIT];
	size_t container_count;
	struct perl_container containers[CONTAINER_LIMIT];
	struct zs_filter found; /* set by settle(), read when a reading function returned false */
};

static const struct perl_word words[] = {
	{ WORD_CONDITION, 0, " if unless elsif while until " },
	{ WORD_FOR, 0, " for foreach " },
	{ WORD_HEAD, 0, " else continue BEGIN END " },
	{ WORD_DO, 0, " do " },
	{ WORD_JUMP, 0, " next last redo " },
	{ WORD_USE, 0, " use " },
	{ WORD_DECLARE, READS, " my our " },
	{ WORD_DECLARE, 0, " local state " },
	{ WORD_INFIX, COPIES, " cmp eq ne lt gt le ge " },
	{ WORD_INFIX, 0, " and or xor " },
	{ WORD_RAW, 0, " q qw " },
	{ WORD_STRING, 0, " qq " },
	{ WORD_MATCH, 0, " m qr " },
	{ WORD_SUBST, 0, " s " },
	{ WORD_TRANSLATE, 0, " tr y " },
	{ WORD_FUNCTION, PRINTS, " print printf " },
	{ WORD_FUNCTION, PRINTS | IMPORTED, " say " },
	{ WORD_ON_HANDLE, 0, " eof close " },
	{ WORD_BINMODE, 0, " binmode " },
	{ WORD_CONSTANT, 0, " time times wantarray __LINE__ __FILE__ " },
	{ WORD_FUNCTION, TAKES_ARGV | DEFINED_OR, " shift pop " },
	{ WORD_FUNCTION, DEFINED_OR, " undef " },
	{ WORD_FUNCTION, TAKES_ARGV, " scalar " },
	{ WORD_FUNCTION, READS, " keys exists delete defined " },
	{ WORD_FUNCTION, BLOCK, " map grep sort " },
	{ WORD_FUNCTION, 0, " not return exit die warn sleep values each push unshift splice reverse ref stat lstat " },
	{ WORD_FUNCTION, 0,
		" length substr index rindex uc lc ucfirst lcfirst sprintf join split chomp chop chr ord " },
	{ WORD_FUNCTION, 0, " pos quotemeta pack unpack hex oct abs int sqrt sin cos atan2 exp log rand srand " },
	{ WORD_FUNCTION, 0, " localtime gmtime " },
	{ WORD_FUNCTION, IMPORTED | BLOCK, " first any all none reduce " },
	{ WORD_FUNCTION, IMPORTED, " sum sum0 product min max minstr maxstr uniq uniqnum shuffle looks_like_number " },
	{ WORD_FUNCTION, IMPORTED, " floor ceil fmod strftime Dumper encode_base64 decode_base64 " },
	{ WORD_FUNCTION, IMPORTED, " md5_hex sha1_hex sha256_hex " },
	{ WORD_EXECUTES, 0, " system exec qx readpipe " },
	{ WORD_WRITES, 0, " unlink rename mkdir rmdir link symlink truncate chmod chown utime " },
	{ WORD_OPEN, 0, " open " },
};

/* Modules whose import runs nothing of the program's and changes no syntax. */
static const char *const modules[] = {
	"strict",
	"warnings",
	"utf8",
	"feature",
	"integer",
	"List::Util",
	"Scalar::Util",
	"POSIX",
	"Data::Dumper",
	"MIME::Base64",
	"Digest::MD5",
	"Digest::SHA",
};

/* Longest first. */
static const struct perl_operator {
	char text[4];
	enum perl_last last;
} operators[] = {
	{ "<=>", LAST_COPIES },
	{ "**=", LAST_ASSIGNS },
	{ "||=", LAST_ASSIGNS },
	{ "&&=", LAST_ASSIGNS },
	{ "//=", LAST_ASSIGNS },
	{ "<<=", LAST_ASSIGNS },
	{ ">>=", LAST_ASSIGNS },
	{ "...", LAST_COPIES },
	{ "**", LAST_COPIES },
	{ "=~", LAST_ALIASES },
	{ "!~", LAST_ALIASES },
	{ "==", LAST_COPIES },
	{ "!=", LAST_COPIES },
	{ "<=", LAST_COPIES },
	{ ">=", LAST_COPIES },
	{ "=>", LAST_OTHER },
	{ "&&", LAST_OTHER },
	{ "||", LAST_OTHER },
	{ "//", LAST_OTHER },
	{ "..", LAST_COPIES },
	{ "++", LAST_ALIASES },
	{ "--", LAST_ALIASES },
	{ "+=", LAST_ASSIGNS },
	{ "-=", LAST_ASSIGNS },
	{ "*=", LAST_ASSIGNS },
	{ "/=", LAST_ASSIGNS },
	{ ".=", LAST_ASSIGNS },
	{ "%=", LAST_ASSIGNS },
	{ "&=", LAST_ASSIGNS },
	{ "|=", LAST_ASSIGNS },
	{ "^=", LAST_ASSIGNS },
	{ "x=", LAST_ASSIGNS },
	{ "<<", LAST_COPIES },
	{ ">>", LAST_COPIES },
	{ "+", LAST_COPIES },
	{ "-", LAST_COPIES },
	{ "*", LAST_COPIES },
	{ "/", LAST_COPIES },
	{ "%", LAST_COPIES },
	{ ".", LAST_COPIES },
	{ "<", LAST_COPIES },
	{ ">", LAST_COPIES },
	{ "=", LAST_ASSIGNS },
	{ "&", LAST_COPIES },
	{ "|", LAST_COPIES },
	{ "^", LAST_COPIES },
	{ "?", LAST_OTHER },
	{ ":", LAST_OTHER },
	{ ",", LAST_OTHER },
};

/* Containers that perl itself fills with strings. */
static const char *const filled_by_perl[] = { "F", "_", "ENV", "+", "-" };

/* --- characters --- */

static int peek_at(const struct perl_reader *r, size_t pos)
{
	return pos < r->len ? (unsigned char)r->text[pos] : END;
}

static int peek(const struct perl_reader *r)
{
	return peek_at(r, r->pos);
}

static bool settle(struct perl_reader *r, enum zs_filter_effect effect, size_t at)
{
	r->found = (struct zs_filter){ .effect = effect, .at = at };
	return false;
}

static bool unknown_at(struct perl_reader *r, size_t at)
{
	return settle(r, ZS_FILTER_UNKNOWN, at);
}

static bool unknown(struct perl_reader *r)
{
	return unknown_at(r, r->pos);
}

static bool is_one_of(int c, const char *set)
{
	return c > 0 && strchr(set, c);
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(int c)
{
	return is_letter(c) || is_digit(c);
}

static size_t skip_word(const struct perl_reader *r, size_t pos)
{
	while (is_word(peek_at(r, pos)))
		pos++;
	return pos;
}

static size_t skip_blanks(const struct perl_reader *r, size_t pos)
{
	while (is_one_of(peek_at(r, pos), " \t"))
		pos++;
	return pos;
}

static size_t skip_white(const struct perl_reader *r, size_t pos)
{
	while (is_one_of(peek_at(r, pos), " \t\n"))
		pos++;
	return pos;
}

static bool is_text(const struct perl_reader *r, size_t at, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(r->text + at, text, len);
}

static bool is_listed(const struct perl_reader *r, size_t at, size_t len, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_text(r, at, len, list[i]))
			return true;
	return false;
}

static bool starts(const struct perl_reader *r, size_t at, const char *text)
{
	size_t len = strlen(text);

	return at <= r->len && len <= r->len - at && !memcmp(r->text + at, text, len);
}

/* Space and comments. `#!` makes perl run that interpreter; `=word` at the start of a line is documentation. */
static bool skip_space(struct perl_reader *r)
{
	for (;;) {
		r->pos = skip_white(r, r->pos);
		if (peek(r) == '=' && is_letter(peek_at(r, r->pos + 1)) && (!r->pos || r->text[r->pos - 1] == '\n'))
			return unknown(r);
		if (peek(r) != '#')
			return true;
		if (peek_at(r, r->pos + 1) == '!')
			return unknown(r);
		while (peek(r) != END && peek(r) != '\n')
			r->pos++;
	}
}

static struct perl_scope *top(struct perl_reader *r)
{
	return &r->scopes[r->depth - 1];
}

static void after(struct perl_reader *r, enum perl_expect expect, enum perl_last last)
{
	r->expect = expect;
	r->last = last;
}

static bool open_scope(struct perl_reader *r, enum perl_scope_kind kind)
{
	if (r->depth == DEPTH_LIMIT)
		return unknown(r);
	r->scopes[r->depth++] = (struct perl_scope){ .kind = kind, .first = r->pos };
	return true;
}

static const struct perl_word *find_word(const struct perl_reader *r, size_t at, size_t len)
{
	for (size_t i = 0; i < COUNT(words); i++)
		for (const char *name = words[i].names + 1; len && *name; name = strchr(name, ' ') + 1)
			if (!strncmp(name, r->text + at, len) && name[len] == ' ')
				return &words[i];
	return NULL;
}

/* The operator at `at`, symbolic or a word; NULL when there is none. */
static const struct perl_operator *find_operator(const struct perl_reader *r, size_t at)
{
	static const struct perl_operator copies = { "x", LAST_COPIES }, other = { "and", LAST_OTHER };
	const struct perl_word *word;

	for (size_t i = 0; i < COUNT(operators); i++)
		if (starts(r, at, operators[i].text))
			return &operators[i];
	if (peek_at(r, at) == 'x' && !is_letter(peek_at(r, at + 1)))
		return &copies;
	word = find_word(r, at, skip_word(r, at) - at);
	if (!word || word->kind != WORD_INFIX)
		return NULL;
	return word->flags & COPIES ? &copies : &other;
}

/* The function that the term at hand is the first argument of. */
static unsigned word_flags(const struct perl_reader *r)
{
	return (r->last == LAST_WORD || r->last == LAST_CALL) && r->word ? r->word->flags : 0;
}

/* --- references --- */

static struct perl_container *find_container(struct perl_reader *r, const struct perl_access *access)
{
	struct perl_container *container;

	for (size_t i = 0; i < r->container_count; i++) {
		container = &r->containers[i];
		if (container->kind == access->kind && container->name_len == access->name_len &&
			!memcmp(r->text + container->name, r->text + access->name, access->name_len))
			return container;
	}
	if (r->container_count == CONTAINER_LIMIT) {
		r->overflow = true;
		return NULL;
	}
	container = &r->containers[r->container_count++];
	*container = (struct perl_container){ access->name, access->name_len, access->kind, 0, DEPTH_LIMIT + 1, 0 };
	if (is_listed(r, access->name, access->name_len, filled_by_perl, COUNT(filled_by_perl)))
		container->shallowest_store = 1;
	return container;
}

/* When a program stores into %h only as $h{a}{b}, then every $h{a} is a reference that perl made. So all stores into a
 * container must be at one level, the deepest that is reached; anything that is not surely no store counts as one. */
static void record_access(struct perl_reader *r, const struct perl_access *access)
{
	struct perl_container *container = find_container(r, access);

	if (!container)
		return;
	if (!access->reads && access->level < container->shallowest_store)
		container->shallowest_store = access->level;
	if (!r->strict && access->level > container->deepest) {
		container->deepest = access->level;
		container->at = access->start;
	}
}

static bool check_containers(struct perl_reader *r)
{
	for (size_t i = 0; i < r->container_count; i++) {
		const struct perl_container *container = &r->containers[i];
		if (container->deepest > 1 && (r->overflow || container->shallowest_store < container->deepest))
			return unknown_at(r, container->at);
	}
	return true;
}

/* $x->[0] is harmless when it is only copied from. */
static bool is_copied(struct perl_reader *r, const struct perl_access *access, enum perl_last next)
{
	if (access->before == LAST_ALIASES || next == LAST_ALIASES || next == LAST_ASSIGNS)
		return false;
	if (next == LAST_COPIES || access->before == LAST_COPIES || access->before == LAST_ASSIGNS)
		return true;
	return access->before == LAST_BLOCK && is_one_of(peek(r), "},");
}

/* Called after a variable and its subscripts: another subscript may follow. */
static bool finish_access(struct perl_reader *r)
{
	struct perl_access *access = &r->access;
	const struct perl_operator *operator;
	enum perl_last next;

	if (!skip_space(r))
		return false;
	after(r, EXPECT_OPERATOR, LAST_VARIABLE);
	if (peek(r) == '[' || peek(r) == '{' || starts(r, r->pos, "->"))
		return true;
	operator = find_operator(r, r->pos);
	next = operator ? operator->last : LAST_OTHER;
	if (access->fixed && (next == LAST_ASSIGNS || (next == LAST_ALIASES && !starts(r, r->pos, "=~"))))
		return unknown(r);
	if (top(r)->kind == SCOPE_DEREF && access->start == top(r)->first && peek(r) == '}') {
		top(r)->has_access = true;
		top(r)->access = *access;
		return true;
	}
	if (access->is_scalar && access->level && !r->strict && !is_copied(r, access, next))
		return unknown_at(r, access->start);
	if (access->level && !access->is_scalar)
		record_access(r, access);
	return true;
}

/* @{…} of something that must be a reference. */
static bool close_deref(struct perl_reader *r, const struct perl_scope *scope)
{
	struct perl_access inner = scope->access;
	bool known = scope->has_access && inner.level && !inner.is_scalar;

	if (!r->strict && !known)
		return unknown_at(r, scope->first);
	if (!skip_space(r))
		return false;
	if (!known) {
		after(r, EXPECT_OPERATOR, LAST_VARIABLE);
		r->access = (struct perl_access){ .start = scope->first, .is_scalar = true };
		return true;
	}
	r->access = inner;
	r->access.reads = scope->reads;
	r->access.start = scope->first;
	if (starts(r, r->pos, "->"))
		return unknown(r);
	if (peek(r) != '[' && peek(r) != '{')
		r->access.level++;
	return finish_access(r);
}

/* --- variables --- */

static bool is_special(const struct perl_reader *r, size_t at, size_t len)
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

	if (is_special(r, at, len))
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

/* print $fh /x/: perl guesses by the space whether $fh is a file handle. */
static bool check_handle_guess(struct perl_reader *r)
{
	size_t start = r->pos, next;
	int c, c2;

	if (!(word_flags(r) & (PRINTS | BLOCK)))
		return true;
	if (!skip_space(r))
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
	if ((sigil == '$' && !check_handle_guess(r)) || !skip_space(r) || !check_name(r, sigil))
		return false;
	if ((word_flags(r) & READS) && r->word->kind == WORD_DECLARE && peek(r) != ';')
		r->access.reads = false;
	if (sigil != '$' && peek(r) != '[' && peek(r) != '{')
		r->access.level = 1;
	return finish_access(r);
}

/* A variable that is neither subscripted nor stored into with effect. */
static bool finish_plain(struct perl_reader *r, size_t end)
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
	if (!skip_space(r) || !open_scope(r, SCOPE_DEREF))
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

static bool read_scalar(struct perl_reader *r)
{
	size_t start = r->pos++;
	int c = peek(r), c2 = peek_at(r, r->pos + 1);

	if (c == '#') {
		r->pos++;
		if (is_letter(c2))
			return finish_plain(r, skip_word(r, r->pos));
		return peek(r) == '{' ? read_name(r, '#', start) : unknown(r);
	}
	if (c == '$' && !is_word(c2) && c2 != '$' && c2 != '{')
		return finish_plain(r, r->pos + 1);
	if (c == '^')
		return is_one_of(c2, "WTVOXNRS") && !is_word(peek_at(r, r->pos + 2)) ? finish_plain(r, r->pos + 2)
										     : unknown_at(r, start);
	if (is_one_of(c, "+-") && is_one_of(c2, "[{")) {
		r->pos++;
		return finish_variable(r, '$', start, r->pos - 1, r->pos);
	}
	if (c == '\'' && is_letter(c2))
		return unknown_at(r, start); /* $'x is $main::x */
	if (is_one_of(c, "&`'+!@/\\,;.|\"-]?"))
		return finish_plain(r, r->pos + 1);
	return read_name(r, '$', start);
}

/* @x, %x */
static bool read_list_variable(struct perl_reader *r)
{
	size_t start = r->pos++;
	int sigil = r->text[start];

	if (!is_letter(peek(r)) && peek(r) != '{' && peek(r) != '$')
		return unknown_at(r, start);
	return read_name(r, sigil, start);
}

/* --- strings and patterns --- */

enum perl_quote { QUOTE_RAW, QUOTE_STRING, QUOTE_PATTERN, QUOTE_CODE };

struct perl_part {
	size_t at;
	size_t end;
	int open;
	bool escapes; /* holds a backslash before its delimiter: perl drops that backslash */
};

static int closing(int open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : open;
}

/* Up to the delimiter that closes `open`; r->pos is after `open`. */
static bool read_part(struct perl_reader *r, int open, struct perl_part *ret_part)
{
	int close = closing(open);
	size_t at = r->pos, nested = 0;
	bool escapes = false;

	for (;; r->pos++) {
		int c = peek(r);

		if (c == '\\') {
			c = peek_at(r, ++r->pos);
			escapes |= c == open || c == close;
			if (c == END)
				return unknown(r);
		} else if (c == END) {
			return unknown_at(r, at);
		} else if (c == close && !nested) {
			break;
		} else if (c == close) {
			nested--;
		} else if (c == open) {
			nested++;
		}
	}
	*ret_part = (struct perl_part){ at, r->pos, open, escapes };
	r->pos++;
	return true;
}

/* A number, a plain variable, or arithmetic of such: no function can be called. */
static bool is_simple_index(const struct perl_reader *r, size_t at, size_t end)
{
	if (at == end)
		return false;
	while (at < end) {
		int c = peek_at(r, at++);

		if (c == '$') {
			if (peek_at(r, at) == '#')
				at++;
			if (!is_word(peek_at(r, at)))
				return false;
			at = skip_word(r, at);
		} else if (!is_digit(c) && !is_one_of(c, " +-,.")) {
			return false;
		}
	}
	return true;
}

/* word, -word, 'text', "text", or a simple index */
static bool is_simple_key(const struct perl_reader *r, size_t at, size_t end)
{
	size_t start = at;
	int quote;

	if (is_simple_index(r, at, end))
		return true;
	if (peek_at(r, at) == '-')
		at++;
	if (is_letter(peek_at(r, at)) && skip_word(r, at) == end)
		return true;
	at = start;
	if (peek_at(r, at) == '\\' && peek_at(r, end - 2) == '\\') {
		at++;
		quote = peek_at(r, at);
		if (end - at < 3 || quote != peek_at(r, end - 1))
			return false;
		end--;
	} else {
		quote = peek_at(r, at);
		if (end - at < 2 || quote != peek_at(r, end - 1))
			return false;
	}
	if (!is_one_of(quote, "\"'"))
		return false;
	for (at++; at < end - 1; at++)
		if (!is_word(peek_at(r, at)) && !is_one_of(peek_at(r, at), " .:/-"))
			return false;
	return true;
}

/* In a pattern `[…]` after a variable is a subscript or a character class: what is in it must be harmless as code. A
 * name that could be a function has two letters or more; "zA" comes from a-zA-Z. */
static bool is_simple_class(const struct perl_reader *r, size_t at, size_t end)
{
	if (is_simple_index(r, at, end))
		return true;
	while (at < end) {
		int c = peek_at(r, at);
		size_t letters = at;

		while (letters < end && is_letter(peek_at(r, letters)))
			letters++;
		if (letters - at > 1 && !is_text(r, at, letters - at, "zA"))
			return false;
		if (letters == at && !is_digit(c) && !is_one_of(c, " ^$.,+-\\=:;!?|#%~"))
			return false;
		at = letters > at ? letters : at + 1;
	}
	return true;
}

/* The subscripts after an interpolated variable. Returns false when they are not simple. */
static bool skip_subscripts(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	for (;;) {
		size_t at = *pos, close;
		bool arrow = at + 1 < end && starts(r, at, "->");
		int open, c;

		if (arrow)
			at += 2;
		open = at < end ? peek_at(r, at) : END;
		if (arrow && is_one_of(open, "@$%&*"))
			return false;
		if (open != '[' && open != '{')
			return true;
		c = peek_at(r, at + 1);
		if (pattern && !arrow && open == '[' && (c == '^' || c == ']'))
			return true; /* surely a character class: intuit_more() */
		for (close = ++at; close < end && peek_at(r, close) != closing(open); close++)
			;
		if (close == end)
			return false;
		if (open == '{'   ? !is_simple_key(r, at, close)
			: pattern ? !is_simple_class(r, at, close)
				  : !is_simple_index(r, at, close))
			return false;
		*pos = close + 1;
	}
}

/* `{` after `$` or `@`: {name}, {$name}, {$name{key}}. */
static bool skip_braces(const struct perl_reader *r, size_t *pos, size_t end)
{
	size_t at = skip_blanks(r, *pos + 1), name = at;

	if (peek_at(r, at) == '$')
		while (peek_at(r, at) == '$')
			name = ++at;
	at = skip_word(r, name);
	if (at == name)
		return false;
	if (peek_at(r, name - 1) == '$' && !skip_subscripts(r, &at, end, false))
		return false;
	at = skip_blanks(r, at);
	if (at >= end || peek_at(r, at) != '}')
		return false;
	*pos = at + 1;
	return true;
}

/* Does a name end here? `::` and `'` join it to another, and so do bytes that are letters under `use utf8`. */
static bool ends_name(const struct perl_reader *r, size_t at)
{
	int c = peek_at(r, at);

	return c < 0x80 && !starts(r, at, "::") && !(c == '\'' && is_letter(peek_at(r, at + 1)));
}

/* An interpolated `$…`; *pos is after the `$`. */
static bool skip_interpolated_scalar(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? peek_at(r, at) : END;

	if (c == END || (pattern && is_one_of(c, "()| \r\n\t")))
		return true; /* the end of the line, in a pattern; a syntax error in a string */
	if (c == '#') {
		c = peek_at(r, ++at);
		if (!is_letter(c) && c != '{')
			return false;
	}
	while (c == '$' && at + 1 < end && (is_word(peek_at(r, at + 1)) || is_one_of(peek_at(r, at + 1), "${")))
		c = peek_at(r, ++at);
	if (c == '{') {
		if (!skip_braces(r, &at, end))
			return false;
	} else if (is_letter(c)) {
		at = skip_word(r, at);
	} else if (is_digit(c)) {
		while (is_digit(peek_at(r, at)))
			at++;
	} else if (is_one_of(c, "&`'+!@/,;.?()<>]|\"=%~-$") && !(c == '\'' && is_letter(peek_at(r, at + 1)))) {
		at++;
	} else {
		return false;
	}
	if (!ends_name(r, at))
		return false;
	*pos = at;
	return skip_subscripts(r, pos, end, pattern);
}

/* An interpolated `@…`; *pos is after the `@`. */
static bool skip_interpolated_array(const struct perl_reader *r, size_t *pos, size_t end, bool pattern)
{
	size_t at = *pos;
	int c = at < end ? peek_at(r, at) : END;

	if (c == ':' || c == '\'' || c >= 0x80)
		return false;
	if (c == '{') {
		if (!skip_braces(r, &at, end))
			return false;
	} else if (c == '$') {
		while (peek_at(r, at) == '$')
			at++;
		if (!is_letter(peek_at(r, at)))
			return false;
		at = skip_word(r, at);
	} else if (is_word(c)) {
		at = skip_word(r, at);
	} else if (is_one_of(c, "+-")) {
		at++;
	} else {
		return true;
	}
	if (!ends_name(r, at))
		return false;
	*pos = at;
	return skip_subscripts(r, pos, end, pattern);
}

/* After a backslash. `\c\` swallows the second backslash; `\N{name}` looks names up. */
static bool skip_escape(const struct perl_reader *r, size_t *pos, size_t end)
{
	int c = peek_at(r, *pos), c2 = *pos + 1 < end ? peek_at(r, *pos + 1) : END;

	if (c == 'c' && !is_letter(c2))
		return false;
	if (c == 'N' && c2 == '{' && !starts(r, *pos, "N{U+"))
		return false;
	++*pos;
	return true;
}

/* Is all that this string or pattern interpolates only read? */
static bool check_interpolation(struct perl_reader *r, const struct perl_part *part, bool pattern)
{
	size_t pos = part->at;

	if (part->escapes && !strchr("/\"'#,!%~|", part->open))
		return unknown_at(r, part->at);
	while (pos < part->end) {
		size_t at = pos++;
		int c = peek_at(r, at);
		bool known = true;

		if (pattern && c == '?' && peek_at(r, pos) == '{')
			known = false; /* (?{code}) */
		else if (pattern && c == '(' && starts(r, pos, "*{"))
			known = false;
		else if (part->open == '\'')
			continue;
		else if (c == '\\')
			known = skip_escape(r, &pos, part->end);
		else if (c == '$')
			known = skip_interpolated_scalar(r, &pos, part->end, pattern);
		else if (c == '@')
			known = skip_interpolated_array(r, &pos, part->end, pattern);
		if (!known || pos > part->end)
			return unknown_at(r, at);
	}
	return true;
}

static bool check_part(struct perl_reader *r, const struct perl_part *part, enum perl_quote quote)
{
	if (quote == QUOTE_RAW || (quote == QUOTE_STRING && part->open == '\''))
		return true;
	return check_interpolation(r, part, quote == QUOTE_PATTERN);
}

/* Letters right after a closing delimiter; every one must be of `set`. */
static bool read_flags(struct perl_reader *r, const char *set, size_t *ret_evals)
{
	*ret_evals = 0;
	for (; is_word(peek(r)); r->pos++) {
		if (!is_one_of(peek(r), set))
			return unknown(r);
		*ret_evals += peek(r) == 'e';
	}
	return true;
}

/* The delimiter after q, s, tr …: `#` only without a space, which would make it a comment. */
static bool read_opening(struct perl_reader *r, int *ret_open)
{
	size_t at = skip_white(r, r->pos);
	int c = peek_at(r, at);

	if (!is_one_of(c, "/|,!;:~%+-.?\"'#@^({[<") || (c == '#' && at > r->pos))
		return unknown(r);
	r->pos = at + 1;
	*ret_open = c;
	return true;
}

/* The second part of s and tr: brackets may have space between them. */
static bool read_second_part(struct perl_reader *r, const struct perl_part *first, struct perl_part *ret_part)
{
	int open = first->open;

	if (closing(open) != open) {
		r->pos = skip_white(r, r->pos);
		open = peek(r);
		if (!is_one_of(open, "({[</"))
			return unknown(r);
		r->pos++;
	}
	return read_part(r, open, ret_part);
}

/* Goes on with the replacement, and afterwards with what follows the flags. */
static bool enter_code(struct perl_reader *r, const struct perl_part *part)
{
	if (part->escapes || r->nesting == NEST_LIMIT)
		return unknown_at(r, part->at);
	r->frames[r->nesting++] = (struct perl_frame){ r->len, r->pos, r->depth };
	r->len = part->end;
	r->pos = part->at;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return open_scope(r, SCOPE_CODE);
}

static bool leave_code(struct perl_reader *r)
{
	const struct perl_frame *frame = &r->frames[--r->nesting];

	if (r->depth != frame->depth + 1)
		return unknown(r);
	r->depth = frame->depth;
	r->len = frame->len;
	r->pos = frame->resume;
	r->doubtful = false;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

static bool read_match(struct perl_reader *r, int open)
{
	struct perl_part part;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &part) && check_part(r, &part, QUOTE_PATTERN) &&
	       read_flags(r, "msixpodualngc", &evals);
}

static bool read_string(struct perl_reader *r, int open, enum perl_quote quote)
{
	struct perl_part part;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &part) && check_part(r, &part, quote);
}

static bool read_subst(struct perl_reader *r, int open)
{
	struct perl_part pattern, replacement;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	if (!read_part(r, open, &pattern) || !read_second_part(r, &pattern, &replacement))
		return false;
	if (!check_part(r, &pattern, QUOTE_PATTERN) || !read_flags(r, "msixpodualngcer", &evals))
		return false;
	if (evals > 1)
		return unknown(r);
	return evals ? enter_code(r, &replacement) : check_part(r, &replacement, QUOTE_STRING);
}

static bool read_translate(struct perl_reader *r, int open)
{
	struct perl_part from, to;
	size_t evals;

	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return read_part(r, open, &from) && read_second_part(r, &from, &to) && read_flags(r, "cdsr", &evals);
}

/* --- words --- */

/* For the report: the only argument, when it is a literal that needs no unquoting. */
static void find_literal(struct perl_reader *r)
{
	size_t at = skip_white(r, r->pos), end;
	int quote;

	if (peek_at(r, at) == '(')
		at = skip_white(r, at + 1);
	quote = peek_at(r, at);
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

static bool settle_call(struct perl_reader *r, enum zs_filter_effect effect, size_t at)
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
	for (size_t i = 0; i < COUNT(modules); i++) {
		if (!is_text(r, at, end - at, modules[i]))
			continue;
		after(r, EXPECT_TERM, LAST_OTHER);
		if (!strcmp(modules[i], "strict") && r->depth == 1 && peek_at(r, skip_blanks(r, end)) == ';')
			r->strict = true;
		return true;
	}
	return unknown_at(r, at);
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
		if (!is_letter(peek_at(r, at + 1)) || is_special(r, at + 1, end - at - 1))
			return unknown_at(r, at);
		at = skip_white(r, end);
	}
	if (peek_at(r, at) != '(')
		return unknown_at(r, at);
	r->pos = at + 1;
	after(r, EXPECT_TERM, LAST_OTHER);
	return open_scope(r, SCOPE_FOR);
}

/* A word after which `{` must follow. */
static bool read_head(struct perl_reader *r, enum perl_scope_kind kind)
{
	if (!skip_space(r))
		return false;
	if (peek(r) != '{')
		return unknown(r);
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return open_scope(r, kind);
}

static bool is_handle(const struct perl_reader *r, size_t at, size_t len, bool output)
{
	static const char *const handles[] = { "STDOUT", "STDERR", "STDIN", "ARGV" };

	return is_listed(r, at, len, handles, output ? 2 : COUNT(handles));
}

/* print STDERR …, print(STDERR …) */
static bool read_output_handle(struct perl_reader *r)
{
	size_t at = skip_white(r, r->pos), end;
	bool paren = peek_at(r, at) == '(';
	int c;

	if (paren)
		at = skip_white(r, at + 1);
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
	return !paren || open_scope(r, SCOPE_PAREN);
}

/* eof, eof(), eof(ARGV), close ARGV */
static bool read_on_handle(struct perl_reader *r)
{
	size_t at = skip_white(r, r->pos), end;
	bool paren = peek_at(r, at) == '(';

	if (paren)
		at = skip_white(r, at + 1);
	end = skip_word(r, at);
	if (is_handle(r, at, end - at, false))
		at = skip_white(r, end);
	else if (!paren)
		return true;
	if (paren && peek_at(r, at++) != ')')
		return unknown_at(r, at);
	r->pos = at;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

static bool is_quote_word(const struct perl_word *word)
{
	return word->kind == WORD_RAW || word->kind == WORD_STRING || word->kind == WORD_MATCH ||
	       word->kind == WORD_SUBST || word->kind == WORD_TRANSLATE;
}

/* binmode(STDOUT, ":utf8"): a literal layer, since :via(Module) loads and runs code. */
static bool read_binmode(struct perl_reader *r)
{
	static const char *const layers[] = { ":utf8", ":encoding(UTF-8)", ":encoding(utf-8)", ":encoding(utf8)",
		":raw" };
	size_t at = skip_white(r, r->pos), end;
	bool paren = peek_at(r, at) == '(';
	int quote;

	if (paren)
		at = skip_white(r, at + 1);
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
	if (paren && peek_at(r, at++) != ')')
		return unknown_at(r, at);
	r->pos = at;
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

static bool read_function(struct perl_reader *r)
{
	size_t next = skip_white(r, r->pos);
	int c = peek_at(r, next);

	after(r, EXPECT_TERM, LAST_WORD);
	if (r->word->flags & IMPORTED) {
		const struct perl_word *argument = find_word(r, next, skip_word(r, next) - next);
		if (c == '{' ? !(r->word->flags & BLOCK) : !is_word(c) && c != END && !is_one_of(c, "($@\"';}),"))
			return unknown_at(r, next);
		if ((argument && is_quote_word(argument)) || is_one_of(c, "x_"))
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

static bool read_quote_word(struct perl_reader *r, enum perl_word_kind kind)
{
	int open;

	if (!read_opening(r, &open))
		return false;
	if (kind == WORD_MATCH)
		return read_match(r, open);
	if (kind == WORD_SUBST)
		return read_subst(r, open);
	if (kind == WORD_TRANSLATE)
		return read_translate(r, open);
	return read_string(r, open, kind == WORD_STRING ? QUOTE_STRING : QUOTE_RAW);
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
		return read_quote_word(r, word->kind);
	case WORD_USE:
		return leads ? read_use(r) : unknown_at(r, at);
	case WORD_ON_HANDLE:
		after(r, EXPECT_TERM, LAST_WORD);
		return read_on_handle(r);
	case WORD_BINMODE:
		return read_binmode(r);
	case WORD_EXECUTES:
		return settle_call(r, ZS_FILTER_EXECUTES, at);
	case WORD_WRITES:
		return settle_call(r, ZS_FILTER_WRITES, at);
	case WORD_OPEN:
		return settle_open(r, at);
	}
	return unknown_at(r, at);
}

static bool read_word(struct perl_reader *r)
{
	size_t at = r->pos, end = skip_word(r, at);
	const struct perl_word *word = find_word(r, at, end - at);

	r->pos = end;
	if (starts(r, end, "::"))
		return unknown_at(r, at);
	if (starts(r, skip_blanks(r, end), "=>")) {
		after(r, EXPECT_OPERATOR, LAST_VALUE);
		return true;
	}
	if (!word || (peek(r) == '\'' && !is_quote_word(word)))
		return unknown_at(r, at);
	return read_known_word(r, word, at);
}

/* --- tokens --- */

static bool read_number(struct perl_reader *r)
{
	bool radix = peek(r) == '0' && is_one_of(peek_at(r, r->pos + 1), "xXbB");

	if (radix) {
		r->pos = skip_word(r, r->pos);
	} else {
		while (is_digit(peek(r)) || peek(r) == '_')
			r->pos++;
		if (peek(r) == '.' && peek_at(r, r->pos + 1) != '.')
			for (r->pos++; is_digit(peek(r)) || peek(r) == '_'; r->pos++)
				;
		if (is_one_of(peek(r), "eE")) {
			size_t digits = r->pos + 1 + (size_t)is_one_of(peek_at(r, r->pos + 1), "+-");
			while (is_digit(peek_at(r, digits)))
				r->pos = ++digits;
		}
	}
	/* 1.2.3 is a string, 0x1.8p1 a number, and 1x3 is read in more than one way */
	if (is_word(peek(r)) || (peek(r) == '.' && peek_at(r, r->pos + 1) != '.'))
		return unknown(r);
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

/* The null file name and STDIN only: `<$x>` and `<*.c>` are globs or other handles. */
static bool read_input(struct perl_reader *r)
{
	static const char *const inputs[] = { "<>", "<<>>", "<STDIN>" };

	for (size_t i = 0; i < COUNT(inputs); i++) {
		if (starts(r, r->pos, inputs[i]))
			return finish_plain(r, r->pos + strlen(inputs[i]));
	}
	return unknown(r);
}

/* Unary minus, --, and the file tests. */
static bool read_minus(struct perl_reader *r)
{
	static const struct perl_word file_test = { WORD_FUNCTION, DEFINED_OR, " -e " };
	size_t at = r->pos++, next = skip_white(r, r->pos + 1);
	int c = peek(r);

	if (c == '-') {
		r->pos++;
		after(r, EXPECT_TERM, LAST_ALIASES);
	} else if (c == '>') {
		return unknown_at(r, at);
	} else if (is_letter(c) && !is_word(peek_at(r, r->pos + 1)) && !starts(r, next, "=>")) {
		if (!is_one_of(c, "edfrwxoRWXOzslpSugktTBAMCbc"))
			return unknown_at(r, at);
		r->pos++;
		r->word = &file_test;
		after(r, EXPECT_TERM, LAST_WORD);
	} else {
		after(r, EXPECT_TERM, LAST_OTHER);
	}
	return true;
}

static bool read_open_brace(struct perl_reader *r)
{
	enum perl_scope_kind kind = SCOPE_HASH;

	if (r->expect == EXPECT_STATEMENT)
		kind = SCOPE_BARE;
	else if (word_flags(r) & PRINTS)
		return unknown(r); /* print {$handle} */
	else if (word_flags(r) & BLOCK)
		kind = SCOPE_LIST_BLOCK;
	r->pos++;
	after(r, kind == SCOPE_HASH ? EXPECT_TERM : EXPECT_STATEMENT,
		kind == SCOPE_LIST_BLOCK ? LAST_BLOCK : LAST_OTHER);
	return open_scope(r, kind);
}

/* `}` where perl's wrapper, `LINE: while (<>) { … }`, is the only thing open. `use strict` ends with it. */
static bool close_wrapper(struct perl_reader *r)
{
	if (r->wrapper_closed || r->nesting)
		return unknown(r);
	r->wrapper_closed = true;
	r->strict = false;
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return true;
}

static int closer(enum perl_scope_kind kind)
{
	switch (kind) {
	case SCOPE_PAREN:
	case SCOPE_FOR:
		return ')';
	case SCOPE_ARRAY:
	case SCOPE_INDEX:
		return ']';
	case SCOPE_BLOCK:
	case SCOPE_BARE:
	case SCOPE_LIST_BLOCK:
	case SCOPE_DO:
	case SCOPE_HASH:
	case SCOPE_KEY:
	case SCOPE_DEREF:
		return '}';
	case SCOPE_CODE:
		break;
	}
	return END;
}

static bool read_close(struct perl_reader *r, int c)
{
	struct perl_scope scope = *top(r);

	if (closer(scope.kind) != c)
		return unknown(r);
	if (r->depth == 1)
		return close_wrapper(r);
	r->depth--;
	r->pos++;
	switch (scope.kind) {
	case SCOPE_PAREN:
	case SCOPE_FOR:
		after(r, EXPECT_OPERATOR, LAST_CLOSE_PAREN);
		return true;
	case SCOPE_INDEX:
	case SCOPE_KEY:
		r->access = scope.access;
		return finish_access(r);
	case SCOPE_DEREF:
		return close_deref(r, &scope);
	case SCOPE_BLOCK:
		after(r, EXPECT_STATEMENT, LAST_OTHER);
		return true;
	case SCOPE_BARE:
	case SCOPE_LIST_BLOCK:
		r->doubtful = true;
		after(r, scope.kind == SCOPE_BARE ? EXPECT_STATEMENT : EXPECT_TERM, LAST_OTHER);
		return true;
	case SCOPE_DO:
	case SCOPE_HASH:
		r->doubtful = true;
		after(r, EXPECT_OPERATOR, LAST_VALUE);
		return true;
	case SCOPE_ARRAY:
	case SCOPE_CODE:
		break;
	}
	after(r, EXPECT_OPERATOR, LAST_VALUE);
	return true;
}

static bool read_semicolon(struct perl_reader *r)
{
	enum perl_scope_kind kind = top(r)->kind;

	if (kind == SCOPE_PAREN || kind == SCOPE_ARRAY || kind == SCOPE_INDEX || kind == SCOPE_KEY ||
		kind == SCOPE_HASH)
		return unknown(r);
	r->pos++;
	after(r, kind == SCOPE_FOR ? EXPECT_TERM : EXPECT_STATEMENT, LAST_OTHER);
	top(r)->ternaries = 0;
	return true;
}

/* `[`, `{` or `->` after something. */
static bool read_subscript(struct perl_reader *r, bool arrow)
{
	struct perl_access access = r->access;
	bool key;

	if (r->last != LAST_VARIABLE) {
		if (arrow ? !r->strict : r->last != LAST_CLOSE_PAREN)
			return unknown(r);
		access = (struct perl_access){ .start = r->pos, .is_scalar = true };
	}
	if (arrow) {
		r->pos += 2;
		if (!skip_space(r))
			return false;
		if (peek(r) != '[' && peek(r) != '{')
			return unknown(r);
		access.is_scalar |= !access.level;
	}
	key = peek(r) == '{';
	if (!access.level++)
		access.kind = key ? '{' : '[';
	if (r->last == LAST_CLOSE_PAREN)
		access.level = 0; /* a slice of a list: no reference */
	r->pos++;
	if (key) {
		size_t at = skip_blanks(r, r->pos), end;
		if (peek_at(r, at) == '-')
			at++;
		end = skip_word(r, at);
		if (is_letter(peek_at(r, at)) && peek_at(r, skip_blanks(r, end)) == '}') {
			r->pos = skip_blanks(r, end) + 1;
			r->access = access;
			return finish_access(r);
		}
	}
	after(r, EXPECT_TERM, LAST_OTHER);
	if (!open_scope(r, key ? SCOPE_KEY : SCOPE_INDEX))
		return false;
	top(r)->access = access;
	return true;
}

/* `{` where perl expects an operator: a subscript, or the block of `if (…)`. */
static bool read_brace_after(struct perl_reader *r)
{
	if (r->last != LAST_CLOSE_PAREN)
		return read_subscript(r, false);
	r->pos++;
	after(r, EXPECT_STATEMENT, LAST_OTHER);
	return open_scope(r, SCOPE_BLOCK);
}

static bool read_symbol_operator(struct perl_reader *r)
{
	const struct perl_operator *operator = find_operator(r, r->pos);

	if (!operator || starts(r, r->pos, "~~"))
		return unknown(r);
	if (operator->text[0] == '?')
		top(r)->ternaries++;
	if (operator->text[0] == ':' && !top(r)->ternaries--)
		return unknown(r); /* an attribute: my $x :name */
	r->pos += strlen(operator->text);
	if (!strcmp(operator->text, "++") || !strcmp(operator->text, "--"))
		after(r, EXPECT_OPERATOR, LAST_VALUE);
	else
		after(r, EXPECT_TERM, operator->last);
	return true;
}

/* A word where perl expects an operator. */
static bool read_word_operator(struct perl_reader *r)
{
	size_t at = r->pos, end = skip_word(r, at);
	const struct perl_word *word = find_word(r, at, end - at);
	const struct perl_operator *operator = find_operator(r, at);

	if (peek(r) == 'x' && operator) {
		/* "-" x 3, "-" x3, $s x= 3 */
		if (starts(r, at, "x==") || starts(r, at, "x=~") || starts(r, at, "x=>"))
			return unknown(r);
		r->pos += strlen(operator->text);
		after(r, EXPECT_TERM, operator->last);
		return true;
	}
	if (!word || starts(r, end, "::") || peek_at(r, end) == '\'' || starts(r, skip_white(r, end), "=>"))
		return unknown(r);
	if (word->kind != WORD_INFIX && word->kind != WORD_CONDITION && word->kind != WORD_FOR)
		return unknown(r);
	r->pos = end;
	after(r, EXPECT_TERM, operator ? operator->last : LAST_OTHER);
	return true;
}

static bool read_after_term(struct perl_reader *r, int c)
{
	switch (c) {
	case '[':
		return read_subscript(r, false);
	case '{':
		return read_brace_after(r);
	case ')':
	case ']':
	case '}':
		return read_close(r, c);
	case ';':
		return read_semicolon(r);
	case '-':
		if (peek_at(r, r->pos + 1) == '>')
			return read_subscript(r, true);
		break;
	default:
		if (is_letter(c))
			return read_word_operator(r);
	}
	return read_symbol_operator(r);
}

/* eof ? "x" : "y". Before perl 5.22 a pattern may start here: then there must be no `?` to end it. */
static bool starts_no_pattern(const struct perl_reader *r)
{
	return !memchr(r->text + r->pos + 1, '?', r->len - r->pos - 1);
}

/* Operators after a function without arguments (length > 80), and commas. The rest begins a term there. */
static bool read_operator_after_word(struct perl_reader *r, int c)
{
	int c2 = peek_at(r, r->pos + 1);

	if (c == ',' && r->expect == EXPECT_TERM)
		return read_symbol_operator(r);
	if (r->expect != EXPECT_TERM || r->last != LAST_WORD)
		return unknown(r);
	if ((c == '&' && c2 != '&') || (c == '.' && is_digit(c2)) || (c == '?' && !starts_no_pattern(r)))
		return unknown(r);
	return read_symbol_operator(r);
}

static bool read_prefix(struct perl_reader *r, int c)
{
	bool step = c == '+' && peek_at(r, r->pos + 1) == '+';

	if (c == '!' && is_one_of(peek_at(r, r->pos + 1), "=~") && r->last == LAST_WORD)
		return read_symbol_operator(r);
	r->pos += step ? 2 : 1;
	after(r, EXPECT_TERM, step || c == '\\' ? LAST_ALIASES : LAST_OTHER);
	return true;
}

static bool read_open_list(struct perl_reader *r, int c)
{
	bool call = c == '(' && r->last == LAST_WORD;

	r->pos++;
	after(r, EXPECT_TERM, call ? LAST_CALL : LAST_OTHER);
	return open_scope(r, c == '(' ? SCOPE_PAREN : SCOPE_ARRAY);
}

static bool read_term(struct perl_reader *r, int c)
{
	switch (c) {
	case '$':
		return read_scalar(r);
	case '@':
	case '%':
		return read_list_variable(r);
	case '"':
	case '\'':
		r->pos++;
		return read_string(r, c, c == '"' ? QUOTE_STRING : QUOTE_RAW);
	case '`':
		return settle_call(r, ZS_FILTER_EXECUTES, r->pos);
	case '/':
		if (r->last == LAST_WORD && (word_flags(r) & DEFINED_OR))
			return starts(r, r->pos, "//") ? read_symbol_operator(r) : unknown(r);
		r->pos++;
		return read_match(r, c);
	case '<':
		return read_input(r);
	case '(':
	case '[':
		return read_open_list(r, c);
	case '{':
		return read_open_brace(r);
	case ')':
	case ']':
	case '}':
		return read_close(r, c);
	case ';':
		return read_semicolon(r);
	case '-':
		return read_minus(r);
	case '+':
	case '!':
	case '~':
	case '\\':
		return read_prefix(r, c);
	case '>':
	case '=':
	case '|':
	case '^':
	case '&':
	case '?':
	case ':':
	case ',':
		return read_operator_after_word(r, c);
	default:
		if (is_digit(c) || (c == '.' && is_digit(peek_at(r, r->pos + 1))))
			return read_number(r);
		return is_letter(c) ? read_word(r) : c == '.' ? read_operator_after_word(r, c) : unknown(r);
	}
}

/* After a `}` that perl decides by guessing, only what reads the same in either case passes. */
static bool is_certain(const struct perl_reader *r, int c)
{
	size_t next = r->pos + 1;
	const struct perl_word *word;

	if (c == '%' && r->expect == EXPECT_TERM && is_letter(peek_at(r, next))) {
		word = find_word(r, next, skip_word(r, next) - next);
		return !word && !starts(r, next, "x");
	}
	if (c == '<' && r->expect == EXPECT_TERM)
		return starts(r, r->pos, "<STDIN>") || starts(r, r->pos, "<>");
	if (c == '{')
		return r->expect == EXPECT_STATEMENT;
	if (c == '-')
		return r->expect == EXPECT_OPERATOR && peek_at(r, next) == '>';
	return !is_one_of(c, "/?<%&*[x") && !(c == '.' && is_digit(peek_at(r, next)));
}

static bool read_token(struct perl_reader *r)
{
	int c = peek(r);
	bool doubtful = r->doubtful;

	r->doubtful = false;
	if (doubtful && !is_certain(r, c))
		return unknown(r);
	return r->expect == EXPECT_OPERATOR ? read_after_term(r, c) : read_term(r, c);
}

static bool read_program(struct perl_reader *r)
{
	for (;;) {
		if (!skip_space(r))
			return false;
		if (peek(r) != END) {
			if (!read_token(r))
				return false;
		} else if (!r->nesting) {
			break;
		} else if (!leave_code(r)) {
			return false;
		}
	}
	if (r->depth != (r->wrapper_closed ? 2u : 1u) || closer(top(r)->kind) != '}')
		return unknown(r);
	return check_containers(r);
}

struct zs_filter zs_filter_perl(const char *program, size_t len)
{
	struct perl_reader r = { .text = program, .len = len };

	if (open_scope(&r, SCOPE_BLOCK) && read_program(&r))
		settle(&r, ZS_FILTER_PLAIN, 0);
	return r.found;
}
