/* Limits in the form of the command line: wall=30s, memory=512M, processes=100. */
#ifndef ZS_CMD_LIMIT_VALUE_H
#define ZS_CMD_LIMIT_VALUE_H

#include "base/command.h"
#include "zs_sandbox.h"

/* Sets each NAME=VALUE of the list; a name may occur once. Returns an exit code; errors are on stderr. */
int zs_set_limits(const struct zs_option_list *list, struct zs_policy *policy);

/* Parses a time, as limits have it: 30s, 2m, 1h, or seconds. 0 is refused. */
bool zs_parse_seconds(const char *text, uint64_t *ret_seconds);

/* Parses a size, as limits have it: 64K, 1M, or bytes. */
bool zs_parse_bytes(const char *text, uint64_t *ret_bytes);

#endif
