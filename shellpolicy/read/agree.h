/* The second reading: tree-sitter's tree of a text, compared with what the strict reader has read. No other stage knows
 * tree-sitter. */
#ifndef ZS_AGREE_H
#define ZS_AGREE_H

#include "read/strict_reader.h"

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
};

/* The role of a node in its parent. */
enum zs_field { ZS_FIELD_OTHER, ZS_FIELD_VALUE, ZS_FIELD_DESTINATION };

/* The kind of a node, by the name that the grammar gives it. */
enum zs_kind zs_kind_of(const char *name, bool named);
enum zs_field zs_field_of(const char *name);

/* The grammar's symbols and fields as our kinds, made once per vetter. */
struct zs_grammar {
	uint8_t kinds[512]; /* the kind of each TSSymbol */
	uint8_t fields[64]; /* the field of each TSFieldId */
};

void zs_grammar_init(struct zs_grammar *grammar);

/* Parses the text and compares the tree with what the strict reader has read. False: the readings differ, or a limit
 * was reached; a finding says where. If the parser reports an error in a text that the strict reader fully understands,
 * the strict reader's reading counts alone. */
bool zs_agree(struct zs_build *build, const struct zs_grammar *grammar, const struct zs_pending_text *pending,
	struct zs_reading *reading);

#endif
