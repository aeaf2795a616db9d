#include "json_reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

static const char step[] = "policy";

static unsigned line_at(const char *text, size_t offset)
{
	unsigned line = 1;

	for (size_t i = 0; i < offset; i++)
		line += text[i] == '\n';
	return line;
}

enum { PLACE_BYTES = 160, KEY_BYTES = 60 };

static size_t put_place(const struct zs_json_place *place, char text[PLACE_BYTES])
{
	size_t len = place->outer ? put_place(place->outer, text) : 0, room = PLACE_BYTES - len;
	int more = 0;

	text[len] = '\0';
	if (place->outer && place->name)
		more = snprintf(text + len, room, "%s%.*s", len ? "." : "", KEY_BYTES, place->name);
	else if (place->outer)
		more = snprintf(text + len, room, "[%zu]", place->index);
	return (size_t)more < room ? len + (size_t)more : PLACE_BYTES - 1;
}

int zs_json_fail(struct zs_json_reader *reader, const struct zs_json_place *place, int cause, const char *what)
{
	char name[PLACE_BYTES], where[sizeof name + 32];
	unsigned line = line_at(reader->text, (size_t)(place->at - reader->buffer));

	put_place(place, name);
	snprintf(where, sizeof where, "line %u%s%s", line, name[0] ? ": " : "", name);
	return zs_error_say(reader->error, step, where, cause, "%s", what);
}

/* The policy refused a value: say so at its place, keeping the refusal's own words and hint. */
int zs_json_refused(struct zs_json_reader *reader, const struct zs_json_place *place, const struct zs_error *inner)
{
	char what[sizeof inner->object + sizeof inner->what];

	snprintf(what, sizeof what, "%s%s%s", inner->object, inner->object[0] ? ": " : "",
		inner->what[0] ? inner->what : strerror(inner->cause));
	zs_json_fail(reader, place, inner->cause, what);
	return inner->hint[0] ? zs_error_hint(reader->error, -inner->cause, "%s", inner->hint) : -inner->cause;
}

struct zs_json_place zs_json_inside(const struct zs_json_place *place, const char *name, const char *at)
{
	return (struct zs_json_place){ .outer = place, .name = name, .at = at };
}

struct zs_json_place zs_json_element(const struct zs_json_place *place, size_t index, yyjson_val *value)
{
	struct zs_json_place inner = { .outer = place, .index = index, .at = place->at };
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *first = yyjson_is_obj(value) ? yyjson_obj_iter_next(&keys) : value;

	if (yyjson_is_str(first))
		inner.at = yyjson_get_str(first);
	return inner;
}

int zs_json_string(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, const char **ret_text)
{
	const char *text = yyjson_get_str(value);

	if (!text)
		return zs_json_fail(reader, place, EINVAL, "is not a string");
	if (strlen(text) != yyjson_get_len(value))
		return zs_json_fail(reader, place, EINVAL, "holds a NUL");
	*ret_text = text;
	return 0;
}

static const struct zs_json_field *find_field(const struct zs_json_field *fields, size_t count, yyjson_val *key)
{
	for (size_t i = 0; i < count; i++)
		if (yyjson_equals_str(key, fields[i].name))
			return &fields[i];
	return NULL;
}

int zs_json_object(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value,
	const struct zs_json_field *fields, size_t count, void *into)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *key;
	unsigned seen = 0;

	if (!yyjson_is_obj(value))
		return zs_json_fail(reader, place, EINVAL, "is not an object");
	while ((key = yyjson_obj_iter_next(&keys))) {
		struct zs_json_place at = zs_json_inside(place, yyjson_get_str(key), yyjson_get_str(key));
		const struct zs_json_field *field = find_field(fields, count, key);
		unsigned bit;
		int r;

		if (!field)
			return zs_json_fail(reader, &at, EINVAL, "unknown key");
		bit = 1u << (field - fields);
		if (seen & bit)
			return zs_json_fail(reader, &at, EINVAL, "duplicate key");
		seen |= bit;
		r = field->read(reader, &at, yyjson_obj_iter_get_val(key), into);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < count; i++) {
		struct zs_json_place at = zs_json_inside(place, fields[i].name, place->at);

		if (fields[i].required && !(seen & 1u << i))
			return zs_json_fail(reader, &at, EINVAL, "is missing");
	}
	return 0;
}

int zs_json_strings(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_add *add)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(value);
	yyjson_val *item;

	if (!yyjson_is_arr(value))
		return zs_json_fail(reader, place, EINVAL, "is not an array");
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		struct zs_json_place at = zs_json_element(place, i, item);
		struct zs_error inner;
		const char *text;
		int r = zs_json_string(reader, &at, item, &text);

		if (r < 0)
			return r;
		if (add(reader->policy, text, &inner) < 0)
			return zs_json_refused(reader, &at, &inner);
	}
	return 0;
}

int zs_json_pairs(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_pair *read)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *key;
	int r = 0;

	if (!yyjson_is_obj(value))
		return zs_json_fail(reader, place, EINVAL, "is not an object");
	while (r == 0 && (key = yyjson_obj_iter_next(&keys))) {
		struct zs_json_place at = zs_json_inside(place, yyjson_get_str(key), yyjson_get_str(key));

		r = read(reader, &at, key);
	}
	return r;
}
