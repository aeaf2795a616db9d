/* Finds text that looks like a secret in a shell's start file. Pure. */
#ifndef ZS_SANDBOX_SECRETS_H
#define ZS_SANDBOX_SECRETS_H

#include <stddef.h>

/* name: a variable with a secret's name, to which the text assigns a value that is no expansion, path or plain word;
 * not NUL-terminated. */
typedef void zs_each_assignment(unsigned line, const char *name, size_t len, void *arg);
void zs_find_secrets(const char *text, size_t len, zs_each_assignment *each, void *arg);

#endif
