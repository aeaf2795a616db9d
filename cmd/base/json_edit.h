/* Changes a JSON file that people also edit: all other bytes stay as they are. Pure.
 *
 * Removing an addition restores the old text, because the text shows what was there before. An item that is added to an
 * empty container follows the bracket directly, and the container's blanks stay after it. In a container that was made
 * for the item, a blank follows the bracket. */
#ifndef ZS_CMD_JSON_EDIT_H
#define ZS_CMD_JSON_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "base/json_text.h"

/* Parses the source, in which comments are allowed if `comments` is true; yyjson_doc_free() *ret_doc. -EINVAL: it is
 * not JSON, *ret_at and *ret_problem say where and why. -ENOMEM. */
int zs_json_read(const struct zs_json_source *source, bool comments, yyjson_doc **ret_doc, size_t *ret_at,
	const char **ret_problem);

/* Adds an item as the container's last, in the layout of the others. value: JSON with one tab for each level and no
 * trailing newline. name: the member's name in an object, else NULL. free() *ret_text. Returns 0 or -ENOMEM, as the
 * next two do. */
int zs_json_add(const struct zs_json_source *source, size_t open, const char *name, const char *value, char **ret_text);

/* Replaces a value. */
int zs_json_put(const struct zs_json_source *source, struct zs_json_span old, const char *value, char **ret_text);

/* Removes an item. */
int zs_json_take_out(
	const struct zs_json_source *source, size_t open, const struct zs_json_item *item, char **ret_text);

/* Was the container made for the single item that it holds? */
bool zs_json_was_made(const struct zs_json_source *source, size_t open);

#endif
