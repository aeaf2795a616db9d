/* The tables of commands are well-formed: these tests find rows that options.c would silently misread. */
#include "rows/rows.h"

#include "check.h"
#include "judge/classify.h"
#include "judge/options.h"
#include "rows/rows_index.h"
#include "rows/rows_table.h"
#include "vetting.h"

#include <setjmp.h>

#define LETTER(id, letter, name, text) letter,
static const char roles[] = { ZS_ROLES(LETTER) '\0' };
static const char effects[] = { ZS_FLAG_EFFECTS(LETTER) '\0' };

/* Calls `each` for every row of every table. */
static void for_each_row(void (*each)(const struct zs_row *row))
{
	const struct zs_row *row;

	for (size_t i = 0; (row = zs_row_at(i)) != NULL; i++)
		each(row);
}

static const char *names(const struct zs_row *row)
{
	return zs_row_names(row);
}

static const char *of(const struct zs_row *row)
{
	return zs_row_of(row) ? zs_row_of(row) : "";
}

static const char *letters_of(const struct zs_row *row)
{
	return zs_row_operands(row) ? zs_row_operands(row) : "";
}

static bool is_same(const char *packed, const char *written)
{
	return packed && written ? strcmp(packed, written) == 0 : packed == written;
}

static void check_packed(const char *table, const struct zs_row *row, const struct zs_table_row *written)
{
	CHECK(is_same(zs_row_of(row), written->of) && is_same(names(row), written->names), "%s %s: '%s' of '%s'",
		written->of ? written->of : "", written->names, names(row), of(row));
	CHECK(is_same(zs_row_options(row), written->options), "%s %s: options", of(row), names(row));
	CHECK(is_same(zs_row_operands(row), written->operands), "%s %s: operands", of(row), names(row));
	CHECK(is_same(zs_row_language(row), written->language), "%s %s: language", of(row), names(row));
	CHECK(is_same(zs_row_hint(row), written->hint), "%s %s: hint", of(row), names(row));
	CHECK(row->traits == written->traits && row->grammar == written->grammar, "%s %s: traits, grammar", of(row),
		names(row));
	CHECK(same(zs_row_view(row).table, table), "%s %s: of %s", of(row), names(row), zs_row_view(row).table);
}

