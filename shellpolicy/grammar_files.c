/* Grammars of dd and tar, which write their arguments as nobody else does. */
#include "classify.h"

#include <string.h>

/* dd: operands are key=value (man 1 dd). */
void zs_grammar_dd(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		struct zs_raw_word word = words->items[i];

		if (strncmp(word.prefix, "of=", 3) != 0) {
			if (!word.text && !*word.prefix)
				zs_blame(classify, ZS_RISK_WRITE, &word, "it may name an output");
			continue;
		}
		word.prefix += 3;
		word.text = word.text ? word.prefix : NULL;
		if (word.text && strncmp(word.text, "/dev/", 5) == 0 && !zs_is_harmless_target(word.text))
			zs_blame(classify, ZS_RISK_DEVICE, &word, NULL);
		zs_write(classify, &word, ZS_EFFECT_OVERWRITE);
	}
	classify->done = true;
}

struct tar {
	char mode; /* of c r u A x t d, or 0 */
	bool to_stdout, removes, changes;
	struct zs_raw_word archive;     /* text NULL: none */
	const struct zs_raw_word *runs; /* a program that tar starts */
};

static bool starts(const char *text, const char *option)
{
	size_t len = strcspn(text, "=");

	return len > 2 && strncmp(text, option, len) == 0 && len <= strlen(option);
}

static void tar_long(struct tar *tar, const struct zs_word_list *words, uint32_t *at)
{
	static const struct {
		const char *name;
		char mode;
	} modes[] = { { "--create", 'c' }, { "--append", 'r' }, { "--update", 'u' }, { "--catenate", 'A' },
		{ "--concatenate", 'A' }, { "--delete", 'A' }, { "--extract", 'x' }, { "--get", 'x' },
		{ "--list", 't' }, { "--diff", 'd' }, { "--compare", 'd' } };
	static const char *const running[] = { "--to-command", "--checkpoint-action", "--use-compress-program",
		"--info-script", "--new-volume-script", "--rsh-command", "--rmt-command" };
	static const char *const writing[] = { "--listed-incremental", "--index-file", "--volno-file", "--backup" };
	const struct zs_raw_word *word = &words->items[*at];
	const char *value = strchr(word->prefix, '=');

	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (starts(word->prefix, modes[i].name))
			tar->mode = modes[i].mode;
	for (size_t i = 0; i < sizeof running / sizeof *running; i++)
		if (starts(word->prefix, running[i]))
			tar->runs = word;
	for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
		tar->changes |= starts(word->prefix, writing[i]);
	tar->to_stdout |= starts(word->prefix, "--to-stdout");
	tar->removes |= starts(word->prefix, "--remove-files");
	if (!starts(word->prefix, "--file"))
		return;
	if (value) {
		tar->archive = *word;
		tar->archive.prefix = value + 1;
		tar->archive.text = word->text ? tar->archive.prefix : NULL;
	} else if (*at + 1 < words->count) {
		tar->archive = words->items[++*at];
	}
}

/* A bundle. Behind a dash a value follows its letter; in the old style (tar xzfC a d) values follow in order. */
static void tar_letters(struct tar *tar, const struct zs_word_list *words, uint32_t *at, bool old_style)
{
	const struct zs_raw_word *word = &words->items[*at];

	for (const char *c = word->prefix + (old_style ? 0 : 1); *c; c++) {
		bool takes_value = strchr("fCTXbgFHIKLNV", *c) != NULL;
		struct zs_raw_word value = { 0 };

		if (strchr("cruAxtd", *c))
			tar->mode = *c;
		tar->to_stdout |= *c == 'O';
		tar->changes |= *c == 'g';
		if (!takes_value)
			continue;
		if (!old_style && c[1]) {
			value = *word;
			value.prefix = c + 1;
			value.text = word->text ? value.prefix : NULL;
		} else if (*at + 1 < words->count) {
			value = words->items[++*at];
		}
		if (*c == 'f')
			tar->archive = value;
		if (*c == 'I' || *c == 'F')
			tar->runs = word;
		if (!old_style)
			return;
	}
}

static void judge_tar(struct zs_classify *classify, const struct tar *tar)
{
	struct zs_raw_word all = classify->command->words.items[0];

	all.text = all.prefix = "tar";
	all.span = classify->command->span;
	if (tar->runs)
		zs_blame(classify, ZS_RISK_INLINE_CODE, tar->runs, "it starts a program");
	if (tar->removes)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it deletes the files that it packs");
	if (tar->changes)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it writes a file of its own");
	if (tar->mode == 'x' && !tar->to_stdout)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it unpacks files");
	if (tar->mode && strchr("cruA", tar->mode) && tar->archive.raw)
		zs_write(classify, &tar->archive, tar->mode == 'c' ? ZS_EFFECT_OVERWRITE : ZS_EFFECT_APPEND);
	if (!tar->mode && !zs_has_effect(&classify->args, ZS_FLAG_INFO))
		zs_blame(classify, ZS_RISK_WRITE, &all, "what it does is known only when it runs");
}

void zs_grammar_tar(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	struct tar tar = { 0 };

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];

		if (word->text && strcmp(word->text, "--") == 0)
			break;
		if (strncmp(word->prefix, "--", 2) == 0)
			tar_long(&tar, words, &i);
		else if (word->prefix[0] == '-')
			tar_letters(&tar, words, &i, false);
		else if (i == 1)
			tar_letters(&tar, words, &i, true);
	}
	judge_tar(classify, &tar);
	classify->done = true;
}

/* sqlite3 FILE SQL: without SQL it reads some from its input. */
void zs_grammar_sqlite(struct zs_classify *classify)
{
	if (classify->args.operands < 2 && !zs_has_effect(&classify->args, ZS_FLAG_INFO))
		zs_blame(classify, ZS_RISK_INLINE_CODE, &classify->command->words.items[0],
			"it runs SQL from its input");
}
