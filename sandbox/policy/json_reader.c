#include "policy/json_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

unsigned zs_json_line(const struct zs_json_node *node)
{
	const struct zs_json_reader *reader = node->reader;
	unsigned line = 1;

	for (size_t i = 0; i < (size_t)(node->at - reader->buffer); i++)
		line += reader->text[i] == '\n';
	return line;
}

static int parse(struct zs_json_reader *reader, char *buffer, size_t len, yyjson_doc **ret_doc)
{
	struct zs_json_node top = { .reader = reader };
	yyjson_read_err problem;

	*ret_doc = yyjson_read_opts(buffer, len, YYJSON_READ_INSITU, NULL, &problem);
	if (*ret_doc)
		return 0;
	top.at = buffer + (problem.pos < len ? problem.pos : len);
	return zs_json_fail(&top, problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? ENOMEM : EINVAL, problem.msg);
}

int zs_json_parse(struct zs_json_reader *reader, const char *text, size_t len, size_t max, zs_json_read *read)
{
	struct zs_error *error = reader->error;
	yyjson_doc *doc = NULL;
	char *buffer = len > 0 && len <= max ? calloc(1, len + YYJSON_PADDING_SIZE) : NULL;
	int result = 0, r;

	reader->text = text;
	reader->buffer = buffer;
	if (len > max)
		r = zs_error_say(error, reader->step, reader->file, E2BIG, "more than %zu bytes of JSON", max);
	else if (len == 0)
		r = zs_error_say(error, reader->step, reader->file, EINVAL, "is empty");
	else if (!buffer)
		r = zs_error_errno(error, reader->step, reader->file, ENOMEM);
	else
		r = parse(reader, memcpy(buffer, text, len), len, &doc);
	if (r == 0)
		r = read(&(struct zs_json_node){ .reader = reader, .at = buffer, .value = yyjson_doc_get_root(doc) },
			reader->own);
	zs_json_goes_on(reader, r, &result);
	yyjson_doc_free(doc);
	free(buffer);
	return result;
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

int zs_json_end_check(int r, const struct zs_error *error, zs_each_error *each, void *arg)
{
	if (r == ZS_JSON_TOLD)
		return -EINVAL;
	if (r < 0)
		each(error, arg); /* also reports that memory is out */
	return r;
}

enum { PLACE_BYTES = 160, KEY_BYTES = 60, FIELDS_MAX = 32 };

static size_t put_place(const struct zs_json_node *node, char text[PLACE_BYTES])
{
	size_t len = node->outer ? put_place(node->outer, text) : 0, room = PLACE_BYTES - len;
	int more = 0;

	text[len] = '\0';
	if (node->outer && node->name)
		more = snprintf(text + len, room, "%s%.*s", len ? "." : "", KEY_BYTES, node->name);
	else if (node->outer)
		more = snprintf(text + len, room, "[%zu]", node->index);
	return (size_t)more < room ? len + (size_t)more : PLACE_BYTES - 1;
}

int zs_json_fail(const struct zs_json_node *node, int cause, const char *what)
{
	char name[PLACE_BYTES], where[sizeof((struct zs_error *)0)->object];
	const struct zs_json_reader *reader = node->reader;
	const char *file = reader->file ? reader->file : "";

	put_place(node, name);
	/* Keeps the end of a long path: line and key matter more than the start of the path. */
	if (strlen(file) > sizeof where - sizeof name - 32)
		file += strlen(file) - (sizeof where - sizeof name - 32);
	snprintf(where, sizeof where, "%s%sline %u%s%s", file, *file ? ": " : "", zs_json_line(node),
		name[0] ? ": " : "", name);
	return zs_error_say(reader->error, reader->step, where, cause, "%s", what);
}

int zs_json_judged(const struct zs_json_node *node, int r, const struct zs_error *inner)
{
	char what[sizeof inner->object + sizeof inner->what];

	if (r == 0)
		return 0;
	snprintf(what, sizeof what, "%s%s%s", inner->object, inner->object[0] ? ": " : "",
		inner->what[0] ? inner->what : strerror(inner->cause));
	zs_json_fail(node, inner->cause, what);
	return inner->hint[0] ? zs_error_hint(node->reader->error, -inner->cause, "%s", inner->hint) : -inner->cause;
}

/* Values */

int zs_json_string(const struct zs_json_node *node, const char **ret_text)
{
	const char *text = yyjson_get_str(node->value);

	if (!text)
		return zs_json_fail(node, EINVAL, "is not a string");
	if (strlen(text) != yyjson_get_len(node->value))
		return zs_json_fail(node, EINVAL, "holds a NUL");
	*ret_text = text;
	return 0;
}

int zs_json_amount(const struct zs_json_node *node, uint64_t *ret_amount)
{
	*ret_amount = yyjson_is_uint(node->value) ? yyjson_get_uint(node->value) : 0;
	if (*ret_amount == 0)
		return zs_json_fail(node, EINVAL, "is not a whole number above 0; without a limit, leave it out");
	return 0;
}

/* Objects and arrays */

int zs_json_pairs(const struct zs_json_node *node, zs_json_read *each, void *into)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(node->value);
	yyjson_val *key;
	int result = 0;

	if (!yyjson_is_obj(node->value))
		return zs_json_fail(node, EINVAL, "is not an object");
	while ((key = yyjson_obj_iter_next(&keys))) {
		struct zs_json_node inner = { .reader = node->reader, .outer = node, .value = key };
		int r;

		inner.name = inner.at = yyjson_get_str(key);
		r = zs_json_string(&inner, &inner.name);
		inner.value = yyjson_obj_iter_get_val(key);
		if (!zs_json_goes_on(node->reader, r < 0 ? r : each(&inner, into), &result))
			break;
	}
	return result;
}

