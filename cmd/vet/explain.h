/* A verdict for people who want to know where it came from. */
#ifndef ZS_CMD_EXPLAIN_H
#define ZS_CMD_EXPLAIN_H

#include "zs_shellpolicy.h"

#include <stdio.h>

/* The verdict, the text with carets under what decided, everything that was noticed and read in it, and the row of the
 * command that decided. `text` is what was vetted. */
void zs_explain(FILE *out, const struct zs_report *report, const char *text, size_t len);

#endif
