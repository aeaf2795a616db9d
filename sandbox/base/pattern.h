/* Patterns, which stand for files of a workspace. */
#ifndef ZS_SANDBOX_BASE_PATTERN_H
#define ZS_SANDBOX_BASE_PATTERN_H

#include <stdbool.h>

/* Is the text a pattern or ZS_SECRETS, and not a path? */
bool zs_is_pattern(const char *text);

/* The name of the files that usually hold secrets: zs_secret_files. */
#define ZS_SECRETS "@secrets"
bool zs_is_secrets(const char *text);

/* Does a pattern match a path? The path is relative to the workspace. '*' stands for any part of a name, "**" as a
 * whole name for any number of folders. A pattern without a slash matches that name in every folder. ASCII letters
 * match in either case, since some file systems ignore the case. Pure. */
bool zs_pattern_matches(const char *pattern, const char *path);

#endif
