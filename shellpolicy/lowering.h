/* What lower.c and lower_redirect.c share: the walk's state, and how nodes and refusals are handled in it. */
#ifndef ZS_LOWERING_H
#define ZS_LOWERING_H

#include "lower.h"

/* How a node's bytes are to be read; inherited from the parent. */
enum mode {
	MODE_SHELL,   /* commands and words */
	MODE_WORD,    /* inside a word that word.c has read */
	MODE_EXPR,    /* arithmetic, subscripts, arrays: single quotes need not quote */
	MODE_BRACED,  /* ${…}: the same, and a brace or quote in it may end it sooner than the parser thinks */
	MODE_TEST,    /* [[ … ]] and case patterns: leaves are checked, no words are made */
	MODE_BRACKET, /* [ … ]: read again as the command that it is */
	MODE_LITERAL, /* the body of a quoted here-document */
};

struct context {
	uint8_t mode;    /* enum mode */
	uint8_t nesting; /* enum zs_nesting */
	uint16_t depth;
	int32_t command;   /* index of the raw command that words of this node join, or -1 */
	uint32_t limit;    /* where words end at the latest: a closing backquote, or the text's end */
	uint32_t seen;     /* end of the newest child, of a redirected statement */
	uint32_t word_end; /* end of the newest word among this node's children, by our reading */
	uint32_t tree_end; /* and by the tree's */
};

struct lowering {
	struct zs_build *build;
	const struct zs_source *source;
	const struct zs_place *place;
	struct context *contexts; /* by node */
	struct zs_raw *raw;
};

static inline const struct zs_node *node_at(const struct lowering *low, uint32_t index)
{
	return &low->source->tree.nodes[index];
}

static inline uint32_t first_child(const struct lowering *low, uint32_t index)
{
	return node_at(low, index)->leaf ? 0 : index + 1;
}

/* The child after `child`, or 0. */
static inline uint32_t next_child(const struct lowering *low, uint32_t child)
{
	return node_at(low, child)->next;
}

/* lower.c */

/* A finding that blocks. The two offsets may come in any order: they are where two readings end. */
void zs_refuse(struct lowering *low, const char *what, uint32_t one, uint32_t other);
void zs_refuse_node(struct lowering *low, const char *what, uint32_t index);
bool zs_node_is(const struct lowering *low, uint32_t index, const char *text);
char *zs_node_text(const struct lowering *low, uint32_t index);
/* Reads the word at `start`, which belongs to node `index`, into `list`. */
bool zs_read_word(struct lowering *low, uint32_t index, uint32_t start, enum zs_word_context context,
	struct zs_word_list *list, uint32_t *ret_end);
/* A child that stands where a word stands, into `list`. */
void zs_lower_word(struct lowering *low, uint32_t index, enum zs_word_context word_context, struct zs_word_list *list);

/* lower_redirect.c */

void zs_lower_file_redirect(struct lowering *low, uint32_t index);
void zs_lower_herestring(struct lowering *low, uint32_t index);
void zs_lower_heredoc(struct lowering *low, uint32_t index);
/* Words between the statement's body, which ends at `start`, and the redirection `index` behind it. */
void zs_lower_dropped_words(struct lowering *low, uint32_t index, uint32_t start);

#endif
