/* Grammars of single programs, for facts that a row cannot hold. */
#include "judge/assembled.h"

#include <string.h>
#include <strings.h>

/* python -m json IN OUT writes OUT; the tool json of npm takes keys. */
void zs_grammar_json(struct zs_classify *classify)
{
	const struct zs_use *first = zs_next_use(&classify->args, NULL, NULL);
	const struct zs_use *second = first ? zs_next_use(&classify->args, first, NULL) : NULL;

	if (classify->command->own && second)
		zs_write(classify, &second->word, ZS_EFFECT_OVERWRITE);
}

/* date +FORMAT and most options only print; MMDDhhmm sets the clock (man 1 date). */
void zs_grammar_date(struct zs_classify *classify)
{
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, NULL)) != NULL;)
		if (*use->word.prefix && *use->word.prefix != '+' && !zs_has_effect(&classify->args, ZS_FLAG_READ_ONLY))
			zs_blame(classify, ZS_RISK_DEVICE, &use->word, "it sets the clock");
}

/* ansible -m MODULE: some modules only read (ansible-doc -l). */
void zs_grammar_ansible(struct zs_classify *classify)
{
	static const char modules[] = "ping setup gather_facts debug stat assert fail getent service_facts "
				      "package_facts mount_facts slurp find wait_for wait_for_connection win_ping";
	const struct zs_use *module = zs_next_use(&classify->args, NULL, "-m --module-name");
	const char *name;

	if (!module || !module->word.text || zs_next_use(&classify->args, NULL, "-t --tree"))
		return;
	name = strncmp(module->word.text, "ansible.builtin.", 16) == 0 ? module->word.text + 16 : module->word.text;
	classify->done |= zs_listed(name, modules);
}

/* less +CMD runs CMD at its start. Commands that go to a place are fine; "!", "|", "s" and "v" are not (man 1 less). */
void zs_grammar_less(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		const char *command = word->prefix + strspn(word->prefix, "+");

		if (word->prefix[0] != '+')
			continue;
		if (!word->text || strchr(word->text, '\n') ||
			(*command && !strchr("/?&0123456789gGpFfbd%<>", *command)) ||
			(zs_is_digit(*command) && command[strspn(command, "0123456789gGp%")]))
			zs_blame(classify, ZS_RISK_INLINE_CODE, word, "the option runs a command in the pager");
	}
}

/* A word that is or ends in ";" ends a command of tmux, and the words behind it are another one. In a format, #(CODE)
 * is a shell's code (man 1 tmux, COMMAND PARSING AND EXECUTION, FORMATS). */
void zs_grammar_tmux(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;

	for (uint32_t i = 1; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];
		size_t len = word->text ? strlen(word->text) : 0;

		if (len && word->text[len - 1] == ';' && (len == 1 || word->text[len - 2] != '\\'))
			zs_blame(classify, ZS_RISK_EVAL, word, "another command of tmux follows; write each by itself");
		else if (word->text && strstr(word->text, "#("))
			zs_blame(classify, ZS_RISK_EVAL, word, "tmux runs the code in #(...)");
	}
}

/* gawk -i inplace writes each file that it reads (man 3am inplace). */
void zs_grammar_awk(struct zs_classify *classify)
{
	struct zs_args *args = &classify->args;

	for (uint32_t i = 0; i < args->uses.count; i++) {
		const struct zs_use *use = &args->uses.items[i];

		if (use->role == ZS_ROLE_PRELOAD && (!use->word.text || strstr(use->word.text, "inplace")))
			args->effects |= zs_effect_bit(ZS_FLAG_IN_PLACE);
	}
}

/* curl -w '%output{FILE}' writes FILE (man 1 curl); so may the format in @FILE. */
void zs_grammar_curl(struct zs_classify *classify)
{
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, "-w --write-out")) != NULL;)
		if (strstr(use->word.text ? use->word.text : use->word.prefix, "%output{"))
			zs_write(classify, &use->word, ZS_EFFECT_OVERWRITE);
}

/* mlr VERB … then VERB …: the verbs tee and split write files, and an expression may do so too (mlr help topics). */
static void judge_mlr_expression(struct zs_classify *classify, const struct zs_raw_word *word)
{
	const char *text = word->text;
	bool redirects = text && strpbrk(text, ">|") &&
			 (strstr(text, "tee") || strstr(text, "emit") || strstr(text, "print") || strstr(text, "dump"));

	if (!text || redirects || strstr(text, "system") || strstr(text, "exec"))
		zs_blame(classify, ZS_RISK_INLINE_CODE, word, "the expression may write files or run commands");
}

