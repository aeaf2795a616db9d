/* JSON. It is written to a stream as one line, and is valid UTF-8 whatever the strings hold.
 *
 *	zs_json_print_line(stdout, "{'verdict':%s,'risks':['cd'],'line':%u}", NULL, 7);
 *
 * prints {"verdict":null,"risks":["cd"],"line":7}. The stream records a failed write: ferror(3).
 */
#ifndef ZS_CMD_JSON_H
#define ZS_CMD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yyjson.h>

struct zs_json {
	FILE *out;  /* NULL if the stream could not be made: then nothing is written */
	bool comma; /* something precedes the next value */
};

/* Writes a template of JSON, in which single quotes stand around strings. %s is a string (NULL: null), %.*s a string by
 * its length, %d, %u, %zu and %lld are numbers, and %i is true or false. A call may write a part of a value; commas
 * between two calls are added.
 */
void zs_json_print(struct zs_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, as a whole line. */
void zs_json_print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void zs_json_text(struct zs_json *json, const char *text); /* NULL is null */
/* Writes a string. A byte that is not UTF-8 becomes U+FFFD. */
void zs_json_bytes(struct zs_json *json, const char *text, size_t len);
void zs_json_raw(struct zs_json *json, const char *text); /* JSON already: a number, "true", "null" */
/* The items of "a|b|c", as an array. NULL has none. */
void zs_json_split(struct zs_json *json, const char *list);

/* Reading: the members of an object that was received. A member that occurs twice is an error, since it is unknown
 * which one was meant. */
struct zs_member {
	const char *key;
	yyjson_val **value; /* NULL until it has been found */
};

/* Finds the members, and skips all others. Returns NULL, or the key that occurs twice. A value that is not an object
 * has no members. */
const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count);

#endif
