/* Rows for other programs and for people: letters and bits become words. */
#include "judge/options.h"
#include "rows/rows.h"
#include "zs_shellpolicy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define TABLE_NAME_SIZE 16

static const struct zs_term kinds[] = {
#define X(id, name, text) { name, text },
	ZS_TERM_KINDS(X)
#undef X
};

static const struct zs_term roles[] = {
#define X(id, letter, name, text) { name, text },
	ZS_ROLES(X)
#undef X
};
static const struct zs_term effects[] = {
#define X(id, letter, name, text) { name, text },
	ZS_FLAG_EFFECTS(X)
#undef X
};
static const struct zs_term traits[] = {
#define X(id, bit, name, text) { name, text },
	ZS_ROW_TRAITS(X)
#undef X
};
static const struct zs_term grammars[] = {
#define X(id, name, text) { #name, text },
	ZS_GRAMMARS(X)
#undef X
};

static const char role_letters[] = {
#define X(id, letter, name, text) letter,
	ZS_ROLES(X)
#undef X
		'\0',
};
static const char effect_letters[] = {
#define X(id, letter, name, text) letter,
	ZS_FLAG_EFFECTS(X)
#undef X
		'\0',
};
static const uint32_t trait_bits[] = {
#define X(id, bit, name, text) ZS_ROW_##id,
	ZS_ROW_TRAITS(X)
#undef X
};
static const struct {
	const struct zs_term *terms;
	size_t count;
} terms[ZS_TERM_KIND_COUNT] = {
	[ZS_TERM_ROLE] = { roles, LENGTH(roles) },
	[ZS_TERM_EFFECT] = { effects, LENGTH(effects) },
	[ZS_TERM_TRAIT] = { traits, LENGTH(traits) },
	[ZS_TERM_GRAMMAR] = { grammars, LENGTH(grammars) },
};

/* arrays instead of pointers, which would have to be relocated at each start */
static const char table_names[][TABLE_NAME_SIZE] = {
#define X(name) #name,
	ZS_ROW_TABLES(X)
#undef X
};
#define X(name) _Static_assert(sizeof #name <= TABLE_NAME_SIZE, #name);
ZS_ROW_TABLES(X)
#undef X

const struct zs_term *zs_term_kind(enum zs_term_kind kind)
{
	return kind < ZS_TERM_KIND_COUNT ? &kinds[kind] : NULL;
}

const struct zs_term *zs_term_at(enum zs_term_kind kind, size_t i)
{
	return kind < ZS_TERM_KIND_COUNT && i < terms[kind].count ? &terms[kind].terms[i] : NULL;
}

static const struct zs_term *by_letter(const char *letters, const struct zs_term *words, char letter)
{
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? &words[at - letters] : NULL;
}

const struct zs_term *zs_row_trait(const struct zs_row *row, size_t i)
{
	for (size_t trait = 0; trait < LENGTH(traits); trait++)
		if ((row->traits & trait_bits[trait]) && i-- == 0)
			return &traits[trait];
	return NULL;
}

bool zs_row_flag(const struct zs_row *row, size_t i, struct zs_row_flag *ret_flag)
{
	const char *options = zs_row_options(row) ? zs_row_options(row) : "";
	struct zs_option_spec spec;
	const struct zs_term *effect;

	do {
		if (!zs_next_option(&options, &spec))
			return false;
	} while (i-- > 0);
	/* '?' is followed by an effect, or by the role of an attached value: xargs -i?R. */
	effect = spec.arity == '=' || spec.arity == '^' ? NULL : by_letter(effect_letters, effects, spec.meaning);
	*ret_flag = (struct zs_row_flag){
		.name = spec.name,
		.len = spec.len,
		.takes = spec.arity == '^'
				 ? '='
				 : spec.arity, /* only options.c needs to know that the value is in the next word */
		.meaning = effect ? effect : by_letter(role_letters, roles, spec.meaning),
	};
	return true;
}

bool zs_row_operand(const struct zs_row *row, size_t i, struct zs_row_operand *ret_operand)
{
	const char *letters = zs_row_operands(row) ? zs_row_operands(row) : "";

	for (const char *letter = letters; *letter; letter++) {
		if (*letter == '*' || i-- > 0)
			continue;
		*ret_operand = (struct zs_row_operand){ by_letter(role_letters, roles, *letter), letter[1] == '*' };
		return true;
	}
	return false;
}

struct zs_row_view zs_row_view(const struct zs_row *row)
{
	return (struct zs_row_view){
		.table = table_names[row->table],
		.of = zs_row_of(row),
		.names = zs_row_names(row),
		.language = zs_row_language(row),
		.hint = zs_row_hint(row),
		.grammar = row->grammar ? &grammars[row->grammar - 1] : NULL,
	};
}

/* Finds the row word by word, as judge_sub() does. `family` is the command to which the next word belongs. */
static const struct zs_row *walk(const char *name, char *family, size_t size)
{
	const struct zs_row *row = NULL;
	size_t used = 0;

	for (;;) {
		size_t len = strcspn(name, " "), own_len = len;
		const char *own = name;
		char word[64];

		if (len == 0 || len >= sizeof word)
			return NULL;
		snprintf(word, sizeof word, "%.*s", (int)len, name);
		row = zs_row_find(family, word);
		if (!row || !name[len])
			return row;
		/* pip3.11 belongs to the family pip, and "*" stands for any word */
		if (!used || strcmp(zs_row_names(row), "*") == 0)
			own = zs_row_name(row, word, &own_len);
		used += (size_t)snprintf(family + used, size - used, "%s%.*s", used ? " " : "", (int)own_len, own);
		if (used >= size)
			return NULL;
		name += len + 1;
	}
}

const struct zs_row *zs_row_named(const char *name)
{
	char family[128] = "";

	return walk(name, family, sizeof family);
}
