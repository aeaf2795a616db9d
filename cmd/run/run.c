/* zs run, zs bash and zs shim. */
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/command.h"
#include "run/confine.h"
#include "run/denied.h"
#include "base/message.h"
#include "base/own_rules.h"
#include "base/vet_place.h"
#include "vet/report.h"
#include "zs_shim.h"

struct fields {
	bool json, login;              /* login: for zs run alone */
	const char *command, *profile; /* for zs bash alone */
	struct zs_confine_fields confine;
};

static const struct zs_option run_options[] = {
	ZS_FLAG('j', "json", offsetof(struct fields, json),
		"print --diff, or the hosts that it asks for, as\nlines of JSON"),
	ZS_FLAG('l', "login", offsetof(struct fields, login), "run your shell, as at a login; no CMD"),
	ZS_TEXT(0, "session", "NAME", offsetof(struct fields, confine.session),
		"run it in the session NAME of this workspace, which\n"
		"keeps what CMD leaves behind; zs end NAME ends it"),
	ZS_TEXT(0, "idle", "TIME", offsetof(struct fields, confine.idle),
		"end the session when no command has run in it for\n"
		"this long (default: 4h)"),
	ZS_DENIALS_OPTION(offsetof(struct fields, confine.denials), ""),
	ZS_TO_MODEL_OPTION(offsetof(struct fields, confine.to_model)),
	ZS_FLAG(0, "print-sandbox", offsetof(struct fields, confine.print_sandbox),
		"print what zs shim needs; run nothing"),
	{ 0 },
};

static const struct zs_option bash_options[] = {
	ZS_TEXT('c', "command", "CMD", offsetof(struct fields, command), "the bash text to run"),
	ZS_CHOICE('p', "profile", zs_profile_choices, offsetof(struct fields, profile), ZS_PROFILE_HELP),
	ZS_FLAG('j', "json", offsetof(struct fields, json), "print why it is blocked, and --diff, as JSON"),
	ZS_DENIALS_OPTION(offsetof(struct fields, confine.denials), "\n(default: on stderr)"),
	ZS_TO_MODEL_OPTION(offsetof(struct fields, confine.to_model)),
	{ 0 },
};

#define GROUPS_WITH(options)                                                                                           \
	{ { "Options", options, 0 },                                                                                   \
		{ "Grants to the command", zs_confine_options, offsetof(struct fields, confine) },                     \
		{ ZS_ASK_TITLE, zs_ask_options, offsetof(struct fields, confine.ask) },                                \
		{ ZS_DRY_RUN_TITLE, zs_trial_options, offsetof(struct fields, confine) }, { 0 } }
static const struct zs_option_group run_groups[] = GROUPS_WITH(run_options);
static const struct zs_option_group bash_groups[] = GROUPS_WITH(bash_options);

static bool can_log_in(const char *shell)
{
	static const char *const none[] = { "nologin", "false", "true", "sync" };
	const char *name = strrchr(shell, '/');

	for (size_t i = 0; name && i < sizeof none / sizeof *none; i++)
		if (strcmp(name + 1, none[i]) == 0)
			return false;
	return name && access(shell, X_OK) == 0;
}

/* Returns the account's shell (man 5 passwd), or one that a person can use. */
static const char *login_shell(void)
{
	static const char bash[] = "/bin/bash";
	const struct passwd *entry = getpwuid(geteuid());

	if (entry && can_log_in(entry->pw_shell))
		return entry->pw_shell;
	return can_log_in(bash) ? bash : "/bin/sh";
}

/* Starts the login shell. A "-" in front of its name tells every shell to act as at a login (man 1 login); not every
 * shell has -l. */
static int run_login(const struct fields *fields, const struct zs_operands *operands)
{
	char name[PATH_MAX], *argv[] = { name, NULL };

	if (operands->count > 0)
		return zs_fail(ZS_EXIT_USAGE, "run: --login: does not go with a command; write one of the two");
	if (fields->confine.session)
		return zs_fail(
			ZS_EXIT_USAGE, "run: --login: does not go with --session, whose commands have no terminal");
	snprintf(name, sizeof name, "-%s", login_shell());
	return zs_confine(&fields->confine, false, fields->json, argv);
}

static int run_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;

	if (fields->login)
		return run_login(fields, operands);
	if (operands->count == 0 && !fields->confine.print_policy && !fields->confine.print_sandbox)
		return zs_fail(ZS_EXIT_USAGE, "run: no command; write it after the options: zs run [OPTIONS] -- CMD");
	return zs_confine(&fields->confine, false, fields->json, operands->items);
}

const struct zs_subcommand zs_run_subcommand = {
	.name = "run",
	.description = "Run a command that reaches only what a policy grants",
	.usage = "[OPTIONS] [--] CMD [ARGS...]\n[OPTIONS] --login",
	.groups = run_groups,
	.operands_end_options = true,
	.notes = "Without --policy a command can run the system's programs, write the workspace,\n"
		 "temporary folders and toolchain caches, and reach no network; --print-policy\n"
		 "shows all of it. The exit code is the command's own; 125 means that it did not\n"
		 "run, because the policy cannot be enforced, or that --apply did not make every\n"
		 "change.",
	.fields_size = sizeof(struct fields),
	.main = run_main,
};

/* zs bash */

/* Prints to stderr: stdout belongs to the command, even if it does not run. */
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

