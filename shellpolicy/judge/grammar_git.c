/* git's configuration on its command line: many settings are code. */
#include "judge/classify.h"
#include "judge/unknown.h"

#include <string.h>

enum setting_kind { SETTING_PLAIN, SETTING_COMMAND, SETTING_ALIAS };

/* Keys that only change how things are shown or found, in lower case (git ignores the case of section and name).
 * "section." stands for all keys of a section. A key that is not listed counts as code or state. */
static const struct {
	const char *key;
	enum setting_kind kind;
} settings[] = {
	{ "advice.", SETTING_PLAIN },
	{ "alias.", SETTING_ALIAS },
	{ "blame.", SETTING_PLAIN },
	{ "color.", SETTING_PLAIN },
	{ "column.", SETTING_PLAIN },
	{ "core.abbrev", SETTING_PLAIN },
	{ "core.autocrlf", SETTING_PLAIN },
	{ "core.editor", SETTING_COMMAND },
	{ "core.fsmonitor", SETTING_COMMAND },
	{ "core.ignorecase", SETTING_PLAIN },
	{ "core.pager", SETTING_COMMAND },
	{ "core.quotepath", SETTING_PLAIN },
	{ "core.sshcommand", SETTING_COMMAND },
	{ "core.whitespace", SETTING_PLAIN },
	{ "diff.algorithm", SETTING_PLAIN },
	{ "diff.color", SETTING_PLAIN },
	{ "diff.colormoved", SETTING_PLAIN },
	{ "diff.context", SETTING_PLAIN },
	{ "diff.mnemonicprefix", SETTING_PLAIN },
	{ "diff.noprefix", SETTING_PLAIN },
	{ "diff.renamelimit", SETTING_PLAIN },
	{ "diff.renames", SETTING_PLAIN },
	{ "diff.submodule", SETTING_PLAIN },
	{ "format.pretty", SETTING_PLAIN },
	{ "grep.", SETTING_PLAIN },
	{ "i18n.", SETTING_PLAIN },
	{ "init.defaultbranch", SETTING_PLAIN },
	{ "log.", SETTING_PLAIN },
	{ "pager.", SETTING_COMMAND },
	{ "safe.directory", SETTING_PLAIN },
	{ "status.", SETTING_PLAIN },
	{ "user.email", SETTING_PLAIN },
	{ "user.name", SETTING_PLAIN },
};

static char grammar_git_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is this the key in front of the setting's "="? */
static bool key_matches(const char *pattern, const char *setting)
{
	size_t len = strlen(pattern);

	for (size_t i = 0; i < len; i++)
		if (grammar_git_lower(setting[i]) != pattern[i])
			return false;
	return pattern[len - 1] == '.' || setting[len] == '=' || setting[len] == '\0';
}

static void judge_setting(struct zs_classify *classify, const struct zs_raw_word *setting, enum setting_kind kind)
{
	const char *equals = strchr(setting->prefix, '=');
	struct zs_raw_word value = *setting;

	value.prefix = equals ? equals + 1 : "";
	value.text = setting->text ? value.prefix : NULL;
	if (kind == SETTING_PLAIN ||
		(value.text && (!*value.text || zs_listed(value.text, "true false yes no on off 0 1"))))
		return;
	if (kind == SETTING_COMMAND) {
		zs_called_shell(classify, &value);
	} else if (value.text && value.text[0] == '!') {
		value.text++;
		zs_called_shell(classify, &value);
	} else { /* an alias of git's own words: it is read as the command that it stands for */
		if (value.text)
			value.text = zs_arena_format(classify->build->arena, "git %s", value.text);
		zs_nested_shell(classify, &value);
	}
}

void zs_check_git_config(struct zs_classify *classify, const struct zs_raw_word *setting)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (key_matches(settings[i].key, setting->prefix)) {
			judge_setting(classify, setting, settings[i].kind);
			return;
		}
	}
	zs_blame(classify, ZS_RISK_ENVIRONMENT, setting, "a setting that may run code or move the repository");
}

/* Subcommands of git config, since git 2.46. Older versions take such a word for a key without a section, and refuse
 * it. */
static const struct {
	const char *name;
	bool reads;
} subcommands[] = { { "get", true }, { "get-color", true }, { "get-colorbool", true }, { "list", true },
	{ "edit", false }, { "remove-section", false }, { "rename-section", false }, { "set", false },
	{ "unset", false } };

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
	if (!zs_row_find(classify->build->rows, "git", sub.text)) {
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
	const struct zs_use *first = NULL;
	bool reads = zs_has_effect(args, ZS_FLAG_READ_ONLY), writes = zs_has_effect(args, ZS_FLAG_REPO);

	for (uint32_t i = 0; i < args->uses.count && !first; i++)
		if (!args->uses.items[i].flag)
			first = &args->uses.items[i];
	for (size_t i = 0; first && first->word.text && i < sizeof subcommands / sizeof *subcommands; i++)
		if (strcmp(first->word.text, subcommands[i].name) == 0)
			*(subcommands[i].reads ? &reads : &writes) = true;
	if (!writes && (reads || args->operands < 2))
		classify->done = true;
}