/* zs has the rows that are written in rows_*.c, in that order. */
TEST(rows_are_packed_as_written)
{
	size_t at = 0;

#define X(name)                                                                                                        \
	for (size_t i = 0; i < zs_rows_##name##_count && zs_row_at(at); i++)                                           \
		check_packed(#name, zs_row_at(at++), &zs_rows_##name[i]);
	ZS_ROW_TABLES(X)
#undef X
	CHECK(at == zs_packed_row_count, "%zu rows are written, %zu packed", at, zs_packed_row_count);
	CHECK(!zs_row_at(at), "a row behind the last");
}

/* Is it a list like "a|b|c", without empty and repeated names? */
static bool is_list(const char *list)
{
	for (const char *item = list;; item++) {
		size_t len = strcspn(item, "|");

		if (len == 0)
			return false;
		for (const char *other = item + len; *other;) {
			size_t other_len = strcspn(++other, "|");

			if (other_len == len && strncmp(item, other, len) == 0)
				return false;
			other += other_len;
		}
		item += len;
		if (!*item)
			return true;
	}
}

static void check_names(const struct zs_row *row)
{
	CHECK(names(row) && is_list(names(row)), "names '%s'", names(row) ? names(row) : "(none)");
	CHECK(!zs_row_of(row) || is_list(zs_row_of(row)), "'%s' of '%s'", names(row), of(row));
	CHECK(!strpbrk(names(row), " /\t"), "'%s': a name is a base name", names(row));
}

TEST(rows_have_names)
{
	for_each_row(check_names);
}

/* Does an attached value have a role, as in -i?R and --dump?W? */
static bool takes_attached(const struct zs_option_spec *spec)
{
	return spec->arity == '?' && strchr("RWO", spec->meaning);
}

static void check_options(const struct zs_row *row)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;

	while (options && zs_next_option(&options, &spec)) {
		const char *start = options - strcspn(spec.name, " ");
		size_t len = strcspn(start, " ");

		CHECK(spec.len >= 1 && spec.name[0] == '-', "%s %s: '%.*s' is no flag", of(row), names(row), (int)len,
			start);
		switch (spec.arity) {
		case '\0':
			CHECK(spec.len == len, "%s %s: '%.*s'", of(row), names(row), (int)len, start);
			break;
		case '=':
		case '^':
			CHECK(spec.len + 2 == len && strchr(roles, spec.meaning), "%s %s: '%.*s' has no role", of(row),
				names(row), (int)len, start);
			break;
		case '?':
		case '!':
			CHECK(spec.len + 2 == len && (strchr(effects, spec.meaning) || takes_attached(&spec)),
				"%s %s: '%.*s' has no effect", of(row), names(row), (int)len, start);
			break;
		case '#':
			CHECK(spec.len + 1 == len && spec.len == 2, "%s %s: '%.*s'", of(row), names(row), (int)len,
				start);
			break;
		default:
			CHECK(false, "%s %s: '%.*s'", of(row), names(row), (int)len, start);
		}
	}
}

TEST(rows_options_parse)
{
	for_each_row(check_options);
}

/* A flag listed twice: only the first counts, so the second is a mistake. */
static void check_no_flag_twice(const struct zs_row *row)
{
	const char *options = zs_row_options(row), *rest;
	struct zs_option_spec spec, other;

	while (options && zs_next_option(&options, &spec)) {
		rest = options;
		while (zs_next_option(&rest, &other))
			CHECK(other.len != spec.len || strncmp(other.name, spec.name, spec.len) != 0,
				"%s %s: '%.*s' twice", of(row), names(row), (int)spec.len, spec.name);
	}
}

TEST(rows_flags_are_unique)
{
	for_each_row(check_no_flag_twice);
}

/* Is the flag, alone in a command, found with its meaning? */
static bool means(const struct zs_row *row, const struct zs_option_spec *spec, struct zs_word_list words)
{
	struct zs_arena arena;
	struct zs_args args;
	jmp_buf exhausted;
	bool found = spec->arity == '\0' || spec->arity == '#' || spec->meaning == ZS_FLAG_NONE;

	zs_arena_init(&arena, 1 << 20);
	arena.exhausted = &exhausted;
	if (setjmp(exhausted))
		return false;
	zs_args_read(&arena, row, zs_row_operands(row), &words, &args);
	if ((spec->arity == '!' || spec->arity == '?') && !takes_attached(spec) && !found)
		found = zs_has_effect(&args, (enum zs_flag_effect)spec->meaning);
	found |= spec->arity == '=' && spec->meaning == ZS_ROLE_COMMAND && args.rest == 2;
	for (uint32_t i = 0; i < args.uses.count; i++)
		found |= (char)args.uses.items[i].role == spec->meaning && same(args.uses.items[i].word.text, "VALUE");
	found &= !args.unknown_flag;
	zs_arena_free(&arena);
	return found;
}

static struct zs_raw_word word_of(const char *text)
{
	return (struct zs_raw_word){ .text = text, .prefix = text, .raw = text, .raw_len = (uint32_t)strlen(text) };
}

static void check_meanings(const struct zs_row *row)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;

	while (options && zs_next_option(&options, &spec)) {
		bool attach = takes_attached(&spec);
		bool equals = spec.len > 2;
		char flag[96];
		struct zs_raw_word items[3];

		snprintf(flag, sizeof flag, "%.*s%s%s", (int)spec.len, spec.name, attach && equals ? "=" : "",
			attach ? "VALUE" : "");
		items[0] = word_of("NAME");
		items[1] = word_of(flag);
		items[2] = word_of("VALUE");
		CHECK(means(row, &spec,
			      (struct zs_word_list){ items, spec.arity && strchr("=^", spec.arity) ? 3 : 2, 3 }),
			"%s %s: '%s' (%c%c)", of(row), names(row), flag, spec.arity ? spec.arity : ' ',
			spec.meaning ? spec.meaning : ' ');
	}
}

TEST(rows_flags_are_found)
{
	for_each_row(check_meanings);
}

