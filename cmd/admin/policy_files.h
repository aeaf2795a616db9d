/* zs policy check and zs policy diff. Each returns an exit code; stderr was told what is wrong. */
#ifndef ZS_CMD_POLICY_FILES_H
#define ZS_CMD_POLICY_FILES_H

#include <stdbool.h>

/* Prints every error of each file. */
int zs_policy_check(char *const files[]);
/* By files, "preset", "verify" or folders. */
int zs_policy_diff(const char *from, const char *to, bool json);

#endif
