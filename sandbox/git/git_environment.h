/* Variables of the environment that name files which git runs or reads: man 1 git, "ENVIRONMENT VARIABLES"; for
 * GIT_CONFIG_PARAMETERS, git's source. */
#ifndef ZS_SANDBOX_GIT_ENVIRONMENT_H
#define ZS_SANDBOX_GIT_ENVIRONMENT_H

#include <stdbool.h>

#include "base/error.h"
#include "git/git_config.h"
#include "git/git_orders.h"

/* assignment: NAME=value */
bool zs_git_names_env(const char *assignment);

/* Adds the orders of the variables in places->env. */
int zs_git_orders_add_env(struct zs_git_orders *orders, struct zs_error *error);

#endif
