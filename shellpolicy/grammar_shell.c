/* Grammars of commands that are near to the shell: env, trap, export. */
#include "classify.h"

#include <string.h>

/* env -S STRING: the string is split into words, the first of which may be options and assignments. What it
 * does with quotes and escapes is near to bash's rules, so its words are read as bash: `env STRING`. */
void zs_grammar_env(struct zs_classify *classify)
{
	struct zs_arena *arena = classify->build->arena;
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 0; i < classify->args.uses.count; i++) {
		const struct zs_use *use = &classify->args.uses.items[i];
		struct zs_raw_word code = use->word;

		if (!use->flag || (strcmp(use->flag, "-S") != 0 && strcmp(use->flag, "--split-string") != 0))
			continue;
		if (code.text)
			code.text = zs_arena_format(arena, "env %s", code.text);
		for (uint32_t j = classify->args.rest; code.text && j && j < words->count; j++)
			code.text = words->items[j].text
					    ? zs_arena_format(arena, "%s %s", code.text, words->items[j].text)
					    : NULL;
		zs_nested_shell(classify, &code);
		classify->done = true;
	}
}

/* trap CODE SIGNAL…; trap - SIGNAL… and trap SIGNAL set nothing. */
void zs_grammar_trap(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t first = 1;

	classify->done = true;
	if (words->count > 1 && words->items[1].text && strcmp(words->items[1].text, "--") == 0)
		first = 2;
	if (words->count < first + 2)
		return;
	if (words->items[first].text && words->items[first].text[0] == '-')
		return;
	zs_nested_shell(classify, &words->items[first]);
}

/* export, declare, local, readonly, typeset: operands that are NAME=VALUE assign. */
void zs_grammar_assigns(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		size_t split = zs_assignment_split(word->prefix);
		struct zs_raw_word value = *word;

		if (!split) {
			if (word->dynamic && !*word->prefix)
				zs_blame(classify, ZS_RISK_ENVIRONMENT, word,
					"which variable it sets is known only when it runs");
			continue;
		}
		value.prefix = word->prefix + split + 1;
		value.text = word->text ? value.prefix : NULL;
		value.raw = word->raw + split + 1 <= word->raw + word->raw_len ? word->raw + split + 1 : word->raw;
		value.raw_len = word->raw_len - (uint32_t)(value.raw - word->raw);
		zs_check_assignment(classify, zs_arena_string(classify->build->arena, word->prefix, split), &value);
	}
}

/* alias NAME=VALUE: the value is code that later lines may run. */
void zs_grammar_alias(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		struct zs_raw_word value = words->items[i];
		const char *equals = strchr(value.prefix, '=');

		if (!equals)
			continue;
		value.prefix = equals + 1;
		value.text = value.text ? value.prefix : NULL;
		zs_nested_shell(classify, &value);
	}
}

/* mapfile -C CALLBACK: run as CALLBACK INDEX LINE. */
void zs_grammar_mapfile(struct zs_classify *classify)
{
	for (uint32_t i = 0; i < classify->args.uses.count; i++) {
		const struct zs_use *use = &classify->args.uses.items[i];
		struct zs_raw_word code = use->word;

		if (!use->flag || strcmp(use->flag, "-C") != 0)
			continue;
		if (code.text)
			code.text = zs_arena_format(classify->build->arena, "%s \"$index\" \"$line\"", code.text);
		zs_nested_shell(classify, &code);
	}
}
