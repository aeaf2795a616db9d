/* zs why: runs a command once more as a dry run, and says what was refused to it, and what grants it. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "base/json.h"
#include "base/message.h"
#include "base/shell_quote.h"
#include "run/confine_policy.h"
#include "run/denied.h"
#include "run/trial.h"

extern char **environ;

struct fields {
	bool json, all;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print lines of JSON"),
	ZS_FLAG('a', "all", offsetof(struct fields, all),
		"print also what was refused to processes that did\nnot fail"),
	{ 0 },
};

static const struct zs_option_group groups[] = { { "Options", options, 0 },
	{ "Grants to the command", zs_confine_options, offsetof(struct fields, confine) }, { 0 } };

/* Nothing failed for most refusals: programs look for many files that they can do without. */
static bool is_shown(const struct zs_denial *denial, bool all)
{
	return all || denial->decisive;
}

static size_t count_shown(const struct zs_trial *trial, bool all)
{
	size_t count = 0;

	for (size_t i = 0; i < zs_denials_count(trial->denials); i++)
		count += is_shown(zs_denials_get(trial->denials, i), all);
	return count;
}

static void print_row(const struct zs_denial *denial)
{
	static char line[3 * 4096];

	zs_denial_format(denial, getenv("HOME"), line, sizeof line);
	printf("%s %s", denial->decisive ? "*" : " ", line);
	if (denial->risk && denial->option)
		printf("  (%s)", denial->risk);
	printf("\n");
}

/* Is this the first of the records with its grant? */
static bool is_first(const struct zs_denials *denials, size_t index)
{
	const struct zs_denial *denial = zs_denials_get(denials, index);

	for (size_t i = 0; i < index; i++) {
		const struct zs_denial *earlier = zs_denials_get(denials, i);

		if (earlier->decisive && earlier->option && strcmp(earlier->option, denial->option) == 0 &&
			strcmp(earlier->value, denial->value) == 0)
			return false;
	}
	return true;
}

static bool is_to_copy(const struct zs_denials *denials, size_t index)
{
	const struct zs_denial *denial = zs_denials_get(denials, index);

	return denial->decisive && denial->option && is_first(denials, index);
}

/* Does a record's grant take the place of this option? */
static bool is_replaced(const struct zs_denials *denials, const char *name, const char *value)
{
	static const char *const once[] = { "net", "tmp", "git", NULL };

	for (size_t i = 0; i < zs_denials_count(denials); i++) {
		const struct zs_denial *denial = zs_denials_get(denials, i);
		const char *end = denial->value ? strchr(denial->value, '=') : NULL;

		if (!is_to_copy(denials, i) || strcmp(denial->option + 2, name) != 0)
			continue;
		if (strcmp(name, "limit") == 0 && end &&
			strncmp(value, denial->value, (size_t)(end - denial->value) + 1) == 0)
			return true;
		for (size_t k = 0; once[k]; k++)
			if (strcmp(name, once[k]) == 0)
				return true;
	}
	return false;
}

static bool put_option(const char *name, const char *value, void *arg)
{
	static char word[ZS_SHELL_WORD_BYTES];

	if (is_replaced(arg, name, value))
		return true;
	printf(" --%s", name);
	if (value)
		printf(" %s", zs_shell_word(value, word));
	return true;
}

static void print_command(const struct fields *fields, const struct zs_denials *denials, char *const argv[])
{
	static char word[ZS_SHELL_WORD_BYTES];

	printf("\nTo grant what it failed from:\n  zs run");
	zs_options_given(zs_confine_options, &fields->confine, put_option, (void *)denials); // NOLINT
	for (size_t i = 0; i < zs_denials_count(denials); i++)
		if (is_to_copy(denials, i)) {
			const struct zs_denial *denial = zs_denials_get(denials, i);

			printf(" %s %s", denial->option, zs_shell_word(denial->value, word));
		}
	printf(" --");
	for (; *argv; argv++)
		printf(" %s", zs_shell_word(*argv, word));
	printf("\n");
}

static void print_settings(const struct zs_denials *denials)
{
	bool any = false;

	for (size_t i = 0; i < zs_denials_count(denials); i++) {
		const struct zs_denial *denial = zs_denials_get(denials, i);
		const char *key = is_to_copy(denials, i) ? zs_trial_key(denial->option) : NULL;
		bool is_switch = key && (strcmp(denial->option, "--net") == 0 || strcmp(denial->option, "--git") == 0);

		if (!key)
			continue;
		if (!any)
			printf("or for each run, in settings.json:\n");
		any = true;
		if (is_switch)
			printf("  \"%s\": true\n", key);
		else {
			printf("  \"%s\": [\"", key);
			zs_put_text(stdout, denial->value, strlen(denial->value));
			printf("\"]\n");
		}
	}
}

/* Has the dry run written what another run cannot write? */
static bool would_fail(const struct zs_denials *denials)
{
	for (size_t i = 0; i < zs_denials_count(denials); i++)
		if (zs_denials_get(denials, i)->cause == ZS_DENIED_PROTECTED && zs_denials_get(denials, i)->decisive)
			return true;
	return false;
}

