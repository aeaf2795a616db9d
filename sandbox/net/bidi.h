/* Names that are written from right to left, at least in part: RFC 5893, and stricter than that. Pure. */
#ifndef ZS_SANDBOX_NET_BIDI_H
#define ZS_SANDBOX_NET_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Has this label any character of a script that is? */
bool zs_bidi_is_right_to_left(const uint32_t *points, size_t count);

/* Such a label must start with a letter of such a script, end with one or with a digit, each with the marks behind it,
 * and have beside these only hyphens and digits, which are not both European and Arabic ones (section 2, rules 1 to 4).
 */
bool zs_bidi_allows(const uint32_t *points, size_t count);

#endif
