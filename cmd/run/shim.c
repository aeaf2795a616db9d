#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/exit.h"
#include "base/message.h"
#include "zs_shim.h"

struct fields {
	char none; /* there are no options */
};

static const struct zs_option_group groups[] = {
	{ 0 },
};

/* zs_wrap() uses argv[0] for this; a word stands here, since many a spawn call takes no argv[0]. */
static int shim_main(const void *storage, const struct zs_operands *operands)
{
	char **argv = calloc((size_t)operands->count + 2, sizeof *argv);

	(void)storage;
	if (!argv) {
		zs_complain_errno("shim", "", ENOMEM);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	argv[0] = (char[]){ ZS_SHIM_ARGV0 };
	memcpy(argv + 1, operands->items, (size_t)operands->count * sizeof *argv);
	zs_exec_shim(operands->count + 1, argv); /* which says what is missing, and never returns */
	abort();
}

const struct zs_subcommand zs_shim_subcommand = {
	.name = "shim",
	.description = "Run a command as ZS_SANDBOX_POLICY says; for programs",
	.usage = "[--] CMD [ARGS...]",
	.groups = groups,
	.operands_end_options = true,
	.notes = "How a program that cannot link zs starts confined commands. It asks once:\n"
		 "\n"
		 "  zs run [OPTIONS] --print-sandbox\n"
		 "\n"
		 "prints {\"protocol\":1,\"argv\":[\"shim\",\"--\"],\"env\":{\"ZS_SANDBOX_POLICY\":\"...\"}}\n"
		 "when this machine can keep to the policy. Then it starts zs with the words of\n"
		 "argv and those of the command, in the command's environment with the variables\n"
		 "of env; it leaves out of that whatever begins with ZS_SANDBOX_, LD_ or DYLD_.\n"
		 "The exit code is the command's own; 125 means that it did not run.",
	.fields_size = sizeof(struct fields),
	.main = shim_main,
};
