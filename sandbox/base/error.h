/* Fills in a struct zs_error, so that failing is one statement: return zs_error_errno(error, …). */
#ifndef ZS_SANDBOX_ERROR_H
#define ZS_SANDBOX_ERROR_H

#include "zs_sandbox.h"

/* Both return -cause, and do nothing else when error is NULL. step is kept, so it must be static. */
int zs_error_errno(struct zs_error *error, const char *step, const char *object, int cause);
int zs_error_say(struct zs_error *error, const char *step, const char *object, int cause, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Adds the hint and returns result, for the end of a return statement. */
int zs_error_hint(struct zs_error *error, int result, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes the error's line to a descriptor. These two functions do not call malloc(), and do not report a failed
 * write. */
void zs_error_write(int fd, const struct zs_error *error);

/* The same, for a process that is about to exit: a failed write raises no signal, so the exit status stays. */
void zs_error_write_last(int fd, const struct zs_error *error);
/* Writes a line to standard error: "zs: …". */
void zs_notice(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