static void check_operands(const struct zs_row *row)
{
	const char *operands = letters_of(row);
	size_t stars = 0;

	for (const char *letter = operands; *letter; letter++) {
		stars += *letter == '*';
		CHECK(*letter == '*' ? letter > operands : strchr(roles, *letter) != NULL, "%s %s: operands '%s'",
			of(row), names(row), operands);
	}
	CHECK(stars <= 1, "%s %s: operands '%s' have %zu stars", of(row), names(row), operands, stars);
	/* An inner command takes all that follows. */
	for (const char *inner = operands + strcspn(operands, "XS"); *inner; inner++)
		CHECK(inner[1] == '\0', "%s %s: operands '%s' behind an inner command", of(row), names(row), operands);
}

TEST(rows_operands_are_roles)
{
	for_each_row(check_operands);
}

static bool uses_role(const struct zs_row *row, char role)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;

	if (strchr(letters_of(row), role))
		return true;
	while (options && zs_next_option(&options, &spec))
		if (spec.arity == '=' && spec.meaning == role)
			return true;
	return false;
}

static void check_languages(const struct zs_row *row)
{
	CHECK(!uses_role(row, ZS_ROLE_CODE) || zs_row_language(row), "%s %s takes code in no language", of(row),
		names(row));
}

TEST(rows_code_has_a_language)
{
	for_each_row(check_languages);
}

static void check_wrappers(const struct zs_row *row)
{
	bool inner = strchr(letters_of(row), ZS_ROLE_COMMAND) != NULL;

	/* if an unknown flag may take a word, the place of the inner command is not known */
	CHECK(!inner || (row->traits & ZS_ROW_STRICT) || !zs_row_options(row),
		"%s %s runs a command and takes flags that it does not list", of(row), names(row));
	CHECK(!(row->traits & ZS_ROW_APPENDS) || inner || uses_role(row, ZS_ROLE_COMMAND), "%s %s appends to nothing",
		of(row), names(row));
}

TEST(rows_wrappers_are_strict)
{
	for_each_row(check_wrappers);
}

static bool takes_tasks(const struct zs_row *row)
{
	return row->grammar == ZS_GRAMMAR_TASKS || row->grammar == ZS_GRAMMAR_MAKE || row->grammar == ZS_GRAMMAR_VERB;
}

/* Subcommands and the commands that have them name each other. */

static void check_family(const struct zs_row *row)
{
	if (!zs_row_of(row))
		return;
	for (const char *family = zs_row_of(row); *family;) {
		size_t len = strcspn(family, "|"), split = 0;
		char name[64], base[64] = "";
		const struct zs_row *parent;

		snprintf(name, sizeof name, "%.*s", (int)len, family);
		for (size_t i = 0; name[i]; i++)
			split = name[i] == ' ' ? i : split;
		if (split)
			snprintf(base, sizeof base, "%.*s", (int)split, name);
		parent = zs_row_find(base, name + (split ? split + 1 : 0));
		CHECK(parent, "'%s' of '%s', which has no row", names(row), name);
		CHECK(!parent || (parent->traits & ZS_ROW_SUBCOMMANDS) || takes_tasks(parent),
			"'%s' of '%s', which has no subcommands", names(row), name);
		family += len + (family[len] == '|');
	}
}

static const char *wanted_family;
static bool family_found;

static void look_for_family(const struct zs_row *row)
{
	size_t len = strlen(wanted_family);

	for (const char *family = of(row); *family;) {
		size_t have = strcspn(family, "|");

		family_found |= have == len && strncmp(family, wanted_family, len) == 0;
		family += have + (family[have] == '|');
	}
}

static void check_has_subcommands(const struct zs_row *row)
{
	if (!(row->traits & ZS_ROW_SUBCOMMANDS) || zs_row_of(row))
		return;
	for (const char *name = names(row); *name;) {
		size_t len = strcspn(name, "|");
		char family[64];

		snprintf(family, sizeof family, "%.*s", (int)len, name);
		wanted_family = family;
		family_found = false;
		for_each_row(look_for_family);
		CHECK(family_found, "%s has subcommands, and no row is of it", family);
		if (row->traits & ZS_ROW_FAMILY)
			return;
		name += len + (name[len] == '|');
	}
}

TEST(rows_families)
{
	for_each_row(check_family);
	for_each_row(check_has_subcommands);
}