/* Returns an exit code. */
static int bash_vet(const struct fields *fields)
{
	struct zs_vet_options vet_options = { .profile = zs_profile_choice(fields->profile) };
	struct zs_vetter *vetter = zs_vetter_new();
	const struct zs_report *report;
	struct zs_own_rules rules;
	struct zs_error error;
	bool allowed;

	zs_vet_place(fields->confine.workspace, &vet_options);
	if (zs_own_rules_load(vet_options.workspace, fields->confine.no_settings, &rules, &vet_options, &error) < 0) {
		zs_own_rules_free(&rules);
		zs_vetter_free(vetter);
		return zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	}
	report = zs_vet(vetter, fields->command, strlen(fields->command), &vet_options);
	allowed = report->verdict == ZS_ALLOW;

	if (!allowed)
		print_block(report, fields->json);
	zs_vetter_free(vetter);
	zs_own_rules_free(&rules);
	return allowed ? ZS_EXIT_OK : ZS_EXIT_BLOCKED;
}

static int bash_run(const struct fields *fields, const struct zs_operands *operands)
{
	const char *const head[] = { ZS_BASH_WORDS, fields->command };
	const size_t head_count = sizeof head / sizeof *head;
	char **argv = calloc(head_count + (size_t)operands->count + 1, sizeof *argv);
	enum zs_profile profile = zs_profile_choice(fields->profile);
	struct zs_confine_fields confine = fields->confine;
	int r;

	if (!argv)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "bash", "", ENOMEM);
	memcpy(argv, head, sizeof head);
	memcpy(argv + head_count, operands->items, (size_t)operands->count * sizeof *argv);
	confine.denials_usual = true;
	confine.hides_secrets = profile != ZS_PROFILE_RELAXED;
	r = zs_confine(&confine, profile == ZS_PROFILE_VERIFY, fields->json, argv);
	free(argv);
	return r;
}

static int bash_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	int r;

	if (fields->confine.print_policy)
		return bash_run(fields, operands);
	if (!fields->command)
		return zs_fail(ZS_EXIT_USAGE, "bash: no command; write it as -c CMD");
	r = bash_vet(fields);
	return r == ZS_EXIT_OK ? bash_run(fields, operands) : r;
}

const struct zs_subcommand zs_bash_subcommand = {
	.name = "bash",
	.description = "Vet a bash text, then run it confined",
	.usage = "[OPTIONS] -c CMD [ARG0 [ARGS...]]",
	.groups = bash_groups,
	.operands_end_options = true,
	.notes = "A blocked text does not run: stderr says why and what to do instead, and\n"
		 "the exit code is 2. With --profile verify the workspace cannot be changed, as\n"
		 "with --verify, unless --policy says otherwise.",
	.fields_size = sizeof(struct fields),
	.main = bash_main,
};

/* zs shim */

struct shim_fields {
	const char *denials;
};

static const struct zs_option shim_options[] = {
	ZS_TEXT(0, "denials", "fd:N", offsetof(struct shim_fields, denials),
		"write what zs refuses to this descriptor, as\nzs run --denials does"),
	{ 0 },
};

static const struct zs_option_group shim_groups[] = { { "Options", shim_options, 0 }, { 0 } };

/* Starts the collector, which gets the policy that the shim reads. The command gets no channel: the shim keeps it. */
static int collect_denials(const char *to, char *const argv[])
{
	const char *json = getenv(ZS_SHIM_POLICY);
	struct zs_policy *policy;
	struct zs_error error;
	int channel, r;
	char number[16];

	if (strncmp(to, "fd:", 3) != 0)
		return zs_fail(ZS_EXIT_USAGE, "--denials: %s: is no fd:N", to);
	if (!json || zs_policy_from_json(json, strlen(json), NULL, &policy, &error) < 0)
		return ZS_EXIT_OK; /* the shim says it */
	r = zs_denied_start(&(struct zs_denied_options){ .to = to, .report = -1 }, policy, argv, &channel);
	zs_policy_free(policy);
	if (r != ZS_EXIT_OK)
		return r;
	snprintf(number, sizeof number, "%d", channel);
	return setenv(ZS_SHIM_DENIALS, number, 1) < 0 ? zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "shim", "", errno)
						      : ZS_EXIT_OK;
}

/* The subcommand plays the part of zs_wrap()'s argv[0], because many spawn calls cannot set argv[0]. */
static int shim_main(const void *storage, const struct zs_operands *operands)
{
	const struct shim_fields *fields = storage;
	char **argv = calloc((size_t)operands->count + 2, sizeof *argv);
	int r = ZS_EXIT_OK;

	if (!argv)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "shim", "", ENOMEM);
	if (fields->denials && operands->count)
		r = collect_denials(fields->denials, operands->items);
	if (r != ZS_EXIT_OK)
		return r;
	argv[0] = (char[]){ ZS_SHIM_ARGV0 };
	memcpy(argv + 1, operands->items, (size_t)operands->count * sizeof *argv);
	zs_exec_shim(operands->count + 1, argv); /* reports a missing command or policy, and never returns */
	abort();
}

const struct zs_subcommand zs_shim_subcommand = {
	.name = "shim",
	.description = "Run a command as ZS_SANDBOX_POLICY says; for programs",
	.usage = "[OPTIONS] [--] CMD [ARGS...]",
	.groups = shim_groups,
	.operands_end_options = true,
	.notes = "For programs that cannot link zs. The program asks once:\n"
		 "\n"
		 "  zs run [OPTIONS] --print-sandbox\n"
		 "\n"
		 "prints {\"protocol\":1,\"argv\":[\"shim\",\"--\"],\"env\":{\"ZS_SANDBOX_POLICY\":\"...\"}}\n"
		 "when this machine can keep to the policy. Then it starts zs with the words of\n"
		 "argv and those of the command, in the command's environment with the variables\n"
		 "of env; it leaves out of that whatever begins with ZS_SANDBOX_, LD_ or DYLD_.\n"
		 "The exit code is the command's own; 125 means that it did not run.",
	.fields_size = sizeof(struct shim_fields),
	.main = shim_main,
};
