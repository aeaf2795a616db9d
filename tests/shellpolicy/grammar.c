/* Compares the kinds of shellpolicy/read/agree.h with the grammar: each symbol that a tree may hold has a kind or is
 * listed here, and each kind has a symbol. */
#include "check.h"
#include "read/agree.h"

/* This declares a part of <tree_sitter/api.h>, which is not in the tests' include path. */
typedef struct TSLanguage TSLanguage;
enum symbol_type { SYMBOL_REGULAR, SYMBOL_ANONYMOUS, SYMBOL_SUPERTYPE, SYMBOL_AUXILIARY };
const TSLanguage *tree_sitter_bash(void);
uint32_t ts_language_symbol_count(const TSLanguage *language);
const char *ts_language_symbol_name(const TSLanguage *language, uint16_t symbol);
enum symbol_type ts_language_symbol_type(const TSLanguage *language, uint16_t symbol);
uint32_t ts_language_field_count(const TSLanguage *language);
const char *ts_language_field_name_for_id(const TSLanguage *language, uint16_t field);

/* Symbols that the comparison takes for nodes and tokens without a meaning of their own. "``", "$`" and "unsetenv" are
 * not bash's: the strict reader masks backquotes, and unsetenv is an ordinary command. */
static const char *const other_nodes[] = { "program", "list", "pipeline", "negated_command", "subshell", "if_statement",
	"elif_clause", "else_clause", "while_statement", "function_definition", "redirected_statement", "heredoc_start",
	"heredoc_body", "heredoc_content", "heredoc_end", "command_name", "variable_assignments", "variable_name",
	"special_variable_name", "word", "number", "concatenation", "string", "string_content", "translated_string",
	"raw_string", "ansi_c_string", "brace_expression", "regex", "extglob_pattern", "test_operator",
	"unary_expression", "binary_expression", "ternary_expression", "postfix_expression",
	"parenthesized_expression" };
static const char *const other_tokens[] = { "for", "select", "in", "((", "))", ",", "=", "++", "--",
	"+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "^=", "|=", "-o", "-a", "^", "==", "!=", "<", ">",
	"<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "**", "(", ")", "while", "until", "do", "done", "if", "then",
	"fi", "elif", "else", "case", "esac", ";;", ";&", ";;&", "function", "{", "}", "!", "]", "]]", "declare",
	"typeset", "export", "readonly", "local", "unset", "=~", "&>", "&>>", "<&", ">&", ">|", "<&-", ">&-", "<<-",
	"<<<", "?", ":", "~", "$((", "$[", "..", "\"", "#", "${", "@", ":=", ":-", ":+", ":?", "%%", "//", "/#", "/%",
	",,", "^^", "U", "u", "L", "Q", "E", "P", "A", "K", "a", "k", "$(", "<(", ">(", "##", "`", "[", "[[", "$", "``",
	"$`", "unsetenv" };

static bool is_in(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

static bool is_visible(const TSLanguage *language, uint16_t symbol)
{
	enum symbol_type type = ts_language_symbol_type(language, symbol);

	return type == SYMBOL_REGULAR || type == SYMBOL_ANONYMOUS;
}

TEST(grammar_every_symbol_is_known)
{
	const TSLanguage *language = tree_sitter_bash();
	uint32_t count = ts_language_symbol_count(language);

	CHECK(count > 100 && count <= 512, "%u symbols; struct zs_grammar has room for 512", count);
	for (uint16_t symbol = 1; symbol < count; symbol++) { /* 0 is the end of the text */
		const char *name = ts_language_symbol_name(language, symbol);
		bool named = ts_language_symbol_type(language, symbol) == SYMBOL_REGULAR;
		enum zs_kind other = named ? ZS_KIND_OTHER : ZS_KIND_TOKEN;
		bool listed = named ? is_in(other_nodes, sizeof other_nodes / sizeof *other_nodes, name)
				    : is_in(other_tokens, sizeof other_tokens / sizeof *other_tokens, name);

		if (!is_visible(language, symbol))
			continue;
		CHECK((zs_kind_of(name, named) == other) == listed, "%s '%s' is %s", named ? "node" : "token", name,
			listed ? "listed here and has a kind" : "new: give it a kind, or list it here");
	}
}

static bool has_symbol(const TSLanguage *language, const char *name, bool named)
{
	for (uint16_t symbol = 0; symbol < ts_language_symbol_count(language); symbol++)
		if (is_visible(language, symbol) && strcmp(ts_language_symbol_name(language, symbol), name) == 0 &&
			(ts_language_symbol_type(language, symbol) == SYMBOL_REGULAR) == named)
			return true;
	return false;
}

TEST(grammar_every_kind_has_a_symbol)
{
	static const char *const operators[] = { ";", "&", "&&", "||", "|&" };
	const TSLanguage *language = tree_sitter_bash();

#define X(id, name)                                                                                                    \
	CHECK(has_symbol(language, name, true), "no node is called %s", name);                                         \
	CHECK(zs_kind_of(name, true) == ZS_KIND_##id, "%s is another kind", name);
	ZS_KINDS(X)
#undef X
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		CHECK(has_symbol(language, operators[i], false), "no token is written %s", operators[i]);
		CHECK(zs_kind_of(operators[i], false) == ZS_KIND_OPERATOR, "%s is another kind", operators[i]);
	}
	for (size_t i = 0; i < sizeof other_nodes / sizeof *other_nodes; i++)
		CHECK(has_symbol(language, other_nodes[i], true), "no node is called %s", other_nodes[i]);
	for (size_t i = 0; i < sizeof other_tokens / sizeof *other_tokens; i++)
		CHECK(has_symbol(language, other_tokens[i], false), "no token is written %s", other_tokens[i]);
	CHECK(has_symbol(language, "|", false) && zs_kind_of("|", false) == ZS_KIND_PIPE, "| is another kind");
}

TEST(grammar_names_do_not_mix)
{
	CHECK(zs_kind_of("no_such_node", true) == ZS_KIND_OTHER, "a node without a kind");
	CHECK(zs_kind_of("no such token", false) == ZS_KIND_TOKEN, "a token without a kind");
	CHECK(zs_kind_of("command", false) == ZS_KIND_TOKEN, "a token of a node's name");
	CHECK(zs_kind_of("&&", true) == ZS_KIND_OTHER, "a node of a token's name");
	CHECK(zs_kind_of("ERROR", true) == ZS_KIND_OTHER, "ERROR is told by the node, not by its name");
	CHECK(zs_kind_of("", false) == ZS_KIND_TOKEN, "an empty name");
}

TEST(grammar_fields)
{
	const TSLanguage *language = tree_sitter_bash();
	uint32_t count = ts_language_field_count(language), found = 0;

	CHECK(count > 0 && count < 64, "%u fields; struct zs_grammar has room for 64", count);
	for (uint16_t field = 1; field <= count; field++)
		found += zs_field_of(ts_language_field_name_for_id(language, field)) != ZS_FIELD_OTHER;
	CHECK(found == 2, "%u of the two fields are in the grammar", found);
	CHECK(zs_field_of("value") == ZS_FIELD_VALUE && zs_field_of("destination") == ZS_FIELD_DESTINATION, "fields");
	CHECK(zs_field_of("no such field") == ZS_FIELD_OTHER, "another field");
}
