/* git's configuration on its command line. Many settings are code. */
#include "judge/classify.h"
#include "judge/unknown.h"

#include <string.h>

/* Settings that only change how things are shown or found. Keys are in lower case (git ignores the case of section and
 * name), and "section.*" stands for a whole section. A key in none of these lists counts as code or state. */
static const char plain_settings[] =
	"advice.* blame.* color.* column.* core.abbrev core.autocrlf core.ignorecase core.quotepath core.whitespace "
	"diff.algorithm diff.color diff.colormoved diff.context diff.mnemonicprefix diff.noprefix diff.renamelimit "
	"diff.renames diff.submodule format.pretty grep.* i18n.* init.defaultbranch log.* safe.directory status.* "
	"user.email user.name";
/* Settings whose value is a command. */
static const char command_settings[] = "core.editor core.fsmonitor core.pager core.sshcommand pager.*";

void zs_check_git_config(struct zs_classify *classify, const struct zs_raw_word *setting)
{
	const char *key = setting->prefix;
	size_t len = strcspn(key, "=");
	bool command = zs_listed_any_case(key, len, command_settings), alias = zs_listed_any_case(key, len, "alias.*");
	struct zs_raw_word value;

	if (zs_listed_any_case(key, len, plain_settings))
		return;
	if (!command && !alias) {
		zs_blame(classify, ZS_RISK_ENVIRONMENT, setting, "a setting that may run code or move the repository");
		return;
	}
	value = zs_word_from(setting, len + (key[len] == '='));
	if (value.text && (!*value.text || zs_listed(value.text, "true false yes no on off 0 1")))
		return;
	if (command) {
		zs_called_shell(classify, &value);
	} else if (value.text && value.text[0] == '!') {
		value.text++;
		zs_called_shell(classify, &value);
	} else { /* an alias made of git's own words is read as the command that it stands for */
		if (value.text)
			value.text = zs_arena_format(classify->build->arena, "git %s", value.text);
		zs_nested_shell(classify, &value);
	}
}

/* /usr/lib/git-core/git-commit is git commit. git-lfs and the like are programs of their own. */
void zs_grammar_git_program(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	struct zs_raw_word name = words->items[0], sub = name;
	struct zs_raw_command *inner;

	sub.text = sub.prefix = strstr(sub.text, "git-") + 4;
	for (const char *next; (next = strstr(sub.text, "git-")) != NULL;)
		sub.text = sub.prefix = next + 4;
	classify->done = true;
	if (!zs_row_find("git", sub.text)) {
		zs_note(classify->build, ZS_RISK_UNKNOWN_COMMAND, classify->index, name.text, name.span);
		if (!classify->build->guessing)
			zs_judge_announced(classify, false); /* git-crypt init */
		return;
	}
	inner = zs_inner_command(classify, 0, words->count);
	name.text = name.prefix = "git";
	inner->words = (struct zs_word_list){ 0 };
	ZS_PUSH(classify->build->arena, &inner->words, name);
	ZS_PUSH(classify->build->arena, &inner->words, sub);
	for (uint32_t i = 1; i < words->count; i++)
		ZS_PUSH(classify->build->arena, &inner->words, words->items[i]);
	classify->inner = inner;
}

/* git config reads with one operand or with a reading flag; a name and a value set a key. */
void zs_grammar_git_config(struct zs_classify *classify)
{
	const struct zs_args *args = &classify->args;
	const struct zs_use *first = zs_next_use(args, NULL, NULL);
	bool reads = zs_has_effect(args, ZS_FLAG_READ_ONLY), writes = zs_has_effect(args, ZS_FLAG_REPO);

	/* Subcommands exist since git 2.46. Older versions take such a word for a key without a section, and refuse it.
	 */
	reads |= first && zs_listed(first->word.text, "get get-color get-colorbool list");
	writes |= first && zs_listed(first->word.text, "edit remove-section rename-section set unset");
	if (!writes && (reads || args->operands < 2))
		classify->done = true;
}
