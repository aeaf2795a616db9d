/* Text for people. Whatever came from outside is shown so that a terminal cannot obey it and a reader cannot
 * be misled by it. */
#ifndef ZS_CMD_MESSAGE_H
#define ZS_CMD_MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/exit.h" /* every file that fails by zs_fail() needs it */
#include "base/text.h"
#include "zs_sandbox.h"

/* One line, shown as zs_put_text() does. */
void zs_tell(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* On stderr, one line: "zs: …". */
void zs_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void zs_complain_error(const struct zs_error *error);
/* step as for a struct zs_error; cause: an errno, of either sign. */
void zs_complain_errno(const char *step, const char *object, int cause);

/* The same three, and return what the caller is to return: an exit code, or false. zs_fail_error() takes an exit code,
 * and gives ZS_EXIT_CANNOT_ENFORCE where no memory or descriptor is left, which is nobody's fault. */
int zs_fail(int result, const char *format, ...) __attribute__((format(printf, 2, 3)));
int zs_fail_errno(int result, const char *step, const char *object, int cause);
int zs_fail_error(int exit_code, const struct zs_error *error);

/* Prints text, with control and invisible characters and invalid UTF-8 as \xNN, \n or \uNNNN, and a tab as a
 * blank. Returns the columns that took. */
size_t zs_put_text(FILE *out, const char *text, size_t len);

/* The same for a text of many lines, which keep their newlines; the last one gets one. */
void zs_put_lines(FILE *out, const char *text, size_t len);

/* The same between quotes that the text cannot close, so that it can pass for nothing else. */
size_t zs_put_quoted(FILE *out, const char *text, size_t len);

/* A value of a column or a line: as it is where it can pass for nothing else, or else quoted. */
size_t zs_put_value(FILE *out, const char *text);

/* How many bytes of text zs_put_text() shows in so many columns. */
size_t zs_fit_text(const char *text, size_t len, size_t columns);

/* Is it a terminal that shows colours, and does its user want them? */
bool zs_wants_colour(FILE *out);

#endif