struct members {
	const struct zs_json_field *fields;
	size_t count;
	unsigned seen; /* a bit for each field */
	void *into;
};

static int unknown_key(const struct zs_json_node *node, const struct members *members)
{
	const char *names[FIELDS_MAX], *nearest;
	int r = zs_json_fail(node, EINVAL, "unknown key");

	for (size_t i = 0; i < members->count; i++)
		names[i] = members->fields[i].name;
	nearest = zs_nearest(node->name, names, members->count);
	return nearest ? zs_error_hint(node->reader->error, r, "did you mean \"%s\"?", nearest) : r;
}

static int read_member(const struct zs_json_node *node, void *arg)
{
	struct members *members = arg;
	struct zs_json_node known = *node;
	size_t i = 0;

	while (i < members->count && strcmp(members->fields[i].name, node->name) != 0)
		i++;
	if (i == members->count)
		return unknown_key(node, members);
	if (members->seen & 1u << i)
		return zs_json_fail(node, EINVAL, "duplicate key");
	members->seen |= 1u << i;
	known.field = &members->fields[i];
	return known.field->read(&known, members->into);
}

int zs_json_object(const struct zs_json_node *node, const struct zs_json_field *fields, size_t count, void *into)
{
	struct members members = { .fields = fields, .count = count, .into = into };
	int result = zs_json_pairs(node, read_member, &members);

	for (size_t i = 0; (result == 0 || result == ZS_JSON_TOLD) && yyjson_is_obj(node->value) && i < count; i++) {
		const struct zs_json_node missing = {
			.reader = node->reader, .outer = node, .name = fields[i].name, .at = node->at
		};

		if (fields[i].required && !(members.seen & 1u << i))
			zs_json_goes_on(node->reader, zs_json_fail(&missing, EINVAL, "is missing"), &result);
	}
	return result;
}

/* Finds where an element begins: at its first key, since yyjson knows only the places of strings. */
static const char *start_of(const struct zs_json_node *array, yyjson_val *value)
{
	yyjson_obj_iter keys = yyjson_obj_iter_with(value);
	yyjson_val *first = yyjson_is_obj(value) ? yyjson_obj_iter_next(&keys) : value;

	return yyjson_is_str(first) ? yyjson_get_str(first) : array->at;
}

int zs_json_array(const struct zs_json_node *node, zs_json_read *each, void *into)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(node->value);
	yyjson_val *item;
	int result = 0;

	if (!yyjson_is_arr(node->value))
		return zs_json_fail(node, EINVAL, "is not an array");
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		const struct zs_json_node inner = {
			.reader = node->reader, .outer = node, .index = i, .at = start_of(node, item), .value = item
		};
		int r = each(&inner, into);

		/* If the list is full, it is full for the other elements, too. */
		if (!zs_json_goes_on(node->reader, r, &result) || r == -E2BIG)
			break;
	}
	return result;
}

/* Readers of fields */

int zs_json_read_object(const struct zs_json_node *node, void *into)
{
	return zs_json_object(node, node->field->fields, node->field->count, into);
}

int zs_json_read_array(const struct zs_json_node *node, void *into)
{
	return zs_json_array(node, node->field->each, into);
}

int zs_json_read_pairs(const struct zs_json_node *node, void *into)
{
	return zs_json_pairs(node, node->field->each, into);
}

static void *place_of(const struct zs_json_node *node, void *into)
{
	return (char *)into + node->field->offset;
}

int zs_json_read_string(const struct zs_json_node *node, void *into)
{
	return zs_json_string(node, place_of(node, into));
}

int zs_json_read_bool(const struct zs_json_node *node, void *into)
{
	if (!yyjson_is_bool(node->value))
		return zs_json_fail(node, EINVAL, "is neither true nor false");
	*(bool *)place_of(node, into) = yyjson_get_bool(node->value);
	return 0;
}

int zs_json_read_name(const struct zs_json_node *node, void *into)
{
	const char *name;
	int r = zs_json_string(node, &name);

	for (unsigned i = 0; r == 0 && node->field->names[i]; i++)
		if (strcmp(node->field->names[i], name) == 0) {
			*(unsigned *)place_of(node, into) = i;
			return 0;
		}
	return r < 0 ? r : zs_json_fail(node, EINVAL, node->field->what);
}

static int add_string(const struct zs_json_node *node, void *into)
{
	struct zs_error inner;
	const char *text;
	int r = zs_json_string(node, &text);

	(void)into;
	return r < 0 ? r : zs_json_judged(node, node->outer->field->add(node->reader->policy, text, &inner), &inner);
}

int zs_json_read_strings(const struct zs_json_node *node, void *into)
{
	return zs_json_array(node, add_string, into);
}
