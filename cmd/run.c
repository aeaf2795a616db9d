#include "command.h"
#include "confine.h"
#include "exit.h"
#include "message.h"

struct fields {
	bool json;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	{ ZS_OPTION_FLAG, 'j', "json", NULL, offsetof(struct fields, json), "print --diff as lines of JSON", NULL },
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "What the command may reach", zs_confine_options, offsetof(struct fields, confine) },
	{ ZS_TRIAL_TITLE, zs_trial_options, offsetof(struct fields, confine) },
	{ 0 },
};

static int run_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;

	if (operands->count == 0 && !fields->confine.print_policy) {
		zs_complain("run: no command; write it after the options: zs run [OPTIONS] -- CMD");
		return ZS_EXIT_USAGE;
	}
	return zs_confine(&fields->confine, false, fields->json, operands->items);
}

const struct zs_subcommand zs_run_subcommand = {
	.name = "run",
	.description = "Run a command that reaches only what a policy grants",
	.usage = "[OPTIONS] [--] CMD [ARGS...]",
	.groups = groups,
	.operands_end_options = true,
	.notes = "Without --policy a command can run the system's programs, write the workspace,\n"
		 "temporary folders and toolchain caches, and reach no network; --print-policy\n"
		 "shows all of it. The exit code is the command's own; 125 means that it did not\n"
		 "run, because the policy cannot be enforced.",
	.fields_size = sizeof(struct fields),
	.main = run_main,
};
