/* The text of --help of every subcommand, for programs: man pages and completions are made of it (cmd/package/). */
#ifndef ZS_CMD_MANUAL_H
#define ZS_CMD_MANUAL_H

#include <stddef.h>
#include <stdio.h>

#include "base/command.h"

/* One line of JSON. */
void zs_manual_json(FILE *out, const struct zs_subcommand *const *subcommands, size_t count);

#endif
