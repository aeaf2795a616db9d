/* A subcommand of zs: one of these a file, all of them in main.c's table. */
#ifndef ZS_CMD_COMMAND_H
#define ZS_CMD_COMMAND_H

#include "base/command_options.h"

struct zs_subcommand {
	const char *name;
	const char *description;              /* one line */
	const char *usage;                    /* what follows "zs NAME "; a line each */
	const struct zs_option_group *groups; /* up to a zeroed one */
	const char *words;                    /* "a|b": what the first operand may be; NULL: anything */
	bool operands_end_options;            /* the first operand and all after it belong to a command to run */
	const char *notes;                    /* closes the help; NULL: nothing to add */
	size_t fields_size;                   /* of what the options are read into */
	/* Returns an exit code; when it is not 0, stderr was told why. */
	int (*main)(const void *fields, const struct zs_operands *operands);
	/* NULL, or what comes before the options are read. */
	void (*guard)(int argc, char **argv);
};

extern const struct zs_subcommand zs_vet_subcommand;
extern const struct zs_subcommand zs_run_subcommand;
extern const struct zs_subcommand zs_shim_subcommand;
extern const struct zs_subcommand zs_bash_subcommand;
extern const struct zs_subcommand zs_hook_subcommand;
extern const struct zs_subcommand zs_mcp_subcommand;
extern const struct zs_subcommand zs_doctor_subcommand;
extern const struct zs_subcommand zs_approvals_subcommand;
extern const struct zs_subcommand zs_trust_subcommand;
extern const struct zs_subcommand zs_policy_subcommand;
extern const struct zs_subcommand zs_install_subcommand;
extern const struct zs_subcommand zs_uninstall_subcommand;

#endif
