/* Text to a flat tree: tree-sitter's nodes in pre-order, as plain data. Nothing after this stage knows
 * tree-sitter. */
#ifndef ZS_PARSE_H
#define ZS_PARSE_H

#include "base/arena.h"
#include "read/kinds.h"

/* A parent stands before its children, and start offsets never fall: an index is a position in reading order. */
struct zs_node {
	uint8_t kind;  /* enum zs_kind */
	uint8_t field; /* enum zs_field: its role in the parent */
	bool leaf;
	uint32_t start, end;
	uint32_t parent; /* index; the root is its own parent */
	uint32_t next;   /* index of the next sibling; 0: none */
	uint32_t after;  /* index behind its last descendant */
};

struct zs_tree {
	const struct zs_node *nodes;
	uint32_t count;
};

enum zs_parse_status {
	ZS_PARSE_LIMIT, /* too many nodes, too deep, or too slow */
	ZS_PARSE_OK,
	ZS_PARSE_ERROR, /* bad: the first node that is an error, or was missing in the text */
};

struct zs_parse_result {
	enum zs_parse_status status;
	const char *limit; /* which one, for ZS_PARSE_LIMIT */
	uint32_t bad_start, bad_end;
	struct zs_tree tree; /* ZS_PARSE_OK only */
};

/* The rest of a vetting's limits; counts down over all its texts. */
struct zs_budget {
	uint32_t nodes, steps, reads;
};

/* The state that a parser keeps between texts: the grammar's symbols as kinds. */
struct zs_grammar {
	uint8_t kinds[512]; /* by TSSymbol */
	uint8_t fields[64]; /* by TSFieldId */
};

void zs_grammar_init(struct zs_grammar *grammar);
struct zs_parse_result zs_parse(const struct zs_grammar *grammar, struct zs_arena *arena, const char *text, size_t len,
	struct zs_budget *budget);

#endif
