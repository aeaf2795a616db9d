/* Files and paths as they are named on the command line. */
#ifndef ZS_CMD_INPUT_H
#define ZS_CMD_INPUT_H

#include <stddef.h>

/* Reads a file, or standard input for "-". Stops one byte above max: then *ret_len > max. free() *ret_text.
 * A negative errno. */
int zs_read_input(const char *path, size_t max, char **ret_text, size_t *ret_len);

/* path from the working directory, links unresolved; one that starts with "/" or "~" is what it says. free()
 * *ret_absolute. -EINVAL when it is empty: an unset variable must not become the working directory. */
int zs_absolute_path(const char *path, char **ret_absolute);

#endif
