/* Grammars of commands with a syntax of their own for files: dd, tar, chmod, ar, sqlite3. */
#include "judge/judge.h"

#include <string.h>

/* The operands of dd are key=value (man 1 dd). */
void zs_grammar_dd(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		struct zs_raw_word word = words->items[i];

		if (strncmp(word.prefix, "of=", 3) != 0) {
			if (!word.text && !*word.prefix)
				zs_blame(classify, ZS_RISK_WRITE, &word, "the word may name a file that is written");
			continue;
		}
		word = zs_word_from(&word, 3);
		if (word.text && strncmp(word.text, "/dev/", 5) == 0 && !zs_is_harmless_target(word.text))
			zs_blame(classify, ZS_RISK_DEVICE, &word, NULL);
		zs_write(classify, &word, ZS_EFFECT_OVERWRITE);
	}
	classify->done = true;
}

enum tar_act {
	TAR_LISTS = 1 << 0,
	TAR_COMPARES = 1 << 1,
	TAR_CREATES = 1 << 2,
	TAR_CHANGES = 1 << 3, /* adds to an archive, or deletes from it */
	TAR_EXTRACTS = 1 << 4,
	TAR_MODES = (1 << 5) - 1, /* one of the above; tar itself refuses more than one */
	TAR_TO_STDOUT = 1 << 5,
	TAR_REMOVES = 1 << 6,
	TAR_WRITES = 1 << 7, /* a file besides the archive */
};

struct tar {
	unsigned acts;                    /* enum tar_act */
	struct zs_raw_word archive;       /* `raw` is NULL if no archive is named */
	ZS_LIST(struct zs_raw_word) runs; /* commands that tar starts */
};

enum tar_value { TAR_NONE, TAR_DATA, TAR_ARCHIVE, TAR_COMMAND };

static const struct tar_option {
	const char *letters, *names;
	unsigned acts;
	enum tar_value value; /* attached, or the next word */
} tar_options[] = {
	{ "c", "--create", TAR_CREATES, TAR_NONE },
	{ "ruA", "--append --update --catenate --concatenate --delete", TAR_CHANGES, TAR_NONE },
	{ "x", "--extract --get", TAR_EXTRACTS, TAR_NONE },
	{ "t", "--list --test-label", TAR_LISTS, TAR_NONE },
	{ "d", "--diff --compare", TAR_COMPARES, TAR_NONE },
	{ "f", "--file", 0, TAR_ARCHIVE },
	{ "O", "--to-stdout", TAR_TO_STDOUT, TAR_NONE },
	{ "", "--remove-files", TAR_REMOVES, TAR_NONE },
	{ "IF",
		"--to-command --checkpoint-action --use-compress-program --info-script --new-volume-script "
		"--rsh-command --rmt-command --set-mtime-command",
		0, TAR_COMMAND },
	{ "g", "--listed-incremental --index-file --volno-file", TAR_WRITES, TAR_DATA },
	{ "", "--backup", TAR_WRITES, TAR_NONE },
	{ "CTXbHKLNV",
		"--add-file --after-date --blocking-factor --directory --exclude --exclude-from --exclude-ignore "
		"--exclude-ignore-recursive --exclude-tag --exclude-tag-all --exclude-tag-under --files-from "
		"--format --group --group-map --hole-detection --label --level --mode --mtime --newer --newer-mtime "
		"--no-quote-chars --owner --owner-map --pax-option --quote-chars --quoting-style --record-size "
		"--sort --sparse-version --starting-file --strip-components --suffix --tape-length --transform "
		"--warning --xattrs-exclude --xattrs-include --xform",
		0, TAR_DATA },
};

/* The value of a flag: the text after "=", or the next word. */
static struct zs_raw_word tar_value(const struct zs_word_list *words, uint32_t *at, const char *attached)
{
	struct zs_raw_word value = { 0 };

	if (attached)
		value = zs_word_from(&words->items[*at], (size_t)(attached - words->items[*at].prefix));
	else if (*at + 1 < words->count)
		value = words->items[++*at];
	return value;
}

static void tar_take(
	struct zs_classify *classify, struct tar *tar, const struct tar_option *option, struct zs_raw_word value)
{
	tar->acts |= option->acts;
	if (option->value == TAR_ARCHIVE)
		tar->archive = value;
	if (option->value != TAR_COMMAND || !value.raw)
		return;
	if (strncmp(value.prefix, "exec=", 5) == 0) /* a value of --checkpoint-action */
		value = zs_word_from(&value, 5);
	ZS_PUSH(classify->build->arena, &tar->runs, value);
}

/* Takes a long flag, in full or abbreviated. tar refuses an abbreviation that fits several flags; here all of these
 * flags count. */
static void tar_long(struct zs_classify *classify, struct tar *tar, uint32_t *at)
{
	const struct zs_word_list *words = &classify->command->words;
	const char *text = words->items[*at].prefix, *equals = strchr(text, '=');
	size_t len = equals ? (size_t)(equals - text) : strlen(text);
	struct zs_raw_word value = { 0 };
	bool exact = false, valued = false;

	for (size_t i = 0; i < sizeof tar_options / sizeof *tar_options; i++)
		exact |= zs_listed_bytes(text, len, tar_options[i].names);
	for (size_t i = 0; len > 2 && i < sizeof tar_options / sizeof *tar_options; i++) {
		const struct tar_option *option = &tar_options[i];
		const char *name = option->names;

		for (size_t own; *name; name += own + (name[own] == ' ')) {
			own = strcspn(name, " ");
			if (own < len || strncmp(text, name, len) != 0 || (exact && own != len))
				continue;
			if ((equals || option->value) && !valued) {
				value = tar_value(words, at, equals ? equals + 1 : NULL);
				valued = true;
			}
			tar_take(classify, tar, option, value);
		}
	}
}

