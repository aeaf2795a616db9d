/* Perl's words (perl_words.c), and the tokens that only perl has (perl_tokens.c); filter_perl.c judges them. */
#ifndef ZS_PERL_WORDS_H
#define ZS_PERL_WORDS_H

#include "code/code_judge.h"

enum perl_word_kind {
	WORD_NONE,
	WORD_FUNCTION, /* a term or `(` follows, or nothing */
	WORD_CONSTANT,
	WORD_CONDITION, /* if (…), also a modifier */
	WORD_FOR,
	WORD_HEAD, /* else, BEGIN: a block follows */
	WORD_DO,
	WORD_DECLARE, /* my */
	WORD_INFIX,
	WORD_QUOTE, /* q qq m s tr: `flags` is the enum perl_quote */
	WORD_USE,
	WORD_EOF,
	WORD_EXECUTES,
	WORD_WRITES,
};

enum {
	BLOCK = 1,       /* takes a block: map { … } @x */
	PRINTS = 2,      /* takes a file handle */
	IMPORTED = 4,    /* perl may not know it, and then reads what follows otherwise: say /x/ is a division */
	READS = 8,       /* stores nothing, hands out no alias: may name %ENV */
	TAKES_ARGV = 16, /* may name @ARGV */
	DEFINED_OR = 32, /* a `/` after it may begin an operator: shift // 0 */
};

enum perl_quote {
	QUOTE_RAW,       /* q qw */
	QUOTE_STRING,    /* qq */
	QUOTE_MATCH,     /* m qr */
	QUOTE_SUBST,     /* s */
	QUOTE_TRANSLATE, /* tr y */
};

struct perl_word {
	enum perl_word_kind kind;
	unsigned flags;
	const char *names;
};

/* The kinds of `{`. */
enum perl_mark {
	MARK_SUBSCRIPT = 1, /* of an element */
	MARK_BLOCK,         /* after `)`, else, BEGIN: a statement follows it */
	MARK_BARE,          /* a block, or perl's guess that it is a hash */
	MARK_LIST,          /* of map, grep, sort */
	MARK_DO,            /* do { … } */
};

/* Names that no program may use. */
extern const char zs_perl_special[];

const struct perl_word *zs_perl_word(const char *name, size_t len);
/* A name without a sigil; the word of another token is of WORD_NONE. */
const struct perl_word *zs_perl_word_at(const struct code_text *p, size_t token);
/* Is it a function, whose arguments may be absent? */
bool zs_perl_is_function(const struct code_text *p, size_t token);
/* The flags of the function that `token` is the first argument of. */
unsigned zs_perl_argument_of(const struct code_text *p, size_t token);
/* Is the token a variable, $x or @x or $+, that a subscript may follow? */
bool zs_perl_has_elements(const struct code_text *p, size_t token);
bool zs_perl_is_block(const struct code_text *p, size_t open);
/* Does a statement begin with this token? */
bool zs_perl_leads(const struct code_text *p, size_t token);

/* perl_tokens.c: for struct code_syntax. */
enum code_expect zs_perl_expect(const struct code_text *p);
bool zs_perl_read_own(struct code_text *p, bool *ret_read);

#endif
