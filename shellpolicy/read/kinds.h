/* Every kind of node that tree-sitter-bash 0.25.1 can put into a tree, by name. A kind that is not here is
 * ZS_KIND_UNKNOWN and blocks; tests/shellpolicy/grammar.c checks the list against the grammar. */
#ifndef ZS_READ_KINDS_H
#define ZS_READ_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* Named nodes. */
#define ZS_KINDS(X)                                                                                                    \
	X(PROGRAM, "program")                                                                                          \
	X(LIST, "list")                                                                                                \
	X(PIPELINE, "pipeline")                                                                                        \
	X(NEGATED, "negated_command")                                                                                  \
	X(SUBSHELL, "subshell")                                                                                        \
	X(COMPOUND, "compound_statement")                                                                              \
	X(IF, "if_statement")                                                                                          \
	X(ELIF, "elif_clause")                                                                                         \
	X(ELSE, "else_clause")                                                                                         \
	X(WHILE, "while_statement")                                                                                    \
	X(FOR, "for_statement")                                                                                        \
	X(C_FOR, "c_style_for_statement")                                                                              \
	X(DO_GROUP, "do_group")                                                                                        \
	X(CASE, "case_statement")                                                                                      \
	X(CASE_ITEM, "case_item")                                                                                      \
	X(FUNCTION, "function_definition")                                                                             \
	X(TEST_COMMAND, "test_command")                                                                                \
	X(REDIRECTED, "redirected_statement")                                                                          \
	X(FILE_REDIRECT, "file_redirect")                                                                              \
	X(HEREDOC_REDIRECT, "heredoc_redirect")                                                                        \
	X(HERESTRING_REDIRECT, "herestring_redirect")                                                                  \
	X(FILE_DESCRIPTOR, "file_descriptor")                                                                          \
	X(HEREDOC_START, "heredoc_start")                                                                              \
	X(HEREDOC_BODY, "heredoc_body")                                                                                \
	X(HEREDOC_CONTENT, "heredoc_content")                                                                          \
	X(HEREDOC_END, "heredoc_end")                                                                                  \
	X(COMMAND, "command")                                                                                          \
	X(COMMAND_NAME, "command_name")                                                                                \
	X(DECLARATION, "declaration_command")                                                                          \
	X(UNSET, "unset_command")                                                                                      \
	X(ASSIGNMENT, "variable_assignment")                                                                           \
	X(ASSIGNMENTS, "variable_assignments")                                                                         \
	X(ARRAY, "array")                                                                                              \
	X(SUBSCRIPT, "subscript")                                                                                      \
	X(VARIABLE_NAME, "variable_name")                                                                              \
	X(SPECIAL_VARIABLE_NAME, "special_variable_name")                                                              \
	X(WORD, "word")                                                                                                \
	X(NUMBER, "number")                                                                                            \
	X(CONCATENATION, "concatenation")                                                                              \
	X(STRING, "string")                                                                                            \
	X(STRING_CONTENT, "string_content")                                                                            \
	X(TRANSLATED_STRING, "translated_string")                                                                      \
	X(RAW_STRING, "raw_string")                                                                                    \
	X(ANSI_C_STRING, "ansi_c_string")                                                                              \
	X(BRACE_EXPRESSION, "brace_expression")                                                                        \
	X(SIMPLE_EXPANSION, "simple_expansion")                                                                        \
	X(EXPANSION, "expansion")                                                                                      \
	X(ARITHMETIC_EXPANSION, "arithmetic_expansion")                                                                \
	X(COMMAND_SUBSTITUTION, "command_substitution")                                                                \
	X(PROCESS_SUBSTITUTION, "process_substitution")                                                                \
	X(REGEX, "regex")                                                                                              \
	X(EXTGLOB_PATTERN, "extglob_pattern")                                                                          \
	X(TEST_OPERATOR, "test_operator")                                                                              \
	X(UNARY, "unary_expression")                                                                                   \
	X(BINARY, "binary_expression")                                                                                 \
	X(TERNARY, "ternary_expression")                                                                               \
	X(POSTFIX, "postfix_expression")                                                                               \
	X(PARENTHESIZED, "parenthesized_expression")                                                                   \
	X(COMMENT, "comment")

/* Anonymous tokens that mean something to the lowering. */
#define ZS_TOKEN_KINDS(X)                                                                                              \
	X(SEMICOLON, ";")                                                                                              \
	X(AMPERSAND, "&")                                                                                              \
	X(AND, "&&")                                                                                                   \
	X(OR, "||")                                                                                                    \
	X(PIPE, "|")                                                                                                   \
	X(PIPE_BOTH, "|&")                                                                                             \
	X(BACKQUOTE, "`")                                                                                              \
	X(BRACKET, "[")                                                                                                \
	X(DOUBLE_BRACKET, "[[")                                                                                        \
	X(DOLLAR, "$")

enum zs_kind {
	ZS_KIND_UNKNOWN,
#define X(id, name) ZS_KIND_##id,
	ZS_KINDS(X) ZS_TOKEN_KINDS(X)
#undef X
		ZS_KIND_TOKEN, /* any other anonymous token, as listed in kinds.c */
	ZS_KIND_ERROR,
	ZS_KIND_COUNT
};

/* Fields that the lowering looks at; all others are ZS_FIELD_OTHER. */
#define ZS_FIELDS(X)                                                                                                   \
	X(NAME, "name")                                                                                                \
	X(VALUE, "value")                                                                                              \
	X(ARGUMENT, "argument")                                                                                        \
	X(DESTINATION, "destination")                                                                                  \
	X(OPERATOR, "operator")                                                                                        \
	X(BODY, "body")                                                                                                \
	X(DESCRIPTOR, "descriptor")

enum zs_field {
	ZS_FIELD_NONE,
#define X(id, name) ZS_FIELD_##id,
	ZS_FIELDS(X)
#undef X
		ZS_FIELD_OTHER
};

/* The kind of a node by the name its grammar gives it; ZS_KIND_UNKNOWN when it is not listed. */
enum zs_kind zs_kind_of(const char *name, bool named);
enum zs_field zs_field_of(const char *name);

#endif
