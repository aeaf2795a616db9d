/* Paths as text (path.c, pure) and as trees on this machine (path_tree.c). */
#ifndef ZS_SANDBOX_PATH_H
#define ZS_SANDBOX_PATH_H

#include <stdbool.h>

#include "zs_sandbox.h"

/* The value of name in envp, or NULL. */
const char *zs_env_value(char *const envp[], const char *name);

bool zs_utf8_valid(const char *text);

/* Makes an absolute path of "/…", "~" or "~/…": no doubled or trailing slash, no ".". On failure returns -errno and
 * says what is wrong in *ret_problem, a static string. free() *ret_path. */
int zs_path_normalize(const char *path, const char *home, char **ret_path, const char **ret_problem);

/* base/name; free() it. NULL when out of memory. */
char *zs_path_join(const char *base, const char *name);

/* Does the tree at `tree` hold `path`, or is it the same? Compares device and inode along the ancestors of where
 * path really is, so neither symbolic links nor bind mounts hide it. What does not exist covers nothing. */
bool zs_tree_covers(const char *tree, const char *path);

#endif
