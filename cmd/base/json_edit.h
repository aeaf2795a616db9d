/* Changes to a JSON file that people write too: all other bytes stay as they are. Pure.
 *
 * An addition can be taken out again so that the text is the old one: an item in a container that was empty follows the
 * bracket directly, and the container's blanks stay behind it; in a container that is made for an item a blank follows
 * the bracket. So the text itself says what was there before. */
#ifndef ZS_CMD_JSON_EDIT_H
#define ZS_CMD_JSON_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "base/json_text.h"

/* Reads it, with comments when those are allowed; yyjson_doc_free() *ret_doc. -EINVAL, with where and why it is no
 * JSON; -ENOMEM. */
int zs_json_read(const struct zs_json_source *source, bool comments, yyjson_doc **ret_doc, size_t *ret_at,
	const char **ret_problem);

/* With one more item, the container's last, by the layout of the others. value: JSON with a tab a level and no trailing
 * newline; name: of an object's member, else NULL. free() *ret_text. -ENOMEM, as all below. */
int zs_json_add(const struct zs_json_source *source, size_t open, const char *name, const char *value, char **ret_text);

/* With another value in place of that one. */
int zs_json_put(const struct zs_json_source *source, struct zs_json_span old, const char *value, char **ret_text);

/* Without that item. */
int zs_json_take_out(
	const struct zs_json_source *source, size_t open, const struct zs_json_item *item, char **ret_text);

/* Does the container hold nothing but one item, for which it was made? */
bool zs_json_was_made(const struct zs_json_source *source, size_t open);

#endif
