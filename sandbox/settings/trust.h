/* Which projects' settings the user has trusted: {"version": 1, "trusted": {"/work/space": "SHA-256"}} in a private
 * file. */
#ifndef ZS_SANDBOX_TRUST_H
#define ZS_SANDBOX_TRUST_H

#include "zs_settings.h"

/* Is it these bytes that the workspace is trusted with? Negative: the file cannot be used, and nothing is trusted. */
int zs_trust_holds(const char *root, const char *sha256, char *const envp[], bool *ret_trusted, struct zs_error *error);

int zs_trust_add(const char *root, const char *sha256, char *const envp[], struct zs_error *error);

#endif
