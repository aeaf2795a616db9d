/* The trusted settings of projects: {"version": 1, "trusted": {"/work/space": "SHA-256"}} in a private file. */
#ifndef ZS_SANDBOX_TRUST_H
#define ZS_SANDBOX_TRUST_H

#include "zs_settings.h"

/* Is the workspace trusted with these bytes? Negative: the file cannot be used, and nothing is trusted. */
int zs_trust_holds(const char *root, const char *sha256, char *const envp[], bool *ret_trusted, struct zs_error *error);

int zs_trust_add(const char *root, const char *sha256, char *const envp[], struct zs_error *error);

#endif
