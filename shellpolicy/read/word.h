/* Words: what they unquote to, and which words their braces make. */
#ifndef ZS_WORD_H
#define ZS_WORD_H

#include "base/arena.h"
#include "base/listed.h"
#include "read/brace.h"
#include "read/refusal.h"
#include "zs_shellpolicy.h"

/* Why a word is not static. */
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
	const char *text;    /* unquoted; NULL when dynamic */
	const char *dynamic; /* why, as in struct zs_word */
	const char *prefix;  /* the static text before the first dynamic part; equals text when static. For a
			      * word that is dynamic for a leading tilde alone: all of it, "~/bin/x" */
	const char *shape; /* of "…" in which arithmetic alone is dynamic: the text with 1 in place of each number; else
			    * NULL */
	const char *raw;   /* as it was written, raw_len bytes, for messages */
	uint32_t raw_len;
	bool quoted; /* some of it was quoted: it is no reserved word */
	bool part;   /* it is a part of what `raw` shows */
	struct zs_span span;
};

struct zs_word_list {
	struct zs_raw_word *items;
	uint32_t count, capacity;
};

/* How the bytes of a word are expanded. */
enum zs_word_kind {
	ZS_WORD_ARGUMENT,   /* braces, tildes, globs */
	ZS_WORD_DECLARED,   /* NAME=… behind declare: braces, tildes behind = and : */
	ZS_WORD_ASSIGNMENT, /* NAME=…, as a whole: tildes behind = and :, neither braces nor globs */
	ZS_WORD_SINGLE,     /* tildes only: the word of case, a here-string */
};

/* Appends the word that `units` are, or those that its braces make, to `list`. `raw` has the span's bytes. False:
 * more than ZS_MAX_WORDS, or more than ZS_MAX_BRACES braces. */
bool zs_make_words(struct zs_arena *arena, struct zs_units units, enum zs_word_kind kind, const struct zs_raw_word *raw,
	struct zs_word_list *list);

/* The bytes of $'…' as bash decodes them (man bash, QUOTING); text[start] is behind the quote, text[end] is the
 * closing one. Returns the reason to refuse, or nothing. */
/* How many hexadecimal digits follow \x, \u or \U of $'…' at most. */
uint32_t zs_ansi_c_digits(char c);

enum zs_refusal zs_decode_ansi_c(
	struct zs_arena *arena, const char *text, uint32_t start, uint32_t end, struct zs_units *units);

/* The end of a quoted string that starts at `start` with ' or $': behind the closing quote, or 0 without one. */
uint32_t zs_quote_end(const char *text, uint32_t len, uint32_t start);

/* Does the word begin as an assignment does: NAME= NAME+= NAME[, unquoted? */
bool zs_is_assignment_form(const struct zs_units *units);

/* Does it hold text that unset, read, [[ -v, … would run if it were a variable's name: a[$(…)]? An expansion may end in
 * a name. */
bool zs_has_subscript_code(const struct zs_units *units);

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
