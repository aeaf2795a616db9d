/* Programs that zs itself starts, confined, to work on files that it does not trust. */
#ifndef ZS_SHIM_CONFINED_H
#define ZS_SHIM_CONFINED_H

#include <sys/types.h>

#include "zs_sandbox.h"

/* A program can read nothing but itself, its standard input, /dev/null, /dev/urandom and these folders. NULL: none. */
struct zs_confined {
	const char *step; /* the error's */
	const char *reads;
	const char *writes;
};

/* Starts a program, whose path is absolute, without variables. */
int zs_confined_start(char *const argv[], const struct zs_confined *confined, int in, int out, pid_t *ret_pid,
	struct zs_error *error);

/* Waits for it. -ECANCELED: it has failed. -EOPNOTSUPP: it could not be confined. Either has been said on standard
 * error. */
int zs_confined_wait(pid_t pid);

#endif
