#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "run/confine.h"
#include "base/exit.h"
#include "base/message.h"
#include "vet/report.h"

struct fields {
	const char *command, *profile;
	bool json;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	ZS_TEXT('c', "command", "CMD", offsetof(struct fields, command), "the bash text to run"),
	ZS_CHOICE('p', "profile", zs_profile_choices, offsetof(struct fields, profile), ZS_PROFILE_HELP),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print why it is blocked, and --diff, as JSON"),
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "Grants to the command", zs_confine_options, offsetof(struct fields, confine) },
	{ ZS_ASK_TITLE, zs_ask_options, offsetof(struct fields, confine.ask) },
	{ ZS_DRY_RUN_TITLE, zs_trial_options, offsetof(struct fields, confine) },
	{ 0 },
};

/* On stderr: stdout is the command's alone, run or not. */
static void print_block(const struct zs_report *report, bool json)
{
	if (json) {
		zs_report_json_line(stderr, report, false);
		return;
	}
	zs_complain("blocked (%s): %s", zs_risk_name(report->code), report->reason);
	if (*report->hint)
		zs_complain("hint: %s", report->hint);
}

static bool bash_vet(const struct fields *fields)
{
	struct zs_vet_options vet_options = { .profile = zs_profile_choice(fields->profile) };
	struct zs_vetter *vetter = zs_vetter_new();
	const struct zs_report *report = zs_vet(vetter, fields->command, strlen(fields->command), &vet_options);
	bool allowed = report->verdict == ZS_ALLOW;

	if (!allowed)
		print_block(report, fields->json);
	zs_vetter_free(vetter);
	return allowed;
}

static int bash_run(const struct fields *fields, const struct zs_operands *operands)
{
	const char *const head[] = { ZS_BASH_WORDS, fields->command };
	const size_t head_count = sizeof head / sizeof *head;
	char **argv = calloc(head_count + (size_t)operands->count + 1, sizeof *argv);
	int r;

	if (!argv)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "bash", "", ENOMEM);
	memcpy(argv, head, sizeof head);
	memcpy(argv + head_count, operands->items, (size_t)operands->count * sizeof *argv);
	r = zs_confine(&fields->confine, zs_profile_choice(fields->profile) == ZS_PROFILE_VERIFY, fields->json, argv);
	free(argv);
	return r;
}

static int bash_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;

	if (fields->confine.print_policy)
		return bash_run(fields, operands);
	if (!fields->command)
		return zs_fail(ZS_EXIT_USAGE, "bash: no command; write it as -c CMD");
	return bash_vet(fields) ? bash_run(fields, operands) : ZS_EXIT_BLOCKED;
}

const struct zs_subcommand zs_bash_subcommand = {
	.name = "bash",
	.description = "Vet a bash text, then run it confined",
	.usage = "[OPTIONS] -c CMD [ARG0 [ARGS...]]",
	.groups = groups,
	.operands_end_options = true,
	.notes = "A text that is blocked does not run: stderr says why and what to do instead, and\n"
		 "the exit code is 2. With --profile verify the workspace cannot be changed, as\n"
		 "with --verify, unless --policy says otherwise.",
	.fields_size = sizeof(struct fields),
	.main = bash_main,
};
