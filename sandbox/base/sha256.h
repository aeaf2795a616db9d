/* SHA-256 of a text in memory (FIPS 180-4): by it a file is known again. Pure. */
#ifndef ZS_SANDBOX_SHA256_H
#define ZS_SANDBOX_SHA256_H

#include <stddef.h>

enum { ZS_SHA256_HEX = 64 };

/* In lower-case hexadecimal digits, with a NUL. */
void zs_sha256(const void *data, size_t len, char ret_hex[ZS_SHA256_HEX + 1]);

#endif
