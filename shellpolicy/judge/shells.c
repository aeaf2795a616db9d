/* Things that depend on the shell: the options that change how later text is read (set, shopt, and flags of bash; man
 * bash, SHELL BUILTIN COMMANDS), and the commands and variables that mean something else in the text's shell than in
 * bash: builtins that run, define or read code, and builtins of bash that set variables and do not exist there. */
#include "judge/assembled.h"
#include "judge/judge.h"
#include "judge/names.h"

#include <string.h>

/* Commands and variables */

#define SH_LIKE (ZS_BIT(SH) | ZS_BIT(DASH) | ZS_BIT(ASH))

/* "name" or "name:FLAGS"; the latter means the command with one of these letters in a flag, or with a flag that is
 * known only at run time (man 1 zshbuiltins, zshmisc, zshmodules, zshparam; the manual of fish; bash's NEWS). */
static const struct {
	unsigned shells;
	const char *commands, *variables;
} shell_rows[] = {
	{ ZS_BIT(ZSH),
		"- noglob nocorrect repeat foreach end always zmodload zf_* zargs zmv zcp zln zcompile zsystem sysopen "
		"syswrite sysread zsocket ztcp zpty zle zed sched setopt unsetopt emulate autoload functions "
		"bindkey compctl vared print whence where r integer float private disable unhash unfunction "
		"zstyle zregexparse zparseopts zformat chdir bye pushln getln limit unlimit log zsh_* mapfile "
		"readarray declare:nT typeset:nfT local:nT export:T readonly:T",
		"path fpath cdpath manpath module_path argv mapfile NULLCMD READNULLCMD STTY ZDOTDIR FPATH MODULE_PATH "
		"HISTCHARS histchars TMPPREFIX KEYBOARD_HACK" },
	{ ZS_BIT(FISH),
		"and or not begin end switch set alias abbr functions funced funcsave source . complete bind emit "
		"block argparse vared psub prevd nextd cdh dirh pushd popd chdir read fish_* declare local typeset "
		"readonly mapfile readarray let shift getopts unset printf:v ..",
		"fish_* argv status history" },
	{ SH_LIKE, "declare typeset let mapfile readarray printf:v", "" },
	{ ZS_BIT(BASH32), "mapfile readarray declare:Agnlu typeset:Agnlu local:Agnlu readonly:A wait:n", "" },
};

static bool is_for(size_t row, enum zs_shell shell)
{
	return shell == ZS_SHELL_ANY || (shell_rows[row].shells & 1u << shell);
}

/* Is one of the letters in a flag before the operands? */
static bool has_flag(const struct zs_word_list *words, const char *letters, size_t len)
{
	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];

		if (!word->text && (!*word->prefix || *word->prefix == '-') && !word->quoted)
			return true;
		if (*word->prefix != '-')
			return false;
		for (size_t j = 0; j < len; j++)
			if (strchr(word->prefix, letters[j]))
				return true;
	}
	return false;
}

/* Is the command one of a row's? */
static bool means_other(const struct zs_word_list *words, const char *name, const char *commands)
{
	size_t len = strlen(name);

	if (zs_listed(name, commands))
		return true;
	for (const char *at = commands; (at = strchr(at, ':')) != NULL; at++) {
		const char *start = at;

		while (start > commands && start[-1] != ' ')
			start--;
		if ((size_t)(at - start) == len && memcmp(start, name, len) == 0 &&
			has_flag(words, at + 1, strcspn(at + 1, " ")))
			return true;
	}
	return false;
}

/* hash NAME=FILE: does one of the words say which file a name runs, or may it? */
static bool hashes(const struct zs_word_list *words)
{
	for (uint32_t i = 1; i < words->count; i++)
		if (!words->items[i].text || strchr(words->items[i].text, '='))
			return true;
	return false;
}

/* x=1 :; echo $x prints 1 in a shell that follows POSIX: after a special builtin the assignment stays. */
static bool keeps_assignments(enum zs_shell shell, const char *name)
{
	return (shell == ZS_SHELL_ANY || shell == ZS_SHELL_KSH || (SH_LIKE & 1u << shell)) &&
	       zs_listed(name, ". : break continue eval exec exit export readonly return set shift times trap unset");
}

/* A=b run $A: fish expands the word after the assignment. */
static bool expands_behind_assignment(const struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 0; i < words->count && classify->command->assignments.count; i++)
		if (!words->items[i].text)
			return true;
	return false;
}

void zs_check_shell_command(struct zs_classify *classify, const char *name)
{
	enum zs_shell shell = classify->text->shell;
	const struct zs_word_list *words = &classify->command->words;
	bool zsh = shell == ZS_SHELL_ZSH || shell == ZS_SHELL_ANY;
	bool fish = shell == ZS_SHELL_FISH || shell == ZS_SHELL_ANY, other = false;

	if (shell == ZS_SHELL_BASH)
		return;
	for (size_t i = 0; i < sizeof shell_rows / sizeof *shell_rows; i++)
		other |= is_for(i, shell) && means_other(words, name, shell_rows[i].commands);
	other |= zsh && strcmp(name, "hash") == 0 && hashes(words);
	other |= zsh && strcmp(name, "cd") == 0 && words->count > 2 && words->items[1].prefix[0] != '-';
	other |= fish && *name && name[strlen(name) - 1] == '/'; /* cd */
	other |= fish && expands_behind_assignment(classify);
	other |= classify->command->assignments.count && keeps_assignments(shell, name);
	if (other)
		zs_find_otherwise(classify->build, shell, classify->index, name, words->items[0].span);
}

