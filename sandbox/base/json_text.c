#include "base/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static bool is_json_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t zs_json_mark(const struct zs_json_source *source)
{
	return source->len >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

size_t zs_json_skip_comment(const struct zs_json_source *source, size_t at)
{
	const char *text = source->text;

	if (at + 1 >= source->len || text[at] != '/')
		return at;
	if (text[at + 1] == '*') {
		for (at += 2; at + 1 < source->len && (text[at] != '*' || text[at + 1] != '/'); at++)
			;
		return at + 2 < source->len ? at + 2 : source->len;
	}
	while (at < source->len && text[at] != '\n')
		at++;
	return at > 0 && text[at - 1] == '\r' ? at - 1 : at;
}

size_t zs_json_skip_blanks(const struct zs_json_source *source, size_t at)
{
	while (at < source->len && is_json_blank(source->text[at]))
		at++;
	return at;
}

size_t zs_json_skip(const struct zs_json_source *source, size_t at)
{
	for (;;) {
		size_t blanks = zs_json_skip_blanks(source, at), comment = zs_json_skip_comment(source, blanks);

		if (comment == blanks)
			return blanks;
		at = comment;
	}
}

size_t zs_json_skip_string(const struct zs_json_source *source, size_t at)
{
	for (at++; at < source->len && source->text[at] != '"'; at++)
		if (source->text[at] == '\\')
			at++;
	return at < source->len ? at + 1 : source->len;
}

static bool ends_word(char c)
{
	return is_json_blank(c) || strchr(",]}/", c);
}

size_t zs_json_skip_value(const struct zs_json_source *source, size_t at)
{
	size_t depth = 0;

	while (at < source->len) {
		char c = source->text[at];

		if (c == '"') {
			at = zs_json_skip_string(source, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			depth--;
			at++;
		} else if (depth > 0) {
			size_t comment = zs_json_skip_comment(source, at);

			at = comment > at ? comment : at + 1;
			continue;
		} else {
			while (at < source->len && !ends_word(source->text[at]))
				at++;
			return at;
		}
		if (depth == 0)
			return at;
	}
	return at;
}

struct zs_json_span zs_json_root(const struct zs_json_source *source)
{
	size_t begin = zs_json_skip(source, zs_json_mark(source));

	return (struct zs_json_span){ begin, zs_json_skip_value(source, begin) };
}

bool zs_json_next(const struct zs_json_source *source, size_t open, size_t *at, struct zs_json_item *ret_item)
{
	bool object = source->text[open] == '{';
	size_t here = zs_json_skip(source, *at ? *at : open + 1);
	struct zs_json_item item = { { 0, 0 }, { 0, 0 } };

	if (*at && here < source->len && source->text[here] == ',')
		here = zs_json_skip(source, here + 1);
	if (here >= source->len || source->text[here] == ']' || source->text[here] == '}')
		return false;
	if (object) {
		item.name = (struct zs_json_span){ here, zs_json_skip_string(source, here) };
		here = zs_json_skip(source, zs_json_skip(source, item.name.end) + 1);
	}
	item.value = (struct zs_json_span){ here, zs_json_skip_value(source, here) };
	*at = item.value.end;
	*ret_item = item;
	return true;
}

bool zs_json_is_named(const struct zs_json_source *source, const struct zs_json_item *item, const char *name)
{
	size_t len = strlen(name);

	return item->name.end - item->name.begin == len + 2 &&
	       memcmp(source->text + item->name.begin + 1, name, len) == 0;
}

size_t zs_json_find(const struct zs_json_source *source, size_t open, const char *name, struct zs_json_item *ret_item)
{
	struct zs_json_item item;
	size_t at = 0, count = 0;

	while (zs_json_next(source, open, &at, &item))
		if (zs_json_is_named(source, &item, name) && count++ == 0)
			*ret_item = item;
	return count;
}

/* Adding */

/* The content of an object or an array to which an item is added. */
struct inside {
	bool empty;
	size_t first; /* of the first member, or the closing bracket */
	size_t after; /* the byte after the last member, or after the opening bracket */
	size_t close; /* the closing bracket */
};

/* Looks through a container. key: if the container is an object, the key whose value *ret_found is set to, if it is
 * there. */
static struct inside json_insert_look(
	const struct zs_json_source *source, size_t open, const char *key, struct zs_json_span *ret_found, bool *found)
{
	struct inside inside = { .empty = true, .first = zs_json_skip(source, open + 1), .after = open + 1 };
	struct zs_json_item item;
	size_t at = 0;

	*found = false;
	while (zs_json_next(source, open, &at, &item)) {
		if (key && zs_json_is_named(source, &item, key)) {
			*ret_found = item.value;
			*found = true;
		}
		inside.empty = false;
		inside.after = item.value.end;
	}
	inside.close = zs_json_skip(source, inside.after);
	return inside;
}

/* Returns the text with a part of it replaced. */
static int replace_part(const struct zs_json_source *source, struct zs_json_span part, const char *by, char **ret_text)
{
	size_t by_len = strlen(by), rest = source->len - part.end;
	char *text = malloc(part.begin + by_len + rest + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, source->text, part.begin);
	memcpy(text + part.begin, by, by_len);
	memcpy(text + part.begin + by_len, source->text + part.end, rest);
	text[part.begin + by_len + rest] = '\0';
	*ret_text = text;
	return 0;
}

/* Adds a member in the layout of the other members, with the blanks that stand before the first one. In an empty
 * container it gets a line of its own, indented by two blanks a level. */
static int add_member(const struct zs_json_source *source, size_t open, const struct inside *inside, const char *member,
	unsigned level, char **ret_text)
{
	size_t blanks = inside->first - (open + 1), size = strlen(member) + blanks + 4 * (size_t)level + 16;
	ZS_AUTO_FREE char *added = malloc(size);

	if (!added)
		return -ENOMEM;
	if (inside->empty) {
		snprintf(added, size, "\n%*s%s\n%*s", (int)(2 * level), "", member, (int)(2 * (level - 1)), "");
		return replace_part(source, (struct zs_json_span){ open + 1, inside->close }, added, ret_text);
	}
	snprintf(added, size, ",%.*s%s", (int)blanks, source->text + open + 1, member);
	if (blanks == 0)
		snprintf(added, size, ", %s", member);
	return replace_part(source, (struct zs_json_span){ inside->after, inside->after }, added, ret_text);
}

/* Makes the value of the first key, where none of the keys is there yet. */
static char *nest(const char *const *keys, const char *value, bool append, unsigned level)
{
	ZS_AUTO_FREE char *inner = *keys ? nest(keys + 1, value, append, level + 1) : NULL;
	size_t size = 4 * (size_t)level + 32 + (*keys ? strlen(*keys) : 0) + strlen(inner ? inner : value);
	char *text = *keys && !inner ? NULL : malloc(size);

	if (!text)
		return NULL;
	if (*keys)
		snprintf(text, size, "{\n%*s\"%s\": %s\n%*s}", (int)(2 * level), "", *keys, inner,
			(int)(2 * (level - 1)), "");
	else
		snprintf(text, size, append ? "[%s]" : "%s", value);
	return text;
}

/* "key": value */
static char *name_member(const char *const *keys, const char *value, bool append, unsigned level)
{
	ZS_AUTO_FREE char *inner = nest(keys + 1, value, append, level + 1);
	size_t size = strlen(*keys) + 8 + (inner ? strlen(inner) : 0);
	char *member = inner ? malloc(size) : NULL;

	if (member)
		snprintf(member, size, "\"%s\": %s", *keys, inner);
	return member;
}

static bool is_null(const struct zs_json_source *source, struct zs_json_span span)
{
	return span.end - span.begin == 4 && strncmp(source->text + span.begin, "null", 4) == 0;
}

/* Inserts into the value at span. `level` is the level of the value's members. */
static int insert_at(const struct zs_json_source *source, struct zs_json_span span, const char *const *keys,
	const char *value, bool append, unsigned level, char **ret_text)
{
	bool object = *keys != NULL, found;
	ZS_AUTO_FREE char *member = NULL;
	struct inside inside;
	struct zs_json_span inner;

	if (is_null(source, span) || (!object && !append)) {
		ZS_AUTO_FREE char *made = nest(keys, value, append, level);

		return made ? replace_part(source, span, made, ret_text) : -ENOMEM;
	}
	if (source->text[span.begin] != (object ? '{' : '['))
		return -EINVAL;
	inside = json_insert_look(source, span.begin, *keys, &inner, &found);
	if (!object && inside.empty)
		return replace_part(source, (struct zs_json_span){ span.begin + 1, inside.close }, value, ret_text);
	if (!object)
		return add_member(source, span.begin, &inside, value, level, ret_text);
	if (found)
		return insert_at(source, inner, keys + 1, value, append, level + 1, ret_text);
	member = name_member(keys, value, append, level);
	return member ? add_member(source, span.begin, &inside, member, level, ret_text) : -ENOMEM;
}

int zs_json_insert(
	const char *text, size_t len, const char *const *keys, const char *value, bool append, char **ret_text)
{
	const struct zs_json_source source = { text, len };
	struct zs_json_span root = zs_json_root(&source);

	if (root.begin == root.end)
		return -EINVAL;
	return insert_at(&source, root, keys, value, append, 1, ret_text);
}

bool zs_json_has(const char *text, size_t len, const char *const *keys)
{
	const struct zs_json_source source = { text, len };
	struct zs_json_span span = zs_json_root(&source);
	bool found = span.begin < span.end;

	for (; *keys && found; keys++) {
		if (text[span.begin] != '{')
			return false;
		json_insert_look(&source, span.begin, *keys, &span, &found);
	}
	return found;
}
