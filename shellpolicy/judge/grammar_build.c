/* Grammars of build tools that run other tools: make's variables, cmake -E, tasks, npm run … -- FLAGS. */
#include "judge/judge.h"

#include <string.h>

bool zs_is_make_code(const char *value)
{
	return value[strcspn(value, "`$;|&<>(\n")] != '\0';
}

/* make VAR=VALUE: the makefile decides what happens to the value. A value with shell or make syntax counts as code. */
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
		else if (zs_is_make_code(value))
			zs_blame(classify, ZS_RISK_INLINE_CODE, word, "the value holds code, and recipes would run it");
	}
	/* VAR=VALUE make: make expands variables of its environment like its own */
	for (uint32_t i = 0; i < classify->command->assignments.count; i++) {
		const struct zs_raw_word *value = &classify->command->assignments.items[i].value;

		if (value->text && zs_is_make_code(value->text))
			zs_blame(
				classify, ZS_RISK_INLINE_CODE, value, "the value holds code, and recipes would run it");
	}
	if (classify->build->make_code)
		zs_blame_command(
			classify, ZS_RISK_INLINE_CODE, "an exported variable holds code, and recipes would run it");
	zs_grammar_tasks(classify);
}

/* cmake --help-command NAME FILE and --version FILE write to a file that the last word names. */
static bool judge_cmake_help(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	const char *flag = words->count > 1 && words->items[1].text ? words->items[1].text : "";
	bool named = zs_listed(flag, "--help --help-manual --help-command --help-module --help-policy --help-property "
				     "--help-variable"); /* the options that take a name before the file */
	uint32_t file = named ? 3 : 2;

	if (!zs_listed(flag, "--help* --version* -version"))
		return false;
	if (file < words->count)
		zs_write(classify, &words->items[file], ZS_EFFECT_OVERWRITE);
	classify->done = true;
	return true;
}

/* cmake -E TOOL has tools like cp, rm and touch (man 1 cmake, RUN A COMMAND-LINE TOOL). */
void zs_grammar_cmake(struct zs_classify *classify)
{
	static const char reading[] =
		"capabilities cat compare_files echo echo_append environment false md5sum sha1sum sha224sum sha256sum "
		"sha384sum sha512sum server sleep true";
	const struct zs_word_list *words = &classify->command->words;
	const struct zs_raw_word *tool;

	if (judge_cmake_help(classify))
		return;
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "--target -t")) != NULL;)
		if (zs_listed(use->word.text, "install*"))
			zs_blame(classify, ZS_RISK_WRITE, &use->word, "a target of this name changes files");
	if (words->count < 3 || !words->items[1].text || strcmp(words->items[1].text, "-E") != 0)
		return;
	tool = &words->items[2];
	classify->done = true;
	if (zs_listed(tool->text, "env time"))
		classify->inner = zs_inner_command(classify, 2, words->count);
	else if (!zs_listed(tool->text, reading))
		zs_blame(classify, ZS_RISK_WRITE, tool, "it changes files");
}

/* Does a task's name say that it changes files, as in npm run format, make lint-fix, gradle :app:format? A task
 * format:check only looks. */
static bool is_fixing_task(const char *name)
{
	bool found = false, first = true;

	while (*name) {
		size_t len = strcspn(name, ":-_.");

		if (zs_listed_bytes(name, len, "check test tests verify validate diff dry ci"))
			return false;
		if (first || !name[len])
			found |= zs_listed_bytes(name, len, "fix autofix format reformat fmt gofmt write prettify");
		name += len + (name[len] != '\0');
		first = false;
	}
	return found;
}

/* The row of a task: a subcommand of the command itself (bundle config list), or of the tool that the command belongs
 * to (mix do deps.get, format). */
static const struct zs_row *find_task(struct zs_classify *classify, const char *name)
{
	struct zs_arena *arena = classify->build->arena;
	const char *tool = zs_base_name(classify->command->words.items[0].prefix), *family = classify->family;
	const struct zs_row *row;

	if (!family)
		return zs_row_find(tool, name);
	row = zs_row_find(zs_arena_format(arena, "%s %s", family, tool), name);
	return row ? row : zs_row_find(family, name);
}

