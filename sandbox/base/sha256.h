/* SHA-256 of a text in memory (FIPS 180-4), by which zs recognizes a file. Pure. */
#ifndef ZS_SANDBOX_SHA256_H
#define ZS_SANDBOX_SHA256_H

#include <stddef.h>

enum { ZS_SHA256_HEX = 64 };

/* Writes lower-case hexadecimal digits and a NUL. */
void zs_sha256(const void *data, size_t len, char ret_hex[ZS_SHA256_HEX + 1]);

#endif
