/* Parsing: a text becomes tree-sitter's tree, flattened to plain nodes in pre-order. No later stage knows tree-sitter.
 */
#ifndef ZS_PARSE_H
#define ZS_PARSE_H

#include "base/arena.h"
#include "read/kinds.h"

/* A parent stands before its children, and start offsets never fall. So the order of the nodes is the order of the
 * text. */
struct zs_node {
	uint8_t kind;  /* enum zs_kind */
	uint8_t field; /* enum zs_field: the node's role in its parent */
	bool leaf;
	uint32_t start, end;
	uint32_t parent; /* index; the root's parent is the root */
	uint32_t next;   /* index of the next sibling; 0 if there is none */
	uint32_t after;  /* index behind the last descendant */
};

struct zs_tree {
	const struct zs_node *nodes;
	uint32_t count;
};

enum zs_parse_status {
	ZS_PARSE_LIMIT, /* too many nodes, too deep, or too slow */
	ZS_PARSE_OK,
	ZS_PARSE_ERROR, /* `bad` is the first node that is an error or missing */
};

struct zs_parse_result {
	enum zs_parse_status status;
	const char *limit; /* ZS_PARSE_LIMIT: which limit */
	uint32_t bad_start, bad_end;
	struct zs_tree tree; /* only with ZS_PARSE_OK */
};

/* The part of the limits that is left; all texts of a vetting share it. */
struct zs_budget {
	uint32_t nodes, steps, reads;
};

/* The grammar's symbols and fields as our kinds, made once per vetter. */
struct zs_grammar {
	uint8_t kinds[512]; /* by TSSymbol */
	uint8_t fields[64]; /* by TSFieldId */
};

void zs_grammar_init(struct zs_grammar *grammar);
struct zs_parse_result zs_parse(const struct zs_grammar *grammar, struct zs_arena *arena, const char *text, size_t len,
	struct zs_budget *budget);

#endif
