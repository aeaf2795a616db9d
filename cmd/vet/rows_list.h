/* The table of commands, for people and for programs. */
#ifndef ZS_CMD_ROWS_LIST_H
#define ZS_CMD_ROWS_LIST_H

#include <stdbool.h>
#include <stdio.h>

struct zs_row;

/* A row as one line: names, flags with what they mean, operands, and what else there is to say. */
void zs_row_line(FILE *out, const struct zs_row *row);

/* The rows of these commands and of their subcommands, in the table's order; of all when there are none. Returns an
 * exit code. */
int zs_rows(char *const *names, int count, bool json);

/* Every word that a row may use, and its meaning. */
void zs_terms(bool json);

#endif