void zs_grammar_mlr(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	const struct zs_use *first = zs_next_use(&classify->args, NULL, NULL);
	const struct zs_raw_word *verb = first ? &words->items[first->at] : NULL;

	for (; verb && verb < words->items + words->count; verb++) {
		const struct zs_raw_word *end = verb;

		while (end < words->items + words->count && !zs_word_is(end, "then"))
			end++;
		if (!verb->text)
			zs_blame(classify, ZS_RISK_DYNAMIC_ARGUMENT, verb, "the verb is known only at run time");
		else if (zs_listed(verb->text, "tee split"))
			zs_blame(classify, ZS_RISK_WRITE, verb, "it writes a file");
		for (const struct zs_raw_word *word = verb; word < end && verb->text; word++) {
			bool named = word > verb && zs_word_is(word - 1, "-f"); /* -f takes a script's path */

			if (zs_listed(verb->text, "put filter") && word > verb && word->prefix[0] != '-' && !named)
				judge_mlr_expression(classify, word);
		}
		verb = end;
	}
}

/* exiftool -TAG=VALUE, id3v2 -t TITLE: a flag with a value changes the named files. */
void zs_grammar_tags(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	bool only_exiftool = words->items[0].text && strstr(words->items[0].text, "exiftool");

	for (uint32_t i = 1; i < words->count; i++) {
		const char *text = words->items[i].prefix;

		if (*text != '-')
			continue;
		if (strpbrk(text, "=<") ||
			zs_listed(text, "-o -w -W -tagsFromFile -TagsFromFile -delete_original! -restore_original "
					"-stay_open -if -@ -config -execute") ||
			(!only_exiftool && !zs_listed(text, "-l --list -R --list-rfc822 -h -v -x -i --ids")))
			zs_blame(classify, ZS_RISK_WRITE, &words->items[i], "it changes tags, or runs code");
	}
}

/* Without -batch gdb reads more commands from its input after those of its command line. */
void zs_grammar_gdb(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	uint32_t end = classify->args.rest ? classify->args.rest : words->count;

	for (uint32_t i = 1; i < end; i++)
		if (words->items[i].text && zs_listed(words->items[i].text + strspn(words->items[i].text, "-"),
						    "batch batch-silent version help configuration"))
			return;
	if (classify->args.has_code)
		zs_blame(classify, ZS_RISK_INLINE_CODE, &words->items[0],
			"without -batch it reads more commands from its input");
}

/* Reads the flags of a shell before its script. Returns the index of the first word that is none. */
static uint32_t shell_flags(const struct zs_word_list *words, bool *ret_noexec, bool *ret_certain)
{
	uint32_t i = 1;

	*ret_noexec = false;
	*ret_certain = true;
	for (; i < words->count; i++) {
		const struct zs_raw_word *word = &words->items[i];

		if (zs_word_is(word, "--"))
			return i + 1;
		if (word->prefix[0] != '-' || !word->prefix[1])
			break;
		if (!word->text || word->prefix[strspn(word->prefix, "-nveuxs")])
			*ret_certain = false; /* such as -c, -i, -o and long flags */
		*ret_noexec |= word->prefix[1] != '-' && strchr(word->prefix, 'n');
	}
	return i;
}

/* bash -n SCRIPT only reads the script. No word may undo the -n: "+n", -i, or a dynamic word that may turn out to be
 * one of them. */
void zs_grammar_shell(struct zs_classify *classify)
{
	const struct zs_word_list *words = &classify->command->words;
	bool noexec, certain, ended;
	uint32_t first = shell_flags(words, &noexec, &certain);

	zs_check_shell_flags(classify);
	for (const struct zs_use *use = NULL; (use = zs_next_use(&classify->args, use, NULL)) != NULL;)
		if (use->role == ZS_ROLE_DATA)
			zs_value_given(classify->build, &use->word);
	ended = first > 1 && zs_word_is(&words->items[first - 1], "--");
	if (!noexec || !certain)
		return;
	for (uint32_t i = first; i < words->count && !ended; i++) {
		const struct zs_raw_word *word = &words->items[i];
		bool alone = word->quoted && i + 1 == words->count; /* bash -n "$f" */

		if (i == first && (word->prefix[0] == '+' || (!*word->prefix && !alone)))
			return;
	}
	classify->done = true;
}
