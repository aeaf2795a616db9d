/* A JSON text by the places of its parts, so that a change leaves all others as somebody has written them, byte for
 * byte. A reader of JSON has found the text valid before. Pure. */
#ifndef ZS_SANDBOX_JSON_TEXT_H
#define ZS_SANDBOX_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct zs_json_source {
	const char *text; /* need not end with a NUL; valid JSON, or JSON with comments */
	size_t len;
};

/* From the first byte to the one after the last. */
struct zs_json_span {
	size_t begin, end;
};

struct zs_json_item {
	struct zs_json_span name; /* with its quotes; empty in an array */
	struct zs_json_span value;
};

/* The outermost value. */
struct zs_json_span zs_json_root(const struct zs_json_source *source);

/* The next item of the container that opens at `open`; *at starts as 0. False: there is none. */
bool zs_json_next(const struct zs_json_source *source, size_t open, size_t *at, struct zs_json_item *ret_item);

/* Has the item this name? A name is compared as it is written. */
bool zs_json_is_named(const struct zs_json_source *source, const struct zs_json_item *item, const char *name);

/* How many members have that name; the first is *ret_item. */
size_t zs_json_find(const struct zs_json_source *source, size_t open, const char *name, struct zs_json_item *ret_item);

/* The byte after blanks and comments, after blanks alone, after the comment, string or value that begins at `at`; `at`
 * where there is none. The newline behind a comment is no part of it. */
size_t zs_json_skip(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_blanks(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_comment(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_string(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_value(const struct zs_json_source *source, size_t at);

/* The bytes of a byte order mark, which some editors write, and most agents pass over. */
size_t zs_json_mark(const struct zs_json_source *source);

/* Adds `value`, a JSON text, to the array that is found at keys[0], keys[1], … (up to a NULL), or with append false
 * puts it there instead of what there is. Objects and the array are made where they are missing, or null. text must be
 * valid JSON. free() *ret_text. -EINVAL when something else stands on the way; -ENOMEM. */
int zs_json_insert(
	const char *text, size_t len, const char *const *keys, const char *value, bool append, char **ret_text);

/* Is there something at these keys, be it null? */
bool zs_json_has(const char *text, size_t len, const char *const *keys);

#endif