/* Every name finds its own row: no name stands in two rows, and none is shadowed. */
static void check_found(const struct zs_row *row)
{
	const char *family = of(row);

	do {
		size_t family_len = strcspn(family, "|");
		char base[64];

		snprintf(base, sizeof base, "%.*s", (int)family_len, family);
		for (const char *item = names(row); *item;) {
			size_t len = strcspn(item, "|");
			char name[64];

			snprintf(name, sizeof name, "%.*s", (int)len, item);
			CHECK(len < sizeof name && family_len < sizeof base, "'%s' is long", item);
			CHECK(zs_row_find(base, name) == row, "'%s' of '%s' stands in two rows", name, base);
			item += len + (item[len] == '|');
		}
		family += family_len + (family[family_len] == '|');
	} while (*family);
}

static size_t name_count;

static void count_names(const struct zs_row *row)
{
	size_t own = 1, families = 1;

	for (const char *c = names(row); *c; c++)
		own += *c == '|';
	for (const char *c = of(row); *c; c++)
		families += *c == '|';
	name_count += own * families;
}

TEST(rows_index)
{
	name_count = 0;
	for_each_row(count_names);
	for_each_row(check_found);
	for (size_t i = 0; i < ZS_ROW_BUCKETS; i++)
		CHECK(zs_row_firsts[i] <= zs_row_firsts[i + 1], "bucket %zu", i);
	CHECK(zs_row_firsts[0] == 0 && zs_row_firsts[ZS_ROW_BUCKETS] == name_count, "%zu names, %u indexed", name_count,
		zs_row_firsts[ZS_ROW_BUCKETS]);
	CHECK(!zs_row_find("", "frobnicate"), "an unknown command");
	CHECK(!zs_row_find("", ""), "an empty name");
	CHECK(!zs_row_find("", "2.7"), "a name of digits");
	CHECK(!zs_row_find("git", "frobnicate"), "an unknown subcommand");
	CHECK(!zs_row_find("", "push"), "a subcommand alone");
	CHECK(zs_row_find("", "python3.11") == zs_row_find("", "python3"), "a version");
	CHECK(zs_row_find("", "gcc-12") == zs_row_find("", "gcc"), "a version");
}

/* The words of the table */

static bool is_word(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz-_") == strlen(name);
}

TEST(rows_terms_are_described)
{
	for (unsigned kind = 0; kind < ZS_TERM_KIND_COUNT; kind++) {
		const struct zs_term *term, *other;

		CHECK(is_word(zs_term_kind(kind)->name) && *zs_term_kind(kind)->text, "kind %u", kind);
		CHECK(zs_term_at(kind, 0) != NULL, "no %s", zs_term_kind(kind)->name);
		for (size_t i = 0; (term = zs_term_at(kind, i)) != NULL; i++) {
			CHECK(is_word(term->name) && *term->text, "%s '%s'", zs_term_kind(kind)->name, term->name);
			for (size_t j = 0; j < i && (other = zs_term_at(kind, j)) != NULL; j++)
				CHECK(!same(term->name, other->name) && !same(term->text, other->text), "%s '%s' twice",
					zs_term_kind(kind)->name, term->name);
		}
	}
	CHECK(!zs_term_kind(ZS_TERM_KIND_COUNT) && !zs_term_at(ZS_TERM_KIND_COUNT, 0), "a kind behind the last");
}

static bool has_twice(const char *letters)
{
	for (; *letters; letters++)
		if (strchr(letters + 1, *letters))
			return true;
	return false;
}

#define BIT(id, bit, name, text) +(1u << bit)
static const uint32_t all_traits = 0 ZS_ROW_TRAITS(BIT);

TEST(rows_letters_are_unique)
{
	uint32_t together = 0;

	CHECK(!has_twice(roles), "%s", roles);
	CHECK(!has_twice(effects), "%s", effects);
	for (const char *letter = effects; *letter; letter++) /* zs_effect_bit() counts from 'A' */
		CHECK(*letter >= 'A', "'%c'", *letter);
	for (const char *letter = roles; *letter;
		letter++) /* letters that have a meaning for zs_next_option() or in operands */
		CHECK(!strchr("=?!#*- ", *letter), "'%c'", *letter);
#define OR(id, bit, name, text) together |= 1u << bit;
	ZS_ROW_TRAITS(OR)
	CHECK(together == all_traits, "a bit is there twice"); /* else the sum would be larger */
}

