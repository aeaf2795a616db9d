/* JSON. Writing goes to a stream: one line, always valid UTF-8, whatever the strings hold.
 *
 *	struct zs_json json = zs_json_begin_line(stdout);
 *	zs_json_key(&json, "risks"), zs_json_open(&json, '['), zs_json_close(&json, ']');
 *	zs_json_end_line(&json);
 *
 * Failing to write is the stream's to remember: ferror(3).
 */
#ifndef ZS_CMD_JSON_H
#define ZS_CMD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <yyjson.h>

struct zs_json {
	FILE *out;
	bool comma; /* something precedes the next value */
};

/* An object on a line of its own: its members are written between the two. */
struct zs_json zs_json_begin_line(FILE *out);
void zs_json_end_line(struct zs_json *json);

void zs_json_open(struct zs_json *json, char bracket);
void zs_json_close(struct zs_json *json, char bracket);
void zs_json_key(struct zs_json *json, const char *key);
void zs_json_text(struct zs_json *json, const char *text); /* NULL is null */
/* A byte of text that is not UTF-8 becomes U+FFFD. */
void zs_json_bytes(struct zs_json *json, const char *text, size_t len);
void zs_json_raw(struct zs_json *json, const char *text); /* JSON already: a number, "true", "null" */
void zs_json_number(struct zs_json *json, int64_t number);
void zs_json_bool(struct zs_json *json, bool value);

/* Reading: the members of an object that somebody sent, each at most once, since of two commands nobody could say which
 * one was meant. */
struct zs_member {
	const char *key;
	yyjson_val **value; /* NULL until it has been found */
};

/* Other members are passed over. NULL, or the key that is there twice. A value that is no object gives nothing. */
const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count);

/* The first member of another name; NULL: there is none. */
yyjson_val *zs_members_stranger(yyjson_val *object, const struct zs_member *members, size_t count);

#endif
