/* zs box put and get. words: the box's ID, and the two files. json: the result is a line of JSON on standard output.
 * Both return an exit code. */
#ifndef ZS_CMD_BOX_COPY_H
#define ZS_CMD_BOX_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sha256.h"
#include "zs_sandbox.h"

/* mode: octal; NULL: that of the file, or 644. */
int zs_box_copy_in(char *const words[], const char *mode, const char *user, bool json);
/* most: the bytes that a file may have. */
int zs_box_copy_out(char *const words[], uint64_t most, const char *user, bool json);

/* The digest of the policy's JSON; "": it is not known. */
void zs_box_digest(const struct zs_policy *policy, char ret_hex[ZS_SHA256_HEX + 1]);

#endif