/* Every named trait, effect and role is used, since one that no row has is not tested. Two effects wait for their rows.
 */
static const char waiting_effects[] = { ZS_FLAG_DELETES, ZS_FLAG_CODE_DONE, '\0' };
static char used_roles[128], used_effects[128];
static uint32_t used_traits;
static const struct zs_term *used_grammars[2048];
static size_t used_grammar_count;

static void note_used(const struct zs_row *row)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;
	const struct zs_term *grammar = zs_row_view(row).grammar;

	CHECK(!(row->traits & ~all_traits), "%s %s: traits %x", of(row), names(row), row->traits);
	used_traits |= row->traits;
	if (grammar && used_grammar_count < sizeof used_grammars / sizeof *used_grammars)
		used_grammars[used_grammar_count++] = grammar;
	for (const char *letter = letters_of(row); *letter; letter++)
		used_roles[*letter & 127] = 1;
	while (options && zs_next_option(&options, &spec)) {
		bool is_role = spec.arity == '=' || !strchr(effects, spec.meaning);

		(is_role ? used_roles : used_effects)[spec.meaning & 127] = 1;
	}
}

TEST(rows_use_every_term)
{
	const struct zs_term *grammar;

	used_grammar_count = 0;
	for_each_row(note_used);
	for (const char *letter = roles; *letter; letter++)
		CHECK(used_roles[*letter & 127], "no row has the role '%c'", *letter);
	for (const char *letter = effects; *letter; letter++)
		CHECK(used_effects[*letter & 127] || strchr(waiting_effects, *letter), "no row has the effect '%c'",
			*letter);
	CHECK(used_traits == all_traits, "no row has the traits %x", all_traits & ~used_traits);
	for (size_t i = 0; (grammar = zs_term_at(ZS_TERM_GRAMMAR, i)) != NULL; i++) {
		bool used = false;

		for (size_t j = 0; j < used_grammar_count; j++)
			used |= used_grammars[j] == grammar;
		CHECK(used, "no row has the grammar %s", grammar->name);
	}
}

/* The rows as others see them */

static size_t count_words(const char *list)
{
	size_t count = 0;

	for (const char *at = list ? list : ""; *(at += strspn(at, " ")); at += strcspn(at, " "))
		count++;
	return count;
}

static void check_view(const struct zs_row *row)
{
	struct zs_row_view view = zs_row_view(row);
	struct zs_row_flag flag;
	struct zs_row_operand operand;
	size_t flags = 0, operands = 0, letters = 0, traits = 0, bits = 0;

	CHECK(*view.table && view.names == names(row) && view.of == zs_row_of(row), "%s %s", of(row), names(row));
	for (; zs_row_flag(row, flags, &flag); flags++)
		CHECK(flag.meaning || !flag.takes || flag.takes == '#', "%s %s: '%.*s' has no meaning", of(row),
			names(row), (int)flag.len, flag.name);
	CHECK(flags == count_words(zs_row_options(row)), "%s %s: %zu flags", of(row), names(row), flags);
	for (const char *letter = letters_of(row); *letter; letter++)
		letters += *letter != '*';
	for (; zs_row_operand(row, operands, &operand); operands++)
		CHECK(operand.role, "%s %s: operand %zu", of(row), names(row), operands);
	CHECK(operands == letters, "%s %s: %zu operands", of(row), names(row), operands);
	while (zs_row_trait(row, traits))
		traits++;
	for (uint32_t bit = row->traits; bit; bit &= bit - 1)
		bits++;
	CHECK(traits == bits, "%s %s: %zu traits", of(row), names(row), traits);
}

TEST(rows_views)
{
	for_each_row(check_view);
}

