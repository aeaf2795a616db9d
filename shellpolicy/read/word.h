/* Words: their text without quotes, and the words that their braces make. */
#ifndef ZS_WORD_H
#define ZS_WORD_H

#include "base/arena.h"
#include "base/listed.h"
#include "read/refusal.h"
#include "zs_shellpolicy.h"

/* The kind of a unit: a byte of a word, or a dynamic part of it. */
enum zs_unit_kind {
	ZS_UNIT_PLAIN,
	ZS_UNIT_QUOTED,
	ZS_UNIT_DYNAMIC,
	ZS_UNIT_QUOTE, /* not a byte: a quoted string begins here, so that even an empty one makes a word */
};

struct zs_unit {
	char byte;       /* ZS_UNIT_DYNAMIC: unused */
	uint8_t kind;    /* enum zs_unit_kind */
	uint8_t dynamic; /* enum zs_dynamic: the reason, for ZS_UNIT_DYNAMIC */
	bool edge;       /* for brace.c: no brace before this unit closes here or later */
};

struct zs_units {
	struct zs_unit *items;
	uint32_t count, capacity;
};

struct zs_units_list {
	struct zs_units *items;
	uint32_t count, capacity;
};

/* Reasons why a word is dynamic, that is, known only at run time. */
#define ZS_DYNAMICS(X)                                                                                                 \
	X(VARIABLE, "variable")                                                                                        \
	X(EXPANSION, "expansion")                                                                                      \
	X(ARITHMETIC, "arithmetic")                                                                                    \
	X(SUBSTITUTION, "substitution")                                                                                \
	X(PROCESS, "process substitution")                                                                             \
	X(GLOB, "glob")                                                                                                \
	X(TILDE, "tilde")                                                                                              \
	X(LOCALE, "locale")

enum zs_dynamic {
#define X(id, text) ZS_DYNAMIC_##id,
	ZS_DYNAMICS(X)
#undef X
};

struct zs_raw_word {
	const char *text;    /* without quotes; NULL if the word is dynamic */
	const char *dynamic; /* the reason, as in struct zs_word; NULL if the word is static */
	const char *prefix;  /* the static text before the first dynamic part; equals `text` in a static word. If a
				leading tilde is the only dynamic part: all of the word, "~/bin/x" */
	const char *shape;   /* for "…" whose dynamic parts are all arithmetic: the text with 1 in place of each number;
				else NULL */
	const char *raw;     /* the word as it was written, raw_len bytes, for messages */
	uint32_t raw_len;
	bool quoted; /* a part is quoted, so it is no reserved word */
	bool part;   /* the word is only a part of `raw` */
	struct zs_span span;
};

struct zs_word_list {
	struct zs_raw_word *items;
	uint32_t count, capacity;
};

/* How bash expands a word. */
enum zs_word_kind {
	ZS_WORD_ARGUMENT,   /* braces, tildes, globs */
	ZS_WORD_DECLARED,   /* NAME=… after declare: braces, tildes after = and : */
	ZS_WORD_ASSIGNMENT, /* NAME=… as a whole: tildes after = and :, no braces, no globs */
	ZS_WORD_SINGLE,     /* tildes only: the word of case, a here-string */
};

/* brace.c */

#define ZS_MAX_BRACES 256 /* opening braces in a word */

/* Appends the words that `word` expands to, in bash's order; `word` itself if it has no braces to expand. False: the
 * words are more than ZS_MAX_WORDS, the braces more than ZS_MAX_BRACES, or their form is not modelled. */
bool zs_brace_expand(struct zs_arena *arena, struct zs_units word, struct zs_units_list *list);

/* Appends to `list` the word that `units` are, or the words that its braces make. `raw` has the bytes and the span.
 * False: more than ZS_MAX_WORDS words or ZS_MAX_BRACES braces. */
bool zs_make_words(struct zs_arena *arena, struct zs_units units, enum zs_word_kind kind, const struct zs_raw_word *raw,
	struct zs_word_list *list);

/* The most hexadecimal digits after \x, \u or \U in $'…'. */
uint32_t zs_ansi_c_digits(char c);

/* Decodes the bytes of $'…' as bash does (man bash, QUOTING). text[start] is after the opening quote, text[end] is the
 * closing one. Returns the reason to refuse, or ZS_REFUSE_NOTHING. */
enum zs_refusal zs_decode_ansi_c(
	struct zs_arena *arena, const char *text, uint32_t start, uint32_t end, struct zs_units *units);

/* The end of the quoted string that starts at `start` with ' or $': after the closing quote. 0 if it does not end. */
uint32_t zs_quote_end(const char *text, uint32_t len, uint32_t start);

/* The end of the quoted string, the parentheses, ${…} or the byte at `at`; 0 if it does not end. */
size_t zs_skip_part(const char *text, size_t len, size_t at);
/* The end of the string whose quote is at `at`; 0 if it does not end. */
size_t zs_skip_quoted(const char *text, size_t len, size_t at);
/* The end of the ${ $( or ( that opens before `at`; `close` is the closing byte. 0 if it does not end. */
size_t zs_skip_nested(const char *text, size_t len, size_t at, char close);

/* A blank and the text in single quotes. */
const char *zs_quoted(struct zs_arena *arena, const char *text, size_t len);

/* Does the word begin like an assignment, unquoted: NAME= NAME+= NAME[ ? */
bool zs_is_assignment_form(const struct zs_units *units);

/* Does the word hold text like a[$(…)], which bash would run if it took the word for a variable's name, as unset, read
 * and [[ -v ]] do? The value of an expansion may end in a name. */
bool zs_has_subscript_code(const struct zs_units *units);

/* Is the word static, and this text? */
bool zs_word_is(const struct zs_raw_word *word, const char *text);
/* The part of a word after its first `skip` known bytes. */
struct zs_raw_word zs_word_from(const struct zs_raw_word *word, size_t skip);

static inline bool zs_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool zs_is_metacharacter(char c)
{
	return zs_is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '<' || c == '>' || c == '(' ||
	       c == ')';
}

static inline bool zs_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool zs_is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool zs_is_name(char c)
{
	return zs_is_name_start(c) || zs_is_digit(c);
}

#endif
