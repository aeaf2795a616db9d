/* Names of environment variables, and patterns of them: a '*' at the end stands for the rest of the name. Pure. */
#ifndef ZS_SANDBOX_VARIABLE_NAMES_H
#define ZS_SANDBOX_VARIABLE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

bool zs_env_is_prefix(const char *pattern);
/* len: the length of the name. */
bool zs_env_matches(const char *pattern, const char *name, size_t len);

/* Does this variable make a loader, a shell or an interpreter run code that it was not asked to run? len: the length of
 * the name. */
bool zs_env_is_loader(const char *name, size_t len);

/* Does the name look like a secret's: TOKEN, GITHUB_TOKEN, aws_secret_access_key? len: the length of the name. */
bool zs_env_is_secret(const char *name, size_t len);

#endif
