/* One bash word, read from its bytes: where it ends, what it unquotes to, which words its braces make. */
#ifndef ZS_WORD_H
#define ZS_WORD_H

#include "parse.h"
#include "zs_shellpolicy.h"

struct zs_raw_word {
	const char *text;    /* unquoted; NULL when dynamic */
	const char *dynamic; /* why, as in struct zs_word */
	const char *prefix;  /* the static text before the first dynamic part; equals text when static. Of a
			      * word that is dynamic for a leading tilde alone it is all of it, "~/bin/x" */
	const char *raw;     /* as it was written, raw_len bytes, for messages */
	uint32_t raw_len;
	bool quoted; /* some of it was quoted: it is no reserved word */
	struct zs_span span;
};

struct zs_word_list {
	struct zs_raw_word *items;
	uint32_t count, capacity;
};

/* What zs_word_read() says of braces that make more than ZS_MAX_WORDS words. */
extern const char zs_too_many_words[];

/* Where a word stands decides which expansions bash does in it. */
enum zs_word_context {
	ZS_WORD_COMMAND,    /* all of them */
	ZS_WORD_ASSIGNMENT, /* the right side of x=…: neither braces nor globs; a tilde after : too */
};

struct zs_source {
	struct zs_arena *arena;
	const char *text;
	uint32_t len;
	struct zs_tree tree;
};

/* Reads the word that starts at `start`. Substitutions are skipped by the tree's node that starts at the same
 * byte; where the tree has none, the two readings differ and the word is refused. Returns NULL and appends one
 * word (or what its braces expand to) to `list`, or returns what it does not model. */
const char *zs_word_read(const struct zs_source *source, uint32_t start, enum zs_word_context context,
	struct zs_word_list *list, uint32_t *ret_end);

/* The end of a quoted string that starts at `start` with ' or $': behind the closing quote, or 0 without one. */
uint32_t zs_quote_end(const char *text, uint32_t len, uint32_t start);

/* The node of an expansion, substitution or process substitution that starts at `byte`, or NULL. */
const struct zs_node *zs_expansion_at(struct zs_tree tree, uint32_t byte);

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