void zs_check_task(struct zs_classify *classify, const struct zs_raw_word *word)
{
	const struct zs_row *row;
	const char *name, *last;

	if (!word->text || !*word->text || word->text[strcspn(word->text, "=/")])
		return;
	name = zs_arena_string(classify->build->arena, word->text, strcspn(word->text, "@,"));
	last = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
	row = find_task(classify, name);
	if (row && !(row->traits & ZS_ROW_WRITES)) {
		classify->args.effects |= zs_effect_bit(ZS_FLAG_READ_ONLY);
		return;
	}
	if (!row)
		row = find_task(classify, last);
	if ((row && (row->traits & ZS_ROW_WRITES)) || is_fixing_task(name))
		zs_blame(classify, ZS_RISK_WRITE, word, "a task of this name changes files");
}

static void check_tasks(struct zs_classify *classify, uint32_t most)
{
	struct zs_args *args = &classify->args;

	if (zs_has_effect(args, ZS_FLAG_INFO) || zs_has_effect(args, ZS_FLAG_READ_ONLY))
		return;
	for (const struct zs_use *use = NULL; most && (use = zs_next_use(args, use, NULL)) != NULL; most--)
		zs_check_task(classify, &use->word);
}

/* gradle clean spotlessApply: every operand is a task and may have a row of its own. The path before its name
 * (:app:spotlessApply) and the text after it (mvn spotless:apply@id) do not count. */
void zs_grammar_tasks(struct zs_classify *classify)
{
	check_tasks(classify, UINT32_MAX);
}

/* vitest init, nx format:write: only the first operand may be a task, and flags may stand anywhere. */
void zs_grammar_verb(struct zs_classify *classify)
{
	check_tasks(classify, 1);
}

/* yarn workspace NAME add x, composer global require x: the rest is a command line of the same tool. */
void zs_grammar_same_tool(struct zs_classify *classify)
{
	struct zs_raw_command *inner;
	struct zs_raw_word tool;

	if (!classify->args.rest || classify->args.unknown_flag)
		return;
	inner = zs_inner_command(classify, classify->args.rest - 1, classify->command->words.count);
	tool = inner->words.items[0];
	tool.text = tool.prefix =
		zs_arena_string(classify->build->arena, classify->family, strcspn(classify->family, " "));
	tool.dynamic = NULL;
	inner->words.items[0] = tool;
	ZS_PUSH(classify->build->arena, &classify->more_inner, inner);
	classify->args.rest = 0;
}

/* Flags that make a formatter only look, wherever they stand: cargo fmt -- --check, dart format -o none. */
void zs_grammar_check_flag(struct zs_classify *classify)
{
	classify->done |= zs_has_listed_word(
		&classify->command->words, "--check --output=none --output=show --output=json -onone -oshow -ojson");
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-o --output")) != NULL;)
		classify->done |= zs_listed(use->word.text, "none show json");
}

/* ormolu --mode inplace, buildifier -mode=check: a value says whether files are written. */
void zs_grammar_mode(struct zs_classify *classify)
{
	for (const struct zs_use *use = NULL;
		(use = zs_next_use(&classify->args, use, "-m --mode -mode --write-mode")) != NULL;) {
		if (zs_listed(use->word.text, "inplace in-place fix overwrite write"))
			zs_blame(classify, ZS_RISK_WRITE, &use->word, "it changes files in place");
		if (zs_listed(use->word.text, "check diff print_if_changed stdout print lint dump-configuration"))
			classify->args.effects |= zs_effect_bit(ZS_FLAG_READ_ONLY);
	}
}

/* npm run lint -- --fix: the words after "--" go to the tool that the script runs. */
void zs_grammar_script_args(struct zs_classify *classify)
{
	static const char fixing[] =
		"--fix --update --output-file --write --fix-only --updateSnapshot -u --update-snapshots --in-place "
		"--apply --autocorrect --auto-correct --outputFile --outfile --outFile --out-file --outdir --outDir "
		"--out-dir --output-dir --output-path --coverageDirectory --junitxml --unsafe-fixes";
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 0; i < words->count; i++)
		if (words->items[i].text && is_fixing_task(words->items[i].text) && words->items[i].text[0] != '-')
			zs_blame(classify, ZS_RISK_WRITE, &words->items[i], "a script of this name changes files");
	if (words->count > 3 && zs_word_is(&words->items[1], "env")) {
		classify->inner = zs_inner_command(classify, 3, words->count); /* npm run env -- COMMAND */
		return;
	}
	for (uint32_t i = 1; i < words->count; i++)
		if (zs_listed_bytes(words->items[i].prefix, strcspn(words->items[i].prefix, "="), fixing))
			zs_blame(classify, ZS_RISK_WRITE, &words->items[i], "the script's tool would change files");
}
