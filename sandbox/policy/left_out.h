/* The configuration of package tools that a command does not see. */
#ifndef ZS_SANDBOX_LEFT_OUT_H
#define ZS_SANDBOX_LEFT_OUT_H

#include "policy/policy.h"

/* Notes in `resolved`, the resolved form of `policy`, the files and variables that are left out of this command's run.
 * Only those count whose tool the command names. Out of memory: nothing is noted. */
void zs_policy_find_left_out(
	const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_policy *resolved);

/* Prints a line that names them, if the command has run and failed. code: its exit code. */
void zs_policy_tell_left_out(const struct zs_policy *resolved, int code);

#endif
