/* Text for people. Text from outside is shown so that it can neither control the terminal nor mislead the reader. */
#ifndef ZS_CMD_MESSAGE_H
#define ZS_CMD_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/exit.h" /* for callers of zs_fail() */
#include "base/text.h"
#include "zs_sandbox.h"

/* Prints one line, shown as by zs_put_text(). */
void zs_tell(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints one line on stderr: "zs: …". */
void zs_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void zs_complain_error(const struct zs_error *error);
/* step: as in struct zs_error. cause: an errno of either sign. */
void zs_complain_errno(const char *step, const char *object, int cause);

/* Print the same, and return `result` for the caller to return: an exit code, or false. zs_fail_error() returns
 * ZS_EXIT_CANNOT_ENFORCE instead when memory or descriptors have run out, since then the input is not at fault. */
int zs_fail(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));
int zs_fail_errno(int result, const char *step, const char *object, int cause);
int zs_fail_error(int exit_code, const struct zs_error *error);

/* Prints text. Control characters, invisible characters and invalid UTF-8 are shown as \xNN, \n or \uNNNN, a tab as a
 * blank. Returns the number of columns. */
size_t zs_put_text(FILE *out, const char *text, size_t len);

/* The same for a text of several lines, which keep their newlines. A last line without a newline gets one. */
void zs_put_lines(FILE *out, const char *text, size_t len);

/* The same between quotes that the text cannot close, so that the text cannot pass for anything else. */
size_t zs_put_quoted(FILE *out, const char *text, size_t len);

/* Prints a value of a column or a line, in quotes if it could pass for something else. */
size_t zs_put_value(FILE *out, const char *text);

/* Prints the last column of a line: how many processes a session or a box has (struct zs_box_shown). */
void zs_print_processes(int count);

/* Returns how many bytes of text zs_put_text() can show in that many columns. */
size_t zs_fit_text(const char *text, size_t len, size_t columns);

/* Is it a terminal that shows colours, and does its user want them? */
bool zs_wants_colour(FILE *out);

#endif