/* Takes a bundle of letters. After a dash a value follows its letter; in the old style (tar xzfC a d) the values
 * follow in order. */
static void tar_letters(struct zs_classify *classify, struct tar *tar, uint32_t *at, bool old_style)
{
	const struct zs_word_list *words = &classify->command->words;

	for (const char *c = words->items[*at].prefix + (old_style ? 0 : 1); *c; c++) {
		const struct tar_option *option = tar_options, *end = option + sizeof tar_options / sizeof *tar_options;
		struct zs_raw_word value = { 0 };

		while (option < end && !strchr(option->letters, *c))
			option++;
		if (option == end)
			continue;
		if (option->value)
			value = tar_value(words, at, !old_style && c[1] ? c + 1 : NULL);
		tar_take(classify, tar, option, value);
		if (option->value && !old_style)
			return;
	}
}

static void judge_tar(struct zs_classify *classify, const struct tar *tar)
{
	struct zs_raw_word all = classify->command->words.items[0];

	all.text = all.prefix = "tar";
	all.span = classify->command->span;
	for (uint32_t i = 0; i < tar->runs.count; i++)
		zs_nested_shell(classify, &tar->runs.items[i]);
	if (tar->acts & TAR_REMOVES)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it deletes the files that it packs");
	if (tar->acts & TAR_WRITES)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it writes a file that no word names");
	if ((tar->acts & TAR_EXTRACTS) && !(tar->acts & TAR_TO_STDOUT))
		zs_blame(classify, ZS_RISK_WRITE, &all, "it unpacks files");
	if ((tar->acts & (TAR_CREATES | TAR_CHANGES)) && tar->archive.raw)
		zs_write(classify, &tar->archive, tar->acts & TAR_CREATES ? ZS_EFFECT_OVERWRITE : ZS_EFFECT_APPEND);
	if (!(tar->acts & TAR_MODES) && !zs_has_effect(&classify->args, ZS_FLAG_INFO))
		zs_blame(classify, ZS_RISK_WRITE, &all, "what it does is known only at run time");
}

void zs_grammar_tar(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	struct tar tar = { 0 };

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];

		if (zs_word_is(word, "--"))
			break;
		if (strncmp(word->prefix, "--", 2) == 0)
			tar_long(classify, &tar, &i);
		else if (word->prefix[0] == '-')
			tar_letters(classify, &tar, &i, false);
		else if (i == 1)
			tar_letters(classify, &tar, &i, true);
	}
	judge_tar(classify, &tar);
	classify->done = true;
}

/* chmod MODE FILE. With --reference, or with a mode that looks like a flag (-x), the first operand is a file. */
void zs_grammar_chmod(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	const struct zs_use *first = NULL;
	bool mode = zs_next_use(&classify->args, NULL, "--reference") != NULL;

	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, NULL)) != NULL;)
		if (!first || use->at < first->at)
			first = use;
	for (uint32_t i = 1; i < words->count && !zs_word_is(&words->items[i], "--"); i++)
		mode |= words->items[i].prefix[0] == '-' && strpbrk(words->items[i].prefix, "rwxXstugo01234567") &&
			words->items[i].prefix[1] != '-';
	if (mode && first)
		zs_write(classify, &first->word, ZS_EFFECT_METADATA);
}

/* ar KEY ARCHIVE: the keys t and p read, all others change the archive or unpack it (man 1 ar). */
void zs_grammar_ar(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	struct zs_raw_word all = words->items[0];
	bool looks = false, changes = false, unpacks = false;
	uint32_t archive = 2;

	for (uint32_t i = 1; i < words->count; i++) {
		const char *key = words->items[i].prefix;

		if (*key == '-' ? key[1] == '-' : i > 1)
			continue;
		looks |= strpbrk(key, "pt") != NULL;
		changes |= strpbrk(key, "dmqrsxM") != NULL || !words->items[i].text;
		unpacks |= strpbrk(key, "xM") != NULL;
		archive = i + 1 + (strpbrk(key, "abi") != NULL); /* a, b and i name a member before the archive */
	}
	all.span = classify->command->span;
	if (zs_has_effect(&classify->args, ZS_FLAG_INFO))
		return;
	if (changes && !unpacks && archive < words->count)
		zs_write(classify, &words->items[archive], ZS_EFFECT_OVERWRITE);
	else if (changes || !looks)
		zs_blame(classify, ZS_RISK_WRITE, &all, "it changes or unpacks an archive");
	classify->done = !zs_has_effect(&classify->args, ZS_FLAG_WRITES);
}

/* sqlite3 FILE SQL. Without SQL it reads SQL from its input. */
void zs_grammar_sqlite(struct zs_classify *classify)
{
	if (classify->args.operands < 2 && !zs_has_effect(&classify->args, ZS_FLAG_INFO) && !zs_judge_fed(classify))
		zs_blame(classify, ZS_RISK_INLINE_CODE, &classify->command->words.items[0],
			"it runs SQL from its input");
}
