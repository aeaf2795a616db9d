/* Grammars of commands that work on the shell itself: env, trap, export, alias and the like. */
#include "judge/assembled.h"
#include "judge/judge.h"
#include "judge/names.h"

#include <string.h>

/* env -S STRING splits the string into words; the first ones may be options and assignments. env has quotes, escapes
 * and variables of its own (info env, -S). So only a string that bash splits alike is read, as `env STRING`. */
void zs_grammar_env(struct zs_classify *classify)
{
	struct zs_arena *arena = classify->build->arena;
	const struct zs_word_list *words = &classify->command->words;

	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-S --split-string")) != NULL;) {
		struct zs_raw_word code = use->word;

		if (code.text && strpbrk(code.text, "\\$#`;&|<>(){}!*?~[\n"))
			zs_blame(classify, ZS_RISK_UNSUPPORTED, &code,
				"env -S splits this text in another way than bash");
		if (code.text)
			code.text = zs_arena_format(arena, "env %s", code.text);
		for (uint32_t j = classify->args.rest; code.text && j && j < words->count; j++)
			code.text =
				words->items[j].text
					? zs_arena_format(arena, "%s%s", code.text,
						  zs_quoted(arena, words->items[j].text, strlen(words->items[j].text)))
					: NULL;
		zs_nested_shell(classify, &code);
		classify->done = true;
	}
}

/* Is the word "$x" or "${x}", and no more? */
static bool is_quoted_variable(const struct zs_raw_word *word)
{
	if (word->raw_len < 3 || word->raw[0] != '"' || word->raw[word->raw_len - 1] != '"')
		return false;
	for (uint32_t i = 1; i + 1 < word->raw_len; i++)
		if (!zs_is_name(word->raw[i]) && !strchr("${}", word->raw[i]))
			return false;
	return true;
}

/* trap CODE SIGNAL…. trap - SIGNAL… and trap SIGNAL set no code, trap -l and -p only print. */
void zs_grammar_trap(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t first = words->count > 1 && zs_word_is(&words->items[1], "--") ? 2 : 1;
	const struct zs_raw_word *code = &words->items[first];
	bool told;

	classify->done = true;
	if (words->count <= first)
		return;
	told = code->text && (strcmp(code->text, "-") == 0 || (first == 1 && code->text[0] == '-' &&
								      !code->text[1 + strspn(code->text + 1, "lp")]));
	/* an unquoted $x may expand to several words */
	if (told || (words->count < first + 2 && (code->text || is_quoted_variable(code))))
		return;
	zs_whole_shell(classify, code);
}

/* Takes the options of declare and its like from all words. */
static void take_declare_flags(struct zs_classify *classify, bool *ret_reference, bool *ret_changes)
{
	const struct zs_word_list *words = &classify->command->words;
	struct zs_assembly *assembly = &classify->build->assembly;
	bool exports = zs_row_options(classify->row) != NULL;

	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].prefix;

		if (*text != '-' || strcmp(text, "--") == 0)
			continue;
		*ret_reference |= !exports && strchr(text, 'n');
		*ret_changes |= strpbrk(text, "iulcnAI") != NULL;
		assembly->arrays |= strchr(text, 'a') || strchr(text, 'A');
		assembly->evaluates |= strchr(text, 'i') != NULL;
		if (!words->items[i].text)
			zs_blame(classify, ZS_RISK_EVAL, &words->items[i], "a flag is known only at run time");
	}
	assembly->evaluates |= *ret_reference;
}

/* Does the word hold an = outside of substitutions? Then $x in "$x=$y" names a variable. */
static bool names_by_value(const struct zs_raw_word *word)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < word->raw_len; i++) {
		depth += word->raw[i] == '(' || word->raw[i] == '{';
		depth -= depth && (word->raw[i] == ')' || word->raw[i] == '}');
		if (!depth && word->raw[i] == '=')
			return true;
	}
	return false;
}

/* declare -a 'x=(…)' reads the string as an array, and expands it. */
static void check_declared_string(struct zs_classify *classify, const struct zs_raw_word *value)
{
	struct zs_assembly *assembly = &classify->build->assembly;

	assembly->declares |= !value->text;
	if (value->text && *value->text == '(' && strpbrk(value->text, "$`"))
		zs_blame(classify, ZS_RISK_EVAL, value, "bash reads this string as an array, and expands it");
}

/* declare -n NAME=OTHER: a value for NAME goes to OTHER. */
static void check_reference(struct zs_classify *classify, const struct zs_raw_word *value)
{
	const struct zs_raw_word unknown = zs_unknown_word(value->span, "reference");

	if (value->text)
		zs_check_assignment(classify, value->text, &unknown);
	else
		zs_name_set(classify, "*", ZS_SET_UNKNOWN, NULL);
}

/* local NAME unsets the name until it gets a value. The attributes of declare -u, -i and -n change the value. */
static void take_declared_name(struct zs_classify *classify, const char *name, bool changes)
{
	size_t len = strcspn(name, "[+=");

	name = zs_arena_string(classify->build->arena, name, len);
	if (changes)
		zs_name_set(classify, name, ZS_SET_UNKNOWN, NULL);
	else if (!zs_row_options(classify->row))
		zs_name_set(classify, name, ZS_SET_UNSET, NULL);
}

