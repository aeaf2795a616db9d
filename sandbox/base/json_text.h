/* Finds the parts of a JSON text by their offsets, so that a change leaves all other bytes as they were written. A
 * reader of JSON must have found the text valid before. Pure. */
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

/* Finds the outermost value. */
struct zs_json_span zs_json_root(const struct zs_json_source *source);

/* Finds the next item of the container that opens at `open`; *at starts as 0. False: there is none. */
bool zs_json_next(const struct zs_json_source *source, size_t open, size_t *at, struct zs_json_item *ret_item);

/* Has the item this name? A name is compared as it is written. */
bool zs_json_is_named(const struct zs_json_source *source, const struct zs_json_item *item, const char *name);

/* Counts the members that have this name. *ret_item is the first. */
size_t zs_json_find(const struct zs_json_source *source, size_t open, const char *name, struct zs_json_item *ret_item);

/* Each returns the offset after what begins at `at`: after blanks and comments, after blanks alone, after the comment,
 * the string or the value. It is `at` if there is none. The newline after a comment is not part of it. */
size_t zs_json_skip(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_blanks(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_comment(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_string(const struct zs_json_source *source, size_t at);
size_t zs_json_skip_value(const struct zs_json_source *source, size_t at);

/* The length of the byte order mark, which some editors write and most agents ignore. */
size_t zs_json_mark(const struct zs_json_source *source);

/* Adds `value`, a JSON text, to the array at keys[0], keys[1], … (up to a NULL). With append false, it replaces the
 * value there instead. Objects and the array are made where they are missing or null. text must be valid JSON. free()
 * *ret_text. -EINVAL: a value of another type is in the way; -ENOMEM. */
int zs_json_insert(
	const char *text, size_t len, const char *const *keys, const char *value, bool append, char **ret_text);

/* Is there a value at these keys, even null? */
bool zs_json_has(const char *text, size_t len, const char *const *keys);

#endif