void zs_check_shell_variable(struct zs_classify *classify, const char *name, size_t len, struct zs_span span)
{
	enum zs_shell shell = classify->text->shell;

	for (size_t i = 0; i < sizeof shell_rows / sizeof *shell_rows && shell != ZS_SHELL_BASH; i++)
		if (is_for(i, shell) && zs_listed_word(name, len, shell_rows[i].variables)) {
			zs_find_otherwise(classify->build, shell, classify->index,
				zs_arena_string(classify->build->arena, name, len), span);
			return;
		}
}

/* Options of set that bash and zsh share. zsh has others, which change how it reads. */
static bool is_shared_option(enum zs_shell shell, const char *name)
{
	return (shell != ZS_SHELL_ZSH && shell != ZS_SHELL_ANY) ||
	       zs_listed(name, "allexport emacs errexit errtrace functrace hashall ignoreeof monitor noclobber noexec "
			       "noglob nolog notify nounset pipefail verbose vi xtrace history histexpand "
			       "braceexpand onecmd");
}

/* Options */

#define READING ZS_CHANGES_READING
#define KNOWN_LATE "an option of the shell that is known only at run time"

/* "-name" switches an option on, "+name" off. extglob is not listed: the reader refuses parentheses that extglob would
 * change. */
static const char changing[] = "-posix -keyword +braceexpand +extquote";
/* Options that change only later lines and texts. */
static const char changing_later[] = "-history -histexpand -compat*";

static void blame_option(struct zs_classify *classify, const struct zs_raw_word *word, const char *detail)
{
	zs_blame(classify, ZS_RISK_UNSUPPORTED, word, detail)->hint =
		"Leave the option as it is, and write the text in plain bash.";
}

/* The shell whose options they are: that of the text, or the one that is started. */
static enum zs_shell option_shell(const struct zs_classify *classify, bool invocation)
{
	enum zs_shell shell = ZS_SHELL_BASH;

	if (!invocation)
		return classify->text->shell;
	zs_shell_parse(zs_base_name(classify->command->words.items[0].prefix), &shell);
	return shell;
}

static void take_name(struct zs_classify *classify, enum zs_shell shell, char sign, const struct zs_raw_word *name)
{
	struct zs_assembly *assembly = &classify->build->assembly;
	const char *option;

	if (!name->text) {
		blame_option(classify, name, KNOWN_LATE);
		return;
	}
	option = zs_arena_format(classify->build->arena, "%c%s", sign, name->text);
	if (!is_shared_option(shell, name->text))
		zs_find_otherwise(classify->build, shell, classify->index, name->text, name->span);
	if (zs_listed(option, changing)) {
		blame_option(classify, name, READING);
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
	enum zs_shell shell = option_shell(classify, invocation);
	/* zsh has an option for each letter and digit */
	const char *letters = is_shared_option(shell, "") ? NULL : invocation ? "abcefilmnostuvxC" : "abefhmnotuvxCE";

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		char sign = word->prefix[0];

		if (!word->text && (!*word->prefix || sign == '-' || sign == '+')) {
			if (!invocation && !is_output(word)) /* in an invocation the row judges it */
				blame_option(classify, word, KNOWN_LATE);
			return;
		}
		if ((sign != '-' && sign != '+') || (sign == '-' && !word->text[1]) || strcmp(word->text, "--") == 0)
			return;
		if (invocation && sign == '-' && word->text[1] == '-') {
			if (strcmp(word->text, "--posix") == 0)
				blame_option(classify, word, READING);
			i += strcmp(word->text, "--rcfile") == 0 || strcmp(word->text, "--init-file") == 0;
			continue;
		}
		for (const char *letter = word->text + 1; *letter; letter++) {
			if (letters && !strchr(letters, *letter))
				zs_find_otherwise(classify->build, shell, classify->index, word->text, word->span);
			if (*letter == 'k' || (*letter == 'H' && sign == '-') || (*letter == 'B' && sign == '+'))
				blame_option(classify, word, READING);
			if ((*letter == 'o' || (*letter == 'O' && invocation)) && i + 1 < words->count)
				take_name(classify, shell, sign, &words->items[++i]);
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
			blame_option(classify, &words->items[i], KNOWN_LATE);
		else if (strchr(words->items[i].text, 's'))
			sign = '-';
		else if (strchr(words->items[i].text, 'u'))
			sign = '+';
	}
	if (!sign && i < words->count && !words->items[i].text &&
		!words->items[i].quoted) /* it may expand to -s NAME */
		blame_option(classify, &words->items[i], KNOWN_LATE);
	for (; sign && i < words->count; i++)
		take_name(classify, ZS_SHELL_BASH, sign, &words->items[i]);
	classify->done = true;
}
