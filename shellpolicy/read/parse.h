/* Parsing: a text becomes tree-sitter's tree, flattened to plain nodes in pre-order. No later stage knows tree-sitter.
 */
#ifndef ZS_PARSE_H
#define ZS_PARSE_H

#include "base/arena.h"

#include <stdbool.h>

/* Named nodes that the comparison looks at, by their names in tree-sitter-bash 0.25.1. tests/shellpolicy/grammar.c
 * checks them, and lists the other symbols, so that an update of the grammar is noticed. */
#define ZS_KINDS(X)                                                                                                    \
	X(COMPOUND, "compound_statement")                                                                              \
	X(FOR, "for_statement")                                                                                        \
	X(C_FOR, "c_style_for_statement")                                                                              \
	X(DO_GROUP, "do_group")                                                                                        \
	X(CASE, "case_statement")                                                                                      \
	X(CASE_ITEM, "case_item")                                                                                      \
	X(TEST_COMMAND, "test_command")                                                                                \
	X(FILE_REDIRECT, "file_redirect")                                                                              \
	X(HEREDOC_REDIRECT, "heredoc_redirect")                                                                        \
	X(HERESTRING_REDIRECT, "herestring_redirect")                                                                  \
	X(FILE_DESCRIPTOR, "file_descriptor")                                                                          \
	X(COMMAND, "command")                                                                                          \
	X(DECLARATION, "declaration_command")                                                                          \
	X(UNSET, "unset_command")                                                                                      \
	X(ASSIGNMENT, "variable_assignment")                                                                           \
	X(ARRAY, "array")                                                                                              \
	X(SUBSCRIPT, "subscript")                                                                                      \
	X(SIMPLE_EXPANSION, "simple_expansion")                                                                        \
	X(EXPANSION, "expansion")                                                                                      \
	X(ARITHMETIC_EXPANSION, "arithmetic_expansion")                                                                \
	X(COMMAND_SUBSTITUTION, "command_substitution")                                                                \
	X(PROCESS_SUBSTITUTION, "process_substitution")                                                                \
	X(COMMENT, "comment")

enum zs_kind {
	ZS_KIND_OTHER, /* any other named node */
#define X(id, name) ZS_KIND_##id,
	ZS_KINDS(X)
#undef X
		ZS_KIND_TOKEN, /* an anonymous token without a meaning of its own: its parent says what stands here */
	ZS_KIND_OPERATOR,      /* ; & && || |& */
	ZS_KIND_PIPE,          /* | */
	ZS_KIND_ERROR,
};

/* The role of a node in its parent. */
enum zs_field { ZS_FIELD_OTHER, ZS_FIELD_VALUE, ZS_FIELD_DESTINATION };

/* The kind of a node, by the name that the grammar gives it. */
enum zs_kind zs_kind_of(const char *name, bool named);
enum zs_field zs_field_of(const char *name);

/* A parent stands before its children, and start offsets never fall. So the order of the nodes is the order of the
 * text. */
struct zs_node {
	uint8_t kind;  /* enum zs_kind */
	uint8_t field; /* enum zs_field */
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
	uint8_t kinds[512]; /* the kind of each TSSymbol */
	uint8_t fields[64]; /* the field of each TSFieldId */
};

void zs_grammar_init(struct zs_grammar *grammar);
struct zs_parse_result zs_parse(const struct zs_grammar *grammar, struct zs_arena *arena, const char *text, size_t len,
	struct zs_budget *budget);

#endif
