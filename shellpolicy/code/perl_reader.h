/* The parts that the two files of perl's reader share: its state, and how text is looked at in it. filter_perl.c says
 * what they do.
 *
 * A reading function reads what begins at p->pos and moves there past it; false means that p->found is settled. `at`,
 * `start` and `end` are byte offsets in the program.
 */
#ifndef ZS_PERL_READER_H
#define ZS_PERL_READER_H

#include "code/filter.h"
#include "code/filter_text.h"

enum { PERL_DEPTH = 64 }; /* open brackets */

/* The token that perl expects next. */
enum perl_expect { EXPECT_STATEMENT, EXPECT_TERM, EXPECT_OPERATOR };

/* The last token, as far as it matters. */
enum perl_last {
	LAST_OTHER,
	LAST_WORD,        /* a function, whose arguments may be absent; p->flags says which */
	LAST_CALL,        /* `(` right after a function */
	LAST_STEP,        /* ++ or -- in front of its operand */
	LAST_CLOSE_PAREN, /* may be followed by a subscript or a block */
};

enum perl_scope_kind {
	SCOPE_BLOCK,     /* after `)`, else, BEGIN: a statement follows it */
	SCOPE_BARE,      /* a block, or perl's guess that it is a hash */
	SCOPE_LIST,      /* of map, grep, sort */
	SCOPE_DO,        /* do { … } */
	SCOPE_PAREN,     /* (…) */
	SCOPE_FOR,       /* for (;;) */
	SCOPE_SUBSCRIPT, /* $x[…], @x{…}, (…)[…] */
};

struct perl_scope {
	enum perl_scope_kind kind;
	char close;
	bool fixed; /* of a subscript: its element may not be assigned to */
	size_t ternaries;
};

struct perl_reader {
	const char *text;
	size_t len;
	size_t pos;
	enum perl_expect expect;
	enum perl_last last;
	unsigned flags; /* of the last function */
	bool doubtful;  /* perl guessed what the last `}` closed */
	size_t depth;
	struct perl_scope scopes[PERL_DEPTH];
	struct zs_filter found;
};

static inline int peek_at(const struct perl_reader *p, size_t pos)
{
	return pos < p->len ? (unsigned char)p->text[pos] : END;
}

static inline int peek(const struct perl_reader *p)
{
	return peek_at(p, p->pos);
}

static inline bool settle(struct perl_reader *p, enum zs_filter_effect effect, size_t at)
{
	p->found = (struct zs_filter){ .effect = effect, .at = at };
	return false;
}

static inline bool unknown_at(struct perl_reader *p, size_t at)
{
	return settle(p, ZS_FILTER_UNKNOWN, at);
}

static inline bool unknown(struct perl_reader *p)
{
	return unknown_at(p, p->pos);
}

static inline size_t skip_word(const struct perl_reader *p, size_t pos)
{
	while (is_word(peek_at(p, pos)))
		pos++;
	return pos;
}

static inline size_t skip_white(const struct perl_reader *p, size_t pos)
{
	while (is_one_of(peek_at(p, pos), " \t\n"))
		pos++;
	return pos;
}

static inline bool starts(const struct perl_reader *p, size_t at, const char *text)
{
	size_t len = strlen(text);

	return at <= p->len && len <= p->len - at && !memcmp(p->text + at, text, len);
}

static inline void after(struct perl_reader *p, enum perl_expect expect, enum perl_last last)
{
	p->expect = expect;
	p->last = last;
}

/* How a quote word is read; perl_quotes.c. p->pos is behind the word, or behind the delimiter `open`. */
enum perl_quote {
	QUOTE_RAW,       /* q qw */
	QUOTE_STRING,    /* qq */
	QUOTE_MATCH,     /* m qr */
	QUOTE_SUBST,     /* s */
	QUOTE_TRANSLATE, /* tr y */
};

bool zs_perl_read_quote_word(struct perl_reader *p, enum perl_quote kind);
bool zs_perl_read_quoted(struct perl_reader *p, enum perl_quote kind, int open);

#endif