TEST(rows_view_of_sort)
{
	const struct zs_row *row = zs_row_named("sort");
	struct zs_row_flag flag;
	struct zs_row_operand operand;

	CHECK(row && same(zs_row_view(row).names, "sort|gsort") && same(zs_row_view(row).table, "text"), "sort");
	CHECK(zs_row_flag(row, 1, &flag) && flag.len == 8 && strncmp(flag.name, "--output", 8) == 0, "%.*s",
		(int)flag.len, flag.name);
	CHECK(flag.takes == '=' && same(flag.meaning->name, "write"), "%c %s", flag.takes, flag.meaning->name);
	CHECK(zs_row_operand(row, 0, &operand) && operand.repeats && same(operand.role->name, "read"), "operands");
	CHECK(!zs_row_operand(row, 1, &operand), "one operand");
	CHECK(!zs_row_trait(row, 0), "no trait");
}

TEST(rows_by_name)
{
	CHECK(zs_row_named("python3.11") == zs_row_named("python3"), "a version");
	CHECK(zs_row_named("pip3.11 config set") &&
			zs_row_named("pip3.11 config set") == zs_row_named("pip config set"),
		"of a version");
	CHECK(zs_row_named("git stash drop") && zs_row_named("git stash drop") == zs_row_named("git stash clear"),
		"drop");
	CHECK(zs_row_named("git stash") && zs_row_named("git stash") != zs_row_named("git"), "stash");
	CHECK(same(zs_row_view(zs_row_named("find")).grammar->name, "find"), "find's grammar");
	CHECK(!zs_row_named("frobnicate"), "an unknown command");
	CHECK(!zs_row_named("git frobnicate"), "an unknown subcommand");
	CHECK(!zs_row_named("") && !zs_row_named(" ") && !zs_row_named("git "), "no name");
}

/* Does the text reach its row: through the reader, the row of its family and its global flags? */
static bool reaches(const struct zs_row *row, const char *text)
{
	const struct zs_ir *ir = &vet(ZS_PROFILE_RELAXED, text)->ir;

	for (uint32_t i = 0; i < ir->command_count; i++)
		if (ir->commands[i].row && zs_row_named(ir->commands[i].row) == row)
			return true;
	return false;
}

static void check_reached_as(const struct zs_row *row, const char *family, const char *name)
{
	const struct zs_row *parent = *family ? zs_row_named(family) : NULL;
	char text[256];

	CHECK(parent || !*family, "'%s' has no row", family);
	if (parent && !(parent->traits & ZS_ROW_SUBCOMMANDS)) /* its grammar looks it up */
		return;
	if (strchr(family, '*') || strchr(name, '*')) /* a pattern, for words without a row of their own */
		return;
	/* a backslash turns bash's reserved words into plain words: \time is the program */
	snprintf(text, sizeof text, "%s%s%s%s%s", family, *family ? " " : "", *family ? "" : "\\", name,
		row->traits & ZS_ROW_SUBCOMMANDS ? "" : " ./no ]");
	CHECK(reaches(row, text), "'%s' does not come to the row of '%s'", text, names(row));
}

static void check_reached(const struct zs_row *row)
{
	const char *family = of(row);

	do {
		size_t family_len = strcspn(family, "|");

		for (const char *name = names(row); *name;) {
			size_t len = strcspn(name, "|");
			char one_family[96], one_name[96];

			snprintf(one_family, sizeof one_family, "%.*s", (int)family_len, family);
			snprintf(one_name, sizeof one_name, "%.*s", (int)len, name);
			check_reached_as(row, one_family, one_name);
			name += len + (name[len] == '|');
		}
		family += family_len + (family[family_len] == '|');
	} while (*family);
}

TEST(rows_are_reached)
{
	for_each_row(check_reached);
}

static void check_texts(const struct zs_row *row)
{
	static const char flag_letters[] = "-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:@%.,+/?";
	const char *hint = zs_row_hint(row);
	struct zs_row_flag flag;

	CHECK(!zs_row_language(row) || is_word(zs_row_language(row)), "%s: language '%s'", names(row),
		zs_row_language(row));
	CHECK(!hint || (*hint >= 'A' && *hint <= 'Z' && hint[strlen(hint) - 1] == '.'), "%s: hint '%s'", names(row),
		hint);
	for (size_t i = 0; zs_row_flag(row, i, &flag); i++)
		CHECK(strspn(flag.name, flag_letters) >= flag.len, "%s: flag '%.*s'", names(row), (int)flag.len,
			flag.name);
}

TEST(rows_texts_are_plain)
{
	for_each_row(check_texts);
}
