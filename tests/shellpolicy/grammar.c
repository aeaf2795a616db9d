/* shellpolicy/read/kinds.h against the grammar itself: a kind that a tree may hold and that has no rule must be
 * left out on purpose, and no rule may be for a kind that is not there. */
#include "check.h"
#include "read/kinds.h"

#include <stdio.h>
#include <string.h>

/* This declares a part of <tree_sitter/api.h>, which is not in the tests' include path. */
typedef struct TSLanguage TSLanguage;
enum symbol_type { SYMBOL_REGULAR, SYMBOL_ANONYMOUS, SYMBOL_SUPERTYPE, SYMBOL_AUXILIARY };
const TSLanguage *tree_sitter_bash(void);
uint32_t ts_language_symbol_count(const TSLanguage *language);
const char *ts_language_symbol_name(const TSLanguage *language, uint16_t symbol);
enum symbol_type ts_language_symbol_type(const TSLanguage *language, uint16_t symbol);
uint32_t ts_language_field_count(const TSLanguage *language);
const char *ts_language_field_name_for_id(const TSLanguage *language, uint16_t field);

/* Without a rule, so they block: two substitutions read as one, and a command that bash does not have. */
static const char *const left_out[] = { "``", "$`", "unsetenv" };

static bool is_left_out(const char *name)
{
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
		if (strcmp(left_out[i], name) == 0)
			return true;
	return false;
}

static bool is_visible(const TSLanguage *language, uint16_t symbol)
{
	enum symbol_type type = ts_language_symbol_type(language, symbol);

	return type == SYMBOL_REGULAR || type == SYMBOL_ANONYMOUS;
}

TEST(grammar_every_symbol_has_a_kind)
{
	const TSLanguage *language = tree_sitter_bash();
	uint32_t count = ts_language_symbol_count(language), found = 0;

	CHECK(count > 100 && count <= 512, "%u symbols; struct zs_grammar has room for 512", count);
	for (uint16_t symbol = 1; symbol < count; symbol++) { /* 0 is the end of the text */
		const char *name = ts_language_symbol_name(language, symbol);
		bool named = ts_language_symbol_type(language, symbol) == SYMBOL_REGULAR;

		if (!is_visible(language, symbol))
			continue;
		if (!named && is_left_out(name)) {
			found++;
			CHECK(zs_kind_of(name, named) == ZS_KIND_UNKNOWN, "%s has a kind", name);
			continue;
		}
		CHECK(zs_kind_of(name, named) != ZS_KIND_UNKNOWN, "%s '%s' has no kind", named ? "node" : "token",
			name);
	}
	CHECK(found == sizeof left_out / sizeof *left_out, "%u of the symbols left out are in the grammar", found);
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
	const TSLanguage *language = tree_sitter_bash();

#define X(id, name)                                                                                                    \
	CHECK(has_symbol(language, name, true), "no node is called %s", name);                                         \
	CHECK(zs_kind_of(name, true) == ZS_KIND_##id, "%s is another kind", name);
	ZS_KINDS(X)
#undef X
#define X(id, name)                                                                                                    \
	CHECK(has_symbol(language, name, false), "no token is written %s", name);                                      \
	CHECK(zs_kind_of(name, false) == ZS_KIND_##id, "%s is another kind", name);
	ZS_TOKEN_KINDS(X)
#undef X
}

TEST(grammar_names_do_not_mix)
{
	CHECK(zs_kind_of("no_such_node", true) == ZS_KIND_UNKNOWN, "a node without a rule");
	CHECK(zs_kind_of("no such token", false) == ZS_KIND_UNKNOWN, "a token without a rule");
	CHECK(zs_kind_of("command", false) == ZS_KIND_UNKNOWN, "a token of a node's name");
	CHECK(zs_kind_of("&&", true) == ZS_KIND_UNKNOWN, "a node of a token's name");
	CHECK(zs_kind_of("ERROR", true) == ZS_KIND_UNKNOWN, "ERROR is told by the node, not by its name");
	CHECK(zs_kind_of("token", false) == ZS_KIND_UNKNOWN, "our own names are not the grammar's");
	CHECK(zs_kind_of("", false) == ZS_KIND_UNKNOWN, "an empty name");
	CHECK((int)ZS_KIND_UNKNOWN == 0, "zero refuses");
}

TEST(grammar_fields)
{
	const TSLanguage *language = tree_sitter_bash();
	uint32_t count = ts_language_field_count(language);

	CHECK(count > 0 && count < 64, "%u fields; struct zs_grammar has room for 64", count);
#define X(id, text)                                                                                                    \
	{                                                                                                              \
		bool found = false;                                                                                    \
                                                                                                                       \
		for (uint16_t field = 1; field <= count; field++)                                                      \
			found |= strcmp(ts_language_field_name_for_id(language, field), text) == 0;                    \
		CHECK(found && zs_field_of(text) == ZS_FIELD_##id, "field %s", text);                                  \
	}
	ZS_FIELDS(X)
#undef X
	CHECK(zs_field_of("no such field") == ZS_FIELD_OTHER, "another field");
}
