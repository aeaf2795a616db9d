/* Writes JSON to a stream as it goes: one line, always valid UTF-8, whatever the strings hold.
 *
 *	struct zs_json json = { stdout, false };
 *	zs_json_open(&json, '{');
 *	zs_json_key(&json, "risks"), zs_json_open(&json, '['), zs_json_close(&json, ']');
 *	zs_json_close(&json, '}');
 *
 * Failing to write is the stream's to remember: ferror(3).
 */
#ifndef ZS_CMD_JSON_H
#define ZS_CMD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct zs_json {
	FILE *out;
	bool comma; /* something precedes the next value */
};

void zs_json_open(struct zs_json *json, char bracket);
void zs_json_close(struct zs_json *json, char bracket);
void zs_json_key(struct zs_json *json, const char *key);
void zs_json_text(struct zs_json *json, const char *text); /* NULL is null */
/* A byte of text that is not UTF-8 becomes U+FFFD. */
void zs_json_bytes(struct zs_json *json, const char *text, size_t len);
void zs_json_raw(struct zs_json *json, const char *text); /* JSON already: a number, "true", "null" */
void zs_json_number(struct zs_json *json, uint32_t number);
void zs_json_bool(struct zs_json *json, bool value);

#endif
