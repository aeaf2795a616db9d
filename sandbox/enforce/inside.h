/* Programs that cannot do their work inside zs. */
#ifndef ZS_SANDBOX_INSIDE_H
#define ZS_SANDBOX_INSIDE_H

#include "policy/policy.h"

/* Prints a line if the command has failed and runs a program of the table, or if its own program was not granted.
 * code: the command's exit code. */
void zs_tell_inside(const struct zs_policy *resolved, char *const argv[], int code);

#endif
