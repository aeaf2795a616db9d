/* Text from outside, on its way to a terminal or a log. */
#ifndef ZS_SANDBOX_TEXT_H
#define ZS_SANDBOX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the UTF-8 sequence that text starts with, and its code point; 0 when it is not valid (RFC 3629). */
size_t zs_utf8_decode(const char *text, size_t len, uint32_t *ret_point);

/* Is it a control, a blank other than the usual one, or a character that changes the order or the presence of others?
 */
bool zs_is_unseen(uint32_t point);

/* The one of names that `word` is most likely a slip of; NULL when none is near. */
const char *zs_nearest(const char *word, const char *const *names, size_t count);

#endif
