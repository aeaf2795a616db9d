/* The table of commands, for people and for programs. */
#ifndef ZS_CMD_ROWS_LIST_H
#define ZS_CMD_ROWS_LIST_H

#include <stdbool.h>
#include <stdio.h>

struct zs_row;

/* Prints a row as one line: names, flags with their meanings, operands, and the rest. */
void zs_row_line(FILE *out, const struct zs_row *row);

/* Prints the rows of these commands and their subcommands, in the order of the table; all rows if no name is given.
 * Returns an exit code. */
int zs_rows(char *const *names, int count, bool json);

/* Prints every word that a row may use, with its meaning. */
void zs_terms(bool json);

#endif
