/* Text from outside, before it is shown on a terminal or in a log. */
#ifndef ZS_SANDBOX_TEXT_H
#define ZS_SANDBOX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the UTF-8 sequence at the start of text: returns its length, or 0 when it is not valid (RFC 3629). */
size_t zs_utf8_decode(const char *text, size_t len, uint32_t *ret_point);

/* Is it a control character, a blank other than the usual one, or a character that reorders or hides others? */
bool zs_is_unseen(uint32_t point);

/* Returns the name that `word` is most likely a misspelling of; NULL when none is near. */
const char *zs_nearest(const char *word, const char *const *names, size_t count);

#endif
