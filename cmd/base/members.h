/* The members of a JSON object that somebody sent: each at most once, since of two commands nobody could say which one
 * was meant. */
#ifndef ZS_CMD_MEMBERS_H
#define ZS_CMD_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

struct zs_member {
	const char *key;
	yyjson_val **value; /* NULL until it has been found */
};

/* Other members are passed over. NULL, or the key that is there twice. A value that is no object gives nothing. */
const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count);

/* The first member of another name; NULL: there is none. */
yyjson_val *zs_members_stranger(yyjson_val *object, const struct zs_member *members, size_t count);

#endif