/* export, declare, local, readonly, typeset: operands that are NAME=VALUE assign. */
void zs_grammar_assigns(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	bool reference = false, changes = false;

	take_declare_flags(classify, &reference, &changes);
	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		size_t split = zs_assignment_split(word->prefix);
		struct zs_raw_word value = *word;

		if (word->prefix[0] == '-')
			continue;
		if (!split) {
			if (!word->dynamic) {
				classify->build->assembly.evaluates |= zs_has_subscript(word->text);
				take_declared_name(classify, word->text, changes);
				if (reference) /* the value of a reference is the name of another variable */
					zs_name_set(classify, "*", ZS_SET_UNKNOWN, NULL);
				continue;
			}
			zs_value_given(classify->build, word);
			zs_name_set(classify, "*", ZS_SET_UNKNOWN, NULL);
			classify->build->assembly.evaluates = true;
			zs_blame(classify, names_by_value(word) ? ZS_RISK_EVAL : ZS_RISK_ENVIRONMENT, word,
				"which variable it sets is known only at run time");
			continue;
		}
		value.prefix = word->prefix + split + 1;
		value.text = word->text ? value.prefix : NULL;
		value.raw = word->raw + split + 1 <= word->raw + word->raw_len ? word->raw + split + 1 : word->raw;
		value.raw_len = word->raw_len - (uint32_t)(value.raw - word->raw);
		check_declared_string(classify, &value);
		if (reference)
			check_reference(classify, &value);
		zs_check_assignment(classify, zs_arena_string(classify->build->arena, word->prefix, split), &value);
		if (changes ||
			(value.text && *value.text == '(')) /* declare -a x='(a b)' reads the value as an array */
			take_declared_name(
				classify, zs_arena_string(classify->build->arena, word->prefix, split), true);
	}
}

/* fc runs lines of the history, and history -s adds some; fc -l lists them. */
void zs_grammar_fc(struct zs_classify *classify)
{
	if (!zs_has_effect(&classify->args, ZS_FLAG_INFO))
		zs_blame(classify, ZS_RISK_EVAL, &classify->command->words.items[0], "it runs lines of the history");
}

/* Refuses dynamic words before the operands, for commands whose flags give code to run. Such a word may turn out to be
 * a flag. */
static void refuse_dynamic_flags(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count && (!words->items[i].text || words->items[i].text[0] == '-'); i++)
		if (!words->items[i].text &&
			(words->items[i].prefix[0] == '-' || !is_quoted_variable(&words->items[i])))
			zs_blame(classify, ZS_RISK_EVAL, &words->items[i],
				"the word may be a flag whose value is run as code");
}

/* hash -p FILE NAME: NAME runs FILE from then on. */
void zs_grammar_hash(struct zs_classify *classify)
{
	refuse_dynamic_flags(classify);
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-p")) != NULL;)
		zs_blame(classify, ZS_RISK_UNSUPPORTED, &use->word, "makes a known name run another program");
}

/* Notes unset NAME or unset NAME[1]. */
static void unset_name(struct zs_classify *classify, const char *name)
{
	size_t len = name ? strcspn(name, "[") : 0;
	bool whole = name && !name[len];

	zs_name_set(classify, name ? zs_arena_string(classify->build->arena, name, len) : "*",
		whole ? ZS_SET_UNSET : ZS_SET_UNKNOWN, NULL);
}

/* let, unset and [ -v read their words as arithmetic, or as names with subscripts. */
void zs_grammar_evaluates(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	const char *name = zs_base_name(words->items[0].prefix);
	bool tests = *name == '[' || strcmp(name, "test") == 0, asks = !tests, dynamic = strcmp(name, "let") == 0;

	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].text;

		if (*name == 'u') /* unset */
			unset_name(classify, text);
		asks |= text && (strcmp(text, "-v") == 0 || strcmp(text, "-R") == 0);
		dynamic |= !text || zs_has_subscript(text);
	}
	classify->build->assembly.evaluates |= asks && dynamic;
}

void zs_grammar_reads(struct zs_classify *classify)
{
	classify->build->assembly.reads = true;
}

/* The output of echo and printf is a value in a substitution. */
void zs_grammar_prints(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	bool captured = classify->command->nesting == ZS_NEST_SUBSTITUTION;

	for (uint32_t i = 1; i < words->count; i++) {
		captured |= i == 1 && strncmp(words->items[i].prefix, "-v", 2) == 0;
		zs_value_printed(classify->build, &words->items[i], captured);
	}
}

/* alias NAME=VALUE: the value is code that later lines may run. */
void zs_grammar_alias(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		struct zs_raw_word value = words->items[i];
		struct zs_assembly *assembly = &classify->build->assembly;
		const char *equals = strchr(value.prefix, '=');

		if (!equals && value.text)
			continue;
		assembly->aliases = true;
		assembly->expands_aliases |= classify->text->shell > ZS_SHELL_BASH32;
		assembly->alias_span = value.span;
		if (!equals) /* alias $x: neither the name nor the value is known before it runs */
			continue;
		value = zs_word_from(&value, (size_t)(equals + 1 - value.prefix));
		zs_nested_shell(classify, &value);
		assembly->alias_texts += value.text != NULL;
	}
}

/* mapfile -C CALLBACK runs CALLBACK INDEX LINE. */
void zs_grammar_mapfile(struct zs_classify *classify)
{
	zs_grammar_reads(classify);
	refuse_dynamic_flags(classify);
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-C")) != NULL;)
		zs_called_shell(classify, &use->word);
}

/* compgen -F FUNCTION: any command may stand for the function. It gets the words of -C. */
static void take_function(struct zs_classify *classify, const struct zs_raw_word *name)
{
	struct zs_raw_command *inner = zs_inner_command(classify, 0, 1);

	inner->words.items[0] = *name;
	zs_add_operands(classify, inner);
	ZS_PUSH(classify->build->arena, &classify->more_inner, inner);
}

/* compgen -C COMMAND runs COMMAND with three more words. */
void zs_grammar_compgen(struct zs_classify *classify)
{
	refuse_dynamic_flags(classify);
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-F")) != NULL;)
		take_function(classify, &use->word);
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-C")) != NULL;)
		zs_called_shell(classify, &use->word);
}
