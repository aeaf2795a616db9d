#include "command.h"
#include "confine.h"
#include "exit.h"
#include "message.h"

static const struct zs_option_group groups[] = {
	{ "Options", zs_confine_options, 0 },
	{ 0 },
};

static int run_main(const void *storage, const struct zs_operands *operands)
{
	const struct zs_confine_fields *fields = storage;

	if (operands->count == 0 && !fields->print_policy) {
		zs_complain("run: no command; write it after the options: zs run [OPTIONS] -- CMD");
		return ZS_EXIT_USAGE;
	}
	return zs_confine(fields, false, operands->items);
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
	.fields_size = sizeof(struct zs_confine_fields),
	.main = run_main,
};
