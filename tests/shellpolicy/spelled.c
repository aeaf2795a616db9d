/* Flags that run a program or write are found in every spelling: abbreviated, in a bundle, joined with their value. */
#include "check.h"
#include "judge/options.h"
#include "rows/rows.h"
#include "rows/rows_index.h"
#include "vetting.h"

#include <setjmp.h>

#define VALUE "VALUE"

struct spelling {
	struct zs_arena arena;
	const struct zs_row *row;
	struct zs_option_spec spec;
	unsigned tried;
};

static struct zs_raw_word word_of(const char *text)
{
	return (struct zs_raw_word){ .text = text, .prefix = text, .raw = text, .raw_len = (uint32_t)strlen(text) };
}

/* Is it more than data, files that are read, and help? */
static bool matters(const struct zs_option_spec *spec)
{
	return spec->arity == '!' ? !strchr("hrvN", spec->meaning)
				  : spec->arity == '=' && !strchr("drN", spec->meaning);
}

/* Does the row read NAME FLAG [VALUE] as the spec says? */
static bool means(struct spelling *spelling, const char *flag, const char *value)
{
	struct zs_raw_word items[] = { word_of("NAME"), word_of(flag), word_of(value ? value : "") };
	struct zs_word_list words = { items, value ? 3 : 2, 3 };
	const struct zs_option_spec *spec = &spelling->spec;
	struct zs_args args;
	bool found;

	zs_arena_reset(&spelling->arena);
	zs_args_read(&spelling->arena, spelling->row, zs_row_operands(spelling->row), &words, &args);
	if (spec->arity == '!')
		return zs_has_effect(&args, (enum zs_flag_effect)spec->meaning);
	found = spec->meaning == ZS_ROLE_COMMAND && args.rest;
	for (uint32_t i = 0; i < args.uses.count; i++)
		found |= (char)args.uses.items[i].role == spec->meaning && args.uses.items[i].word.text &&
			 strcmp(args.uses.items[i].word.text, VALUE) == 0;
	return found;
}

static void check_spelling(struct spelling *spelling, const char *flag, const char *value)
{
	const struct zs_row *row = spelling->row;

	spelling->tried++;
	CHECK(means(spelling, flag, value), "%s %s: '%s%s%s' is not %.*s", zs_row_of(row) ? zs_row_of(row) : "",
		zs_row_names(row), flag, value ? " " : "", value ? value : "", (int)spelling->spec.len,
		spelling->spec.name);
}

/* Checks both ways to give a value to the flag. */
static void check_long(struct spelling *spelling, const char *name, size_t len)
{
	char joined[128], alone[96];

	snprintf(alone, sizeof alone, "%.*s", (int)len, name);
	snprintf(joined, sizeof joined, "%.*s=%s", (int)len, name, VALUE);
	if (spelling->spec.arity == '!') {
		check_spelling(spelling, alone, NULL);
		return;
	}
	check_spelling(spelling, joined, NULL);
	check_spelling(spelling, alone, VALUE);
}

/* May `len` bytes of the name stand for another flag of the row? */
static bool is_ambiguous(const struct spelling *spelling, size_t len)
{
	const char *options = zs_row_options(spelling->row);
	struct zs_option_spec other;

	while (zs_next_option(&options, &other))
		if (other.name != spelling->spec.name && other.len >= len &&
			memcmp(other.name, spelling->spec.name, len) == 0)
			return true;
	return false;
}

/* A short flag of the row that takes no value and means nothing; '\0': there is none. */
static char plain_letter(const struct zs_row *row)
{
	const char *options = zs_row_options(row);
	struct zs_option_spec spec;

	while (zs_next_option(&options, &spec))
		if (spec.len == 2 && spec.name[0] == '-' && spec.name[1] != '-' && !spec.arity)
			return spec.name[1];
	return '\0';
}

static void check_short(struct spelling *spelling)
{
	char letter = spelling->spec.name[1], plain = plain_letter(spelling->row);
	bool effect = spelling->spec.arity == '!';
	char text[16];

	snprintf(text, sizeof text, "-%c%s", letter, effect ? "" : VALUE);
	check_spelling(spelling, text, NULL);
	if (!effect)
		check_spelling(spelling, (const char[]){ '-', letter, '\0' }, VALUE);
	if (!plain)
		return;
	snprintf(text, sizeof text, "-%c%c%s", plain, letter, effect ? "" : VALUE);
	check_spelling(spelling, text, NULL);
}

static void check_flag(struct spelling *spelling)
{
	const char *name = spelling->spec.name;
	size_t len = spelling->spec.len;
	bool words = spelling->row->traits & ZS_ROW_LONG_DASH, abbreviated;
	char text[96];

	abbreviated = name[1] == '-' && (!words || (spelling->row->traits & ZS_ROW_ABBREVIATED));
	if (len > 2 && name[0] == '-')
		check_long(spelling, name, len);
	for (size_t i = 3; abbreviated && i < len; i++)
		if (!is_ambiguous(spelling, i))
			check_long(spelling, name, i);
	if (len == 2 && name[0] == '-' && !words)
		check_short(spelling);
	if (words && name[0] == '-' && name[1] != '-') { /* these programs take -exec and --exec for the same */
		snprintf(text, sizeof text, "-%.*s", (int)len, name);
		check_long(spelling, text, len + 1);
	}
}

TEST(spelled_flags_mean_the_same)
{
	static struct spelling spelling;
	jmp_buf exhausted;

	zs_arena_init(&spelling.arena, 1 << 20);
	spelling.arena.exhausted = &exhausted;
	CHECK(setjmp(exhausted) == 0, "no memory");
	for (size_t i = 0; (spelling.row = zs_row_at(i)) != NULL; i++) {
		const char *options = zs_row_options(spelling.row);

		while (options && zs_next_option(&options, &spelling.spec))
			if (matters(&spelling.spec))
				check_flag(&spelling);
	}
	CHECK(spelling.tried > 10000, "%u spellings", spelling.tried);
	zs_arena_free(&spelling.arena);
}

/* The spellings that the programs themselves accept: getopt_long(3) and popt accept any unambiguous prefix, PowerShell
 * and TeX also after one dash. */
TEST(spelled_commands_are_blocked)
{
	static const char *const commands[] = { "rg --pr rm x", "sort --outp=f x", "tar --to-c=rm -xf a",
		"tar xf a --checkpoint-ac=exec=rm", "pwsh -enc QQ==", "pwsh -Com 'rm x'", "wget --output-d=d x",
		"curl --outp f x", "git log --outp=f", "sed --in-p s/a/b/ f", "split --filt=rm f",
		"rsync --rs='rm x' a b:", "perl -nie 1 f", "grep --fil=f x; sed -ni p f" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		CHECK(vet(ZS_PROFILE_VERIFY, commands[i])->verdict == ZS_BLOCK, "%s", commands[i]);
}
