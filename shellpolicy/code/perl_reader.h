/* What the files of perl's reader share: its state, and how text is looked at in it. filter_perl.c says what they do.
 *
 * A reading function reads what begins at r->pos and moves there past it; false means that r->found is settled. `at`,
 * `start` and `end` are byte offsets in the program.
 */
#ifndef ZS_PERL_READER_H
#define ZS_PERL_READER_H

#include "code/filter.h"
#include "code/filter_text.h"

enum {
	DEPTH_LIMIT = 64,    /* open brackets */
	NEST_LIMIT = 4,      /* s///e in s///e */
	CONTAINER_LIMIT = 32 /* arrays and hashes; of one more, nothing may be dereferenced */
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

struct perl_operator {
	char text[4];
	enum perl_last last;
};

/* What is between two delimiters of a string, a pattern or a replacement. */
struct perl_part {
	size_t at;
	size_t end;
	int open;
	bool escapes; /* holds a backslash before its delimiter: perl drops that backslash */
};

/* What to go on with after the code of s///e. */
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

static inline int peek_at(const struct perl_reader *r, size_t pos)
{
	return pos < r->len ? (unsigned char)r->text[pos] : END;
}

static inline int peek(const struct perl_reader *r)
{
	return peek_at(r, r->pos);
}

static inline bool settle(struct perl_reader *r, enum zs_filter_effect effect, size_t at)
{
	r->found = (struct zs_filter){ .effect = effect, .at = at };
	return false;
}

static inline bool unknown_at(struct perl_reader *r, size_t at)
{
	return settle(r, ZS_FILTER_UNKNOWN, at);
}

static inline bool unknown(struct perl_reader *r)
{
	return unknown_at(r, r->pos);
}

static inline size_t skip_word(const struct perl_reader *r, size_t pos)
{
	while (is_word(peek_at(r, pos)))
		pos++;
	return pos;
}

static inline size_t skip_blanks(const struct perl_reader *r, size_t pos)
{
	while (is_one_of(peek_at(r, pos), " \t"))
		pos++;
	return pos;
}

static inline size_t skip_white(const struct perl_reader *r, size_t pos)
{
	while (is_one_of(peek_at(r, pos), " \t\n"))
		pos++;
	return pos;
}

static inline bool is_text(const struct perl_reader *r, size_t at, size_t len, const char *text)
{
	return strlen(text) == len && !memcmp(r->text + at, text, len);
}

static inline bool is_listed(const struct perl_reader *r, size_t at, size_t len, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_text(r, at, len, list[i]))
			return true;
	return false;
}

static inline bool starts(const struct perl_reader *r, size_t at, const char *text)
{
	size_t len = strlen(text);

	return at <= r->len && len <= r->len - at && !memcmp(r->text + at, text, len);
}

static inline struct perl_scope *top(struct perl_reader *r)
{
	return &r->scopes[r->depth - 1];
}

static inline void after(struct perl_reader *r, enum perl_expect expect, enum perl_last last)
{
	r->expect = expect;
	r->last = last;
}

/* The function that the term at hand is the first argument of. */
static inline unsigned word_flags(const struct perl_reader *r)
{
	return (r->last == LAST_WORD || r->last == LAST_CALL) && r->word ? r->word->flags : 0;
}

/* perl_reader.c */

/* Space and comments. */
bool zs_perl_skip_space(struct perl_reader *r);
/* Called after what opens it. */
bool zs_perl_open_scope(struct perl_reader *r, enum perl_scope_kind kind);

/* perl_tables.c: NULL and false when it is not there */

const struct perl_word *zs_perl_find_word(const struct perl_reader *r, size_t at, size_t len);
/* The longest operator at `at`, symbolic or a word. */
const struct perl_operator *zs_perl_find_operator(const struct perl_reader *r, size_t at);
bool zs_perl_is_module(const struct perl_reader *r, size_t at, size_t len);

/* perl_references.c */

/* Called after a variable and its subscripts: another subscript may follow. */
bool zs_perl_finish_access(struct perl_reader *r);
/* `[`, `{` or `->` after something. */
bool zs_perl_read_subscript(struct perl_reader *r, bool arrow);
/* Called after the `}` of @{…}, which `scope` was. */
bool zs_perl_close_deref(struct perl_reader *r, const struct perl_scope *scope);
/* Called at the end: was all that the program dereferences surely a reference? */
bool zs_perl_check_containers(struct perl_reader *r);

/* perl_variables.c */

/* $x, $#x, ${x}, ${…}, $& */
bool zs_perl_read_scalar(struct perl_reader *r);
/* @x, %x, @{…} */
bool zs_perl_read_list_variable(struct perl_reader *r);
/* A term that ends at `end`, and that is neither subscripted nor stored into with effect. */
bool zs_perl_finish_plain(struct perl_reader *r, size_t end);
/* A name that may not be used at all. */
bool zs_perl_is_special(const struct perl_reader *r, size_t at, size_t len);

/* perl_interpolation.c */

/* Is all that this string or pattern interpolates only read? */
bool zs_perl_check_interpolation(struct perl_reader *r, const struct perl_part *part, bool pattern);

/* perl_quotes.c; r->pos is after `open`, the delimiter */

bool zs_perl_read_string(struct perl_reader *r, int open, bool interpolates);
bool zs_perl_read_match(struct perl_reader *r, int open);
/* Called after q, qq, m, s, tr and the like; their delimiter follows. */
bool zs_perl_read_quote_word(struct perl_reader *r, enum perl_word_kind kind);
bool zs_perl_is_quote_word(const struct perl_word *word);
/* Called at the end of the code of s///e. */
bool zs_perl_leave_code(struct perl_reader *r);

/* perl_words.c */

/* A word where perl expects a term. */
bool zs_perl_read_word(struct perl_reader *r);
/* A call that settles what the program does; its argument is at r->pos. Returns false. */
bool zs_perl_settle_call(struct perl_reader *r, enum zs_filter_effect effect, size_t at);

#endif
