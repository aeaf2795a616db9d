/* The options that say what a command may reach, and running it so: what run and bash share. */
#ifndef ZS_CMD_CONFINE_H
#define ZS_CMD_CONFINE_H

#include "options.h"
#include "zs_sandbox.h"

struct zs_confine_fields {
	const char *workspace, *policy, *network, *tmp, *git;
	struct zs_option_list read, write, exec, protect, hide, sockets, pass, set, limits, without;
	bool print_policy;
};

/* Offsets are those of struct zs_confine_fields. */
extern const struct zs_option zs_confine_options[];

/* Becomes the command, confined: returns only when that failed, or --print-policy asked for the policy
 * alone. Returns an exit code; stderr was told what is wrong. verify: the workspace is immutable. */
int zs_confine(const struct zs_confine_fields *fields, bool verify, char *const argv[]);

#endif
