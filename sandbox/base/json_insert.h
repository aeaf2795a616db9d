/* Adding to a JSON text without printing it anew: what somebody has written keeps its order and its layout. Pure. */
#ifndef ZS_SANDBOX_JSON_INSERT_H
#define ZS_SANDBOX_JSON_INSERT_H

#include <stdbool.h>
#include <stddef.h>

/* Adds `value`, a JSON text, to the array that is found at keys[0], keys[1], … (up to a NULL), or with append false
 * puts it there instead of what there is. Objects and the array are made where they are missing, or null. text must be
 * valid JSON. free() *ret_text. -EINVAL when something else stands on the way; -ENOMEM. */
int zs_json_insert(
	const char *text, size_t len, const char *const *keys, const char *value, bool append, char **ret_text);

/* Is there something at these keys, be it null? */
bool zs_json_has(const char *text, size_t len, const char *const *keys);

#endif
