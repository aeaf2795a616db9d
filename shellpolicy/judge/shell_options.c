/* Options of the shell that change how later text is read: set, shopt, and flags of bash (man bash, SHELL BUILTIN
 * COMMANDS). The reader reads all text as bash does without these options. */
#include "judge/assembled.h"
#include "judge/names.h"

#include <string.h>

#define READING ZS_CHANGES_READING
#define KNOWN_LATE "an option of the shell that is known only at run time"

/* "-name" switches an option on, "+name" off. extglob is not listed: the reader refuses parentheses that extglob would
 * change. */
static const char changing[] = "-posix -keyword +braceexpand +extquote";
/* Options that change only later lines and texts. */
static const char changing_later[] = "-history -histexpand -compat*";

static void shell_options_blame(struct zs_classify *classify, const struct zs_raw_word *word, const char *detail)
{
	zs_blame(classify, ZS_RISK_UNSUPPORTED, word, detail)->hint =
		"Leave the option as it is, and write the text in plain bash.";
}

static void take_name(struct zs_classify *classify, char sign, const struct zs_raw_word *name)
{
	struct zs_assembly *assembly = &classify->build->assembly;
	const char *option;

	if (!name->text) {
		shell_options_blame(classify, name, KNOWN_LATE);
		return;
	}
	option = zs_arena_format(classify->build->arena, "%c%s", sign, name->text);
	if (zs_listed(option, changing)) {
		shell_options_blame(classify, name, READING);
	} else if (zs_listed(option, changing_later)) {
		assembly->later_option = name->text;
		assembly->option_span = name->span;
	} else if (strcmp(option, "-expand_aliases") == 0) {
		assembly->expands_aliases = true;
	} else if (strcmp(option, "-autocd") == 0) {
		zs_blame(classify, ZS_RISK_CD, name,
			"with this option a folder's name, as a command, changes the directory");
	}
}

/* set $(x): the output of a program is taken for data. */
static bool is_output(const struct zs_raw_word *word)
{
	return !*word->prefix && word->dynamic && strcmp(word->dynamic, "substitution") == 0;
}

/* Takes flags up to the first operand: -eo pipefail +B …. Each o and O takes a word. Long flags exist only in an
 * invocation of bash. */
static void take_flags(struct zs_classify *classify, bool invocation)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		char sign = word->prefix[0];

		if (!word->text && (!*word->prefix || sign == '-' || sign == '+')) {
			if (!invocation && !is_output(word)) /* in an invocation the row judges it */
				shell_options_blame(classify, word, KNOWN_LATE);
			return;
		}
		if ((sign != '-' && sign != '+') || (sign == '-' && !word->text[1]) || strcmp(word->text, "--") == 0)
			return;
		if (invocation && sign == '-' && word->text[1] == '-') {
			if (strcmp(word->text, "--posix") == 0)
				shell_options_blame(classify, word, READING);
			i += strcmp(word->text, "--rcfile") == 0 || strcmp(word->text, "--init-file") == 0;
			continue;
		}
		for (const char *letter = word->text + 1; *letter; letter++) {
			if (*letter == 'k' || (*letter == 'H' && sign == '-') || (*letter == 'B' && sign == '+'))
				shell_options_blame(classify, word, READING);
			if ((*letter == 'o' || (*letter == 'O' && invocation)) && i + 1 < words->count)
				take_name(classify, sign, &words->items[++i]);
		}
	}
}

/* The index of the first word of set [-flags] [--] WORD… that becomes a parameter; 0 if there is none. */
static uint32_t first_parameter(const struct zs_word_list *words)
{
	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].text;

		if (text && (strcmp(text, "--") == 0 || (strcmp(text, "-") == 0 && i + 1 < words->count)))
			return i + 1;
		if (!text || (*text != '-' && *text != '+'))
			return i;
		i += strchr(text, 'o') != NULL;
	}
	return 0;
}

void zs_grammar_set(struct zs_classify *classify)
{
	uint32_t first = first_parameter(&classify->command->words);

	take_flags(classify, false);
	if (first)
		zs_parameters_set(classify, first);
	for (uint32_t i = 1; i < classify->command->words.count; i++)
		zs_value_given(classify->build, &classify->command->words.items[i]);
	classify->done = true;
}

void zs_check_shell_flags(struct zs_classify *classify)
{
	take_flags(classify, true);
}

/* shopt [-pqsu] [-o] [NAME…] */
void zs_grammar_shopt(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	char sign = '\0';
	uint32_t i = 1;

	for (; i < words->count && words->items[i].prefix[0] == '-'; i++) {
		if (!words->items[i].text)
			shell_options_blame(classify, &words->items[i], KNOWN_LATE);
		else if (strchr(words->items[i].text, 's'))
			sign = '-';
		else if (strchr(words->items[i].text, 'u'))
			sign = '+';
	}
	if (!sign && i < words->count && !words->items[i].text &&
		!words->items[i].quoted) /* it may expand to -s NAME */
		shell_options_blame(classify, &words->items[i], KNOWN_LATE);
	for (; sign && i < words->count; i++)
		take_name(classify, sign, &words->items[i]);
	classify->done = true;
}