static void print_text(const struct fields *fields, const struct zs_trial *trial, char *const argv[])
{
	size_t shown = count_shown(trial, fields->all), count = zs_denials_count(trial->denials);
	bool any = false;

	if (trial->status == 0 && would_fail(trial->denials))
		printf("The command succeeded as a dry run, but would fail otherwise");
	else if (trial->status == 0)
		printf("The command succeeded");
	else
		printf("The command failed with status %d", trial->status);
	if (count == 0)
		printf("; zs refused nothing.\n");
	else if (shown == 0)
		printf("; zs refused %zu access%s, and no process failed after one; --all lists %s.\n", count,
			count == 1 ? "" : "es", count == 1 ? "it" : "them");
	else
		printf(". Refused%s:\n", fields->all ? " (* to a process that failed)" : "");
	for (size_t i = 0; i < count; i++)
		if (is_shown(zs_denials_get(trial->denials, i), fields->all))
			print_row(zs_denials_get(trial->denials, i));
	if (zs_denials_others(trial->denials))
		printf("  and %zu more\n", zs_denials_others(trial->denials));
	for (size_t i = 0; i < count; i++)
		any = any || is_to_copy(trial->denials, i);
	if (any) {
		print_command(fields, trial->denials, argv);
		print_settings(trial->denials);
	}
}

static void print_json(const struct zs_trial *trial)
{
	for (size_t i = 0; i < zs_denials_count(trial->denials); i++)
		zs_denied_print_json(stdout, zs_denials_get(trial->denials, i));
	zs_json_print_line(
		stdout, "{'event':'end','status':%d,'others':%zu}", trial->status, zs_denials_others(trial->denials));
}

static int why_main(const void *storage, const struct zs_operands *operands);

static bool allow_workspace(const char *name, const char *value, void *arg)
{
	(void)value, (void)arg;
	return strcmp(name, "workspace") == 0 ||
	       zs_fail(false, "why: --%s: goes with a command; without one zs why takes the options of the last run",
		       name);
}

/* Reads the words as if they had been given to zs why, and runs it. */
static int why_words(const struct fields *given, char *words, size_t size)
{
	char *folder = words, **argv = calloc(size + 2, sizeof *argv);
	struct fields fields = { 0 };
	struct zs_operands operands;
	int count = 1, r = ZS_EXIT_CANNOT_ENFORCE;
	FILE *out = stderr;

	if (!argv)
		return zs_fail_errno(r, "why", "", ENOMEM);
	argv[0] = (char *)(uintptr_t)zs_why_subcommand.name;
	for (char *at = words + strlen(words) + 1; at < words + size; at += strlen(at) + 1)
		argv[count++] = at;
	if (chdir(folder) < 0)
		zs_complain_errno("why", folder, errno);
	else if (zs_options_parse(&zs_why_subcommand, count, argv, &fields, &operands, &r) && operands.count > 0) {
		static char word[ZS_SHELL_WORD_BYTES];

		fprintf(out, "zs: why: runs again:");
		for (int i = 0; i < operands.count; i++)
			fprintf(out, " %s", zs_shell_word(operands.items[i], word));
		fprintf(out, "\n");
		fields.json = given->json;
		fields.all = given->all;
		r = why_main(&fields, &operands);
	}
	zs_options_free(&zs_why_subcommand, &fields);
	free(argv);
	return r;
}

/* Runs the last command of this workspace to which something was refused. */
static int why_last(const struct fields *fields)
{
	struct zs_confinement made;
	char *words = NULL;
	size_t size;
	int r = zs_options_given(zs_confine_options, &fields->confine, allow_workspace, NULL)
			? zs_make_policy(&fields->confine, true, false, &made)
			: ZS_EXIT_USAGE;

	if (r != ZS_EXIT_OK)
		return r;
	r = zs_denials_recall(made.policy, environ, &words, &size);
	zs_confinement_free(&made);
	if (r == -ENOENT)
		return zs_fail(ZS_EXIT_USAGE, "why: zs has refused nothing in this workspace yet, to a command with "
					      "denials; write the command: zs why [OPTIONS] -- CMD");
	if (r < 0)
		return zs_fail(ZS_EXIT_BAD_INPUT,
			"why: the last refused run: its record in zs/refused cannot be used: %s; "
			"write the command: zs why [OPTIONS] -- CMD",
			strerror(-r));
	r = why_words(fields, words, size);
	free(words);
	return r;
}

static int why_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	struct zs_trial trial;
	int r;

	if (fields->confine.print_policy)
		return zs_fail(
			ZS_EXIT_USAGE, "why: --print-policy: does not go with zs why; write zs run --print-policy");
	if (operands->count == 0)
		return why_last(fields);
	r = zs_trial_run(&fields->confine, operands->items, false, &trial);
	if (r != ZS_EXIT_OK)
		return r;
	if (fields->json)
		print_json(&trial);
	else
		print_text(fields, &trial, operands->items);
	zs_denials_free(trial.denials);
	return ZS_EXIT_OK;
}

const struct zs_subcommand zs_why_subcommand = {
	.name = "why",
	.description = "Run a command as a dry run, and say what was refused to it",
	.usage = "[OPTIONS] [--] [CMD [ARGS...]]",
	.groups = groups,
	.operands_end_options = true,
	.notes = "Without CMD it takes the last command of this workspace that failed after a\n"
		 "refusal, with its options, if it ran with denials, as in zs bash and in agents.\n"
		 "The command runs confined, and its changes to the workspace are thrown away. Its\n"
		 "output goes to stderr. Each line of the answer names an access that was\n"
		 "refused, the reason, and the smallest option that grants it. A file that is\n"
		 "missing anyway makes no line. The command runs slower than usual, since zs\n"
		 "follows each of its system calls.",
	.fields_size = sizeof(struct fields),
	.main = why_main,
};
