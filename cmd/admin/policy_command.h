/* The actions of zs policy. Each returns an exit code; stderr was told what is wrong. */
#ifndef ZS_CMD_POLICY_COMMAND_H
#define ZS_CMD_POLICY_COMMAND_H

#include "run/confine_policy.h"

int zs_policy_show(const struct zs_confine_fields *fields, bool json);
int zs_policy_check(char *const files[]);
int zs_policy_diff(const char *from, const char *to, bool json);

#endif
