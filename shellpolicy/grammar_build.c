/* Grammars of build tools that run other tools: make's variables, cmake -E, npm run … -- FLAGS. */
#include "classify.h"

#include <string.h>

/* make VAR=VALUE: what a makefile does with the value is not known; one that holds shell or make syntax is code. */
void zs_grammar_make(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		const char *value = strchr(word->prefix, '=');

		if (word->prefix[0] == '-' || !value)
			continue;
		if (strncmp(word->prefix, "SHELL=", 6) == 0 || word->prefix[0] == '.')
			zs_blame(classify, ZS_RISK_ENVIRONMENT, word, "it changes the shell that runs the recipes");
		else if (value[strcspn(value, "`$;|&<>(\n")])
			zs_blame(classify, ZS_RISK_INLINE_CODE, word, "the value holds code that recipes would run");
	}
}

/* cmake -E TOOL: its own copies of cp, rm, touch, … (man 1 cmake, RUN A COMMAND-LINE TOOL). */
void zs_grammar_cmake(struct zs_classify *classify)
{
	static const char *const reading[] = { "capabilities", "cat", "compare_files", "echo", "echo_append",
		"environment", "false", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum",
		"server", "sleep", "true" };
	static const char *const wrapping[] = { "env", "time" };
	const struct zs_word_list *words = &classify->command->words;
	const struct zs_raw_word *tool;

	if (words->count < 3 || !words->items[1].text || strcmp(words->items[1].text, "-E") != 0)
		return;
	tool = &words->items[2];
	classify->done = true;
	for (size_t i = 0; tool->text && i < sizeof reading / sizeof *reading; i++)
		if (strcmp(tool->text, reading[i]) == 0)
			return;
	for (size_t i = 0; tool->text && i < sizeof wrapping / sizeof *wrapping; i++) {
		if (strcmp(tool->text, wrapping[i]) == 0) {
			classify->inner = zs_inner_command(classify, 2, words->count);
			return;
		}
	}
	zs_blame(classify, ZS_RISK_WRITE, tool, "it changes files");
}

/* npm run format, lint:fix: scripts whose name says that they change files. */
static bool is_fixing_script(const char *name)
{
	static const char *const names[] = { "fix", "format", "fmt", "write", "prettify" };
	const char *last = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(last, names[i]) == 0)
			return true;
	return false;
}

/* A flag of a formatter that makes it only look, wherever it stands: cargo fmt -- --check. */
void zs_grammar_check_flag(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++)
		if (words->items[i].text && strcmp(words->items[i].text, "--check") == 0)
			classify->done = true;
}

/* npm run lint -- --fix: what stands behind "--" goes to the tool that the script names. */
void zs_grammar_script_args(struct zs_classify *classify)
{
	static const char *const fixing[] = { "--fix", "--update", "--output-file", "--write", "--fix-only",
		"--updateSnapshot", "-u", "--update-snapshots", "--in-place", "--apply", "--autocorrect",
		"--auto-correct" };
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++)
		if (words->items[i].text && is_fixing_script(words->items[i].text) && words->items[i].text[0] != '-')
			zs_blame(classify, ZS_RISK_WRITE, &words->items[i], "a script of this name changes files");
	if (words->count > 3 && words->items[1].text && strcmp(words->items[1].text, "env") == 0) {
		classify->inner = zs_inner_command(classify, 3, words->count); /* npm run env -- COMMAND */
		return;
	}
	for (uint32_t i = 1; i < words->count; i++)
		for (size_t j = 0; j < sizeof fixing / sizeof *fixing; j++)
			if (strncmp(words->items[i].prefix, fixing[j], strlen(fixing[j])) == 0 &&
				strchr("=", words->items[i].prefix[strlen(fixing[j])]))
				zs_blame(classify, ZS_RISK_WRITE, &words->items[i],
					"the script's tool would change files");
}
