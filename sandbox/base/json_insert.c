#include "base/json_insert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* A part of the text: from the first byte of a value to the one after its last. */
struct span {
	size_t begin, end;
};

struct scanner {
	const char *text;
	size_t len;
};

static size_t json_insert_skip_blanks(const struct scanner *scanner, size_t at)
{
	while (at < scanner->len && strchr(" \t\r\n", scanner->text[at]) && scanner->text[at])
		at++;
	return at;
}

static size_t skip_string(const struct scanner *scanner, size_t at)
{
	for (at++; at < scanner->len && scanner->text[at] != '"'; at++)
		if (scanner->text[at] == '\\')
			at++;
	return at < scanner->len ? at + 1 : scanner->len;
}

/* Skips a value, to the byte after it. */
static size_t skip_value(const struct scanner *scanner, size_t at)
{
	size_t depth = 0;

	while (at < scanner->len) {
		char c = scanner->text[at];

		if (c == '"') {
			at = skip_string(scanner, at);
		} else if (c == '{' || c == '[') {
			depth++;
			at++;
		} else if (c == '}' || c == ']') {
			depth--;
			at++;
		} else if (depth > 0) {
			at++;
			continue;
		} else {
			return at + strcspn(scanner->text + at, ",]} \t\r\n");
		}
		if (depth == 0)
			return at;
	}
	return at;
}

/* The content of an object or an array, to add to it. */
struct inside {
	bool empty;
	size_t first; /* of the first member, or the closing bracket */
	size_t after; /* the byte after the last member, or after the opening bracket */
	size_t close; /* the closing bracket */
};

/* Looks through a container. key: of an object, what *ret_found is to be the value of; found or not. */
static struct inside json_insert_look(
	const struct scanner *scanner, size_t open, const char *key, struct span *ret_found, bool *found)
{
	size_t at = json_insert_skip_blanks(scanner, open + 1);
	struct inside inside = { .empty = true, .first = at, .after = open + 1 };

	*found = false;
	while (at < scanner->len && scanner->text[at] != '}' && scanner->text[at] != ']') {
		struct span name = { at, at }, value;

		if (scanner->text[open] == '{') {
			name.end = skip_string(scanner, at);
			at = json_insert_skip_blanks(scanner, json_insert_skip_blanks(scanner, name.end) + 1);
		}
		value = (struct span){ at, skip_value(scanner, at) };
		if (key && name.end - name.begin == strlen(key) + 2 &&
			strncmp(scanner->text + name.begin + 1, key, strlen(key)) == 0) {
			*ret_found = value;
			*found = true;
		}
		inside.empty = false;
		inside.after = value.end;
		at = json_insert_skip_blanks(scanner, value.end);
		if (at < scanner->len && scanner->text[at] == ',')
			at = json_insert_skip_blanks(scanner, at + 1);
	}
	inside.close = at;
	return inside;
}

/* The text with a part of it replaced. */
static int replace(const struct scanner *scanner, struct span part, const char *by, char **ret_text)
{
	size_t by_len = strlen(by), rest = scanner->len - part.end;
	char *text = malloc(part.begin + by_len + rest + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, scanner->text, part.begin);
	memcpy(text + part.begin, by, by_len);
	memcpy(text + part.begin + by_len, scanner->text + part.end, rest);
	text[part.begin + by_len + rest] = '\0';
	*ret_text = text;
	return 0;
}

/* A member more. It has the layout of the other members: whatever blanks stand before the first. In an empty container
 * it gets a line of its own, two blanks a level. */
static int add_member(const struct scanner *scanner, size_t open, const struct inside *inside, const char *member,
	unsigned level, char **ret_text)
{
	size_t blanks = inside->first - (open + 1), size = strlen(member) + blanks + 4 * (size_t)level + 16;
	ZS_AUTO_FREE char *added = malloc(size);

	if (!added)
		return -ENOMEM;
	if (inside->empty) {
		snprintf(added, size, "\n%*s%s\n%*s", (int)(2 * level), "", member, (int)(2 * (level - 1)), "");
		return replace(scanner, (struct span){ open + 1, inside->close }, added, ret_text);
	}
	snprintf(added, size, ",%.*s%s", (int)blanks, scanner->text + open + 1, member);
	if (blanks == 0)
		snprintf(added, size, ", %s", member);
	return replace(scanner, (struct span){ inside->after, inside->after }, added, ret_text);
}

/* The value that keys lead to, where none of them is there yet. */
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

static bool is_null(const struct scanner *scanner, struct span span)
{
	return span.end - span.begin == 4 && strncmp(scanner->text + span.begin, "null", 4) == 0;
}

/* Into the value at span, of which `level` is that of its members. */
static int insert(const struct scanner *scanner, struct span span, const char *const *keys, const char *value,
	bool append, unsigned level, char **ret_text)
{
	bool object = *keys != NULL, found;
	ZS_AUTO_FREE char *member = NULL;
	struct inside inside;
	struct span inner;

	if (is_null(scanner, span) || (!object && !append)) {
		ZS_AUTO_FREE char *made = nest(keys, value, append, level);

		return made ? replace(scanner, span, made, ret_text) : -ENOMEM;
	}
	if (scanner->text[span.begin] != (object ? '{' : '['))
		return -EINVAL;
	inside = json_insert_look(scanner, span.begin, *keys, &inner, &found);
	if (!object && inside.empty)
		return replace(scanner, (struct span){ span.begin + 1, inside.close }, value, ret_text);
	if (!object)
		return add_member(scanner, span.begin, &inside, value, level, ret_text);
	if (found)
		return insert(scanner, inner, keys + 1, value, append, level + 1, ret_text);
	member = name_member(keys, value, append, level);
	return member ? add_member(scanner, span.begin, &inside, member, level, ret_text) : -ENOMEM;
}

int zs_json_insert(
	const char *text, size_t len, const char *const *keys, const char *value, bool append, char **ret_text)
{
	const struct scanner scanner = { text, len };
	size_t begin = json_insert_skip_blanks(&scanner, 0);
	struct span root = { begin, skip_value(&scanner, begin) };

	if (root.begin == root.end)
		return -EINVAL;
	return insert(&scanner, root, keys, value, append, 1, ret_text);
}

bool zs_json_has(const char *text, size_t len, const char *const *keys)
{
	const struct scanner scanner = { text, len };
	size_t begin = json_insert_skip_blanks(&scanner, 0);
	struct span span = { begin, skip_value(&scanner, begin) };
	bool found = span.begin < span.end;

	for (; *keys && found; keys++) {
		if (text[span.begin] != '{')
			return false;
		json_insert_look(&scanner, span.begin, *keys, &span, &found);
	}
	return found;
}
