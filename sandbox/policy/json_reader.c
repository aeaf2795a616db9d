#include "policy/json_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char *step_of(const struct zs_json_reader *reader)
{
	return reader->step ? reader->step : "policy";
}

unsigned zs_json_line(const struct zs_json_reader *reader, const char *at)
{
	unsigned line = 1;

	for (size_t i = 0; i < (size_t)(at - reader->buffer); i++)
		line += reader->text[i] == '\n';
	return line;
}

int zs_json_parse(struct zs_json_reader *reader, const char *text, size_t len, size_t max, yyjson_doc **ret_doc)
{
	struct zs_json_place top = { 0 };
	yyjson_read_err problem;
	char *buffer;

	if (len > max)
		return zs_error_say(
			reader->error, step_of(reader), reader->file, E2BIG, "more than %zu bytes of JSON", max);
	if (len == 0)
		return zs_error_say(reader->error, step_of(reader), reader->file, EINVAL, "is empty");
	buffer = calloc(1, len + YYJSON_PADDING_SIZE);
	if (!buffer)
		return zs_error_errno(reader->error, step_of(reader), reader->file, ENOMEM);
	memcpy(buffer, text, len);
	reader->text = text;
	reader->buffer = buffer;
	*ret_doc = yyjson_read_opts(buffer, len, YYJSON_READ_INSITU, NULL, &problem);
	if (*ret_doc)
		return 0;
	top.at = buffer + (problem.pos < len ? problem.pos : len);
	return zs_json_fail(
		reader, &top, problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? ENOMEM : EINVAL, problem.msg);
}

bool zs_json_goes_on(struct zs_json_reader *reader, int r, int *result)
{
	if (r == 0)
		return true;
	if (!reader->each || r == -ENOMEM) {
		*result = r;
		return false;
	}
	if (r != ZS_JSON_TOLD)
		reader->each(reader->error, reader->each_arg);
	*result = ZS_JSON_TOLD;
	return true;
}

enum { PLACE_BYTES = 160, KEY_BYTES = 60, FIELDS_MAX = 32 };

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
	char name[PLACE_BYTES], where[sizeof((struct zs_error *)0)->object];
	unsigned line = zs_json_line(reader, place->at);
	const char *file = reader->file ? reader->file : "";

	put_place(place, name);
	/* Keeps the end of a long path: line and key are worth more than its start. */
	if (strlen(file) > sizeof where - sizeof name - 32)
		file += strlen(file) - (sizeof where - sizeof name - 32);
	snprintf(where, sizeof where, "%s%sline %u%s%s", file, *file ? ": " : "", line, name[0] ? ": " : "", name);
	return zs_error_say(reader->error, step_of(reader), where, cause, "%s", what);
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

static int unknown_key(struct zs_json_reader *reader, const struct zs_json_place *place,
	const struct zs_json_field *fields, size_t count)
{
	const char *names[FIELDS_MAX], *nearest;
	int r = zs_json_fail(reader, place, EINVAL, "unknown key");

	for (size_t i = 0; i < count; i++)
		names[i] = fields[i].name;
	nearest = zs_nearest(place->name, names, count);
	return nearest ? zs_error_hint(reader->error, r, "did you mean \"%s\"?", nearest) : r;
}

int zs_json_object(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value,
	const struct zs_json_field *fields, size_t count, void *into)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *key;
	unsigned seen = 0;
	int result = 0;

	if (!yyjson_is_obj(value))
		return zs_json_fail(reader, place, EINVAL, "is not an object");
	while ((key = yyjson_obj_iter_next(&keys))) {
		int r;
		struct zs_json_place at = zs_json_inside(place, yyjson_get_str(key), yyjson_get_str(key));
		const struct zs_json_field *field = find_field(fields, count, key);

		if (!field)
			r = unknown_key(reader, &at, fields, count);
		else if (seen & 1u << (field - fields))
			r = zs_json_fail(reader, &at, EINVAL, "duplicate key");
		else
			r = field->read(reader, &at, yyjson_obj_iter_get_val(key), into);
		if (field)
			seen |= 1u << (field - fields);
		if (!zs_json_goes_on(reader, r, &result))
			return result;
	}
	for (size_t i = 0; i < count; i++) {
		struct zs_json_place at = zs_json_inside(place, fields[i].name, place->at);

		if (fields[i].required && !(seen & 1u << i) &&
			!zs_json_goes_on(reader, zs_json_fail(reader, &at, EINVAL, "is missing"), &result))
			break;
	}
	return result;
}

int zs_json_strings(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_add *add)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(value);
	yyjson_val *item;
	int result = 0;

	if (!yyjson_is_arr(value))
		return zs_json_fail(reader, place, EINVAL, "is not an array");
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		struct zs_json_place at = zs_json_element(place, i, item);
		struct zs_error inner;
		const char *text;
		int r = zs_json_string(reader, &at, item, &text);

		if (r == 0 && add(reader->policy, text, &inner) < 0)
			r = zs_json_refused(reader, &at, &inner);
		if (!zs_json_goes_on(reader, r, &result))
			break;
	}
	return result;
}

int zs_json_pairs(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_pair *read)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *key;
	int result = 0;

	if (!yyjson_is_obj(value))
		return zs_json_fail(reader, place, EINVAL, "is not an object");
	while ((key = yyjson_obj_iter_next(&keys))) {
		struct zs_json_place at = zs_json_inside(place, yyjson_get_str(key), yyjson_get_str(key));

		if (!zs_json_goes_on(reader, read(reader, &at, key), &result))
			break;
	}
	return result;
}
