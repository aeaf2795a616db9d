/* JSON. Writing goes to a stream: one line, always valid UTF-8, whatever the strings hold.
 *
 *	zs_json_print_line(stdout, "{'verdict':%s,'risks':['cd'],'line':%u}", NULL, 7);
 *
 * prints {"verdict":null,"risks":["cd"],"line":7}. Failing to write is the stream's to remember: ferror(3).
 */
#ifndef ZS_CMD_JSON_H
#define ZS_CMD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <yyjson.h>

struct zs_json {
	FILE *out;  /* NULL, as of a stream that could not be made: nothing is written */
	bool comma; /* something precedes the next value */
};

/* A template of JSON, with strings in single quotes. %s is a string (NULL: null), %.*s one by its bytes, %d, %u, %zu
 * and %lld are numbers, and %i is true or false. A call may write a part: commas between two calls come by themselves.
 */
void zs_json_print(struct zs_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* On a line of its own. */
void zs_json_print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void zs_json_text(struct zs_json *json, const char *text); /* NULL is null */
/* A byte of text that is not UTF-8 becomes U+FFFD. */
void zs_json_bytes(struct zs_json *json, const char *text, size_t len);
void zs_json_raw(struct zs_json *json, const char *text); /* JSON already: a number, "true", "null" */
/* The items of "a|b|c", as an array. NULL has none. */
void zs_json_split(struct zs_json *json, const char *list);

/* Reading: the members of an object that somebody sent, each at most once, since of two commands nobody could say which
 * one was meant. */
struct zs_member {
	const char *key;
	yyjson_val **value; /* NULL until it has been found */
};

/* Other members are passed over. NULL, or the key that is there twice. A value that is no object gives nothing. */
const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count);

#endif
