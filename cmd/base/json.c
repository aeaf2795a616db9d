#include "base/json.h"

#include <string.h>

#include "base/text.h"

static void separate(struct zs_json *json)
{
	if (json->comma)
		fputc(',', json->out);
	json->comma = true;
}

void zs_json_open(struct zs_json *json, char bracket)
{
	separate(json);
	fputc(bracket, json->out);
	json->comma = false;
}

void zs_json_close(struct zs_json *json, char bracket)
{
	fputc(bracket, json->out);
	json->comma = true;
}

struct zs_json zs_json_begin_line(FILE *out)
{
	struct zs_json json = { out, false };

	zs_json_open(&json, '{');
	return json;
}

void zs_json_end_line(struct zs_json *json)
{
	zs_json_close(json, '}');
	fputc('\n', json->out);
}

void zs_json_key(struct zs_json *json, const char *key)
{
	zs_json_text(json, key);
	fputc(':', json->out);
	json->comma = false;
}

static void put_escape(FILE *out, uint32_t point)
{
	static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (const char *pair = named; *pair; pair += 2)
		if (point == (unsigned char)*pair) {
			fprintf(out, "\\%c", pair[1]);
			return;
		}
	fprintf(out, "\\u%04lx", (unsigned long)point);
}

/* The characters that JSON wants escaped, DEL, and those that some readers take for the end of a line: Node's readline
 * the last two, Python's splitlines() all three. */
static bool needs_escape(uint32_t point)
{
	return point < 0x20 || point == '"' || point == '\\' || point == 0x7f || point == 0x85 || point == 0x2028 ||
	       point == 0x2029;
}

void zs_json_bytes(struct zs_json *json, const char *text, size_t len)
{
	const char *end = text + len;

	separate(json);
	fputc('"', json->out);
	while (text < end) {
		uint32_t point = 0;
		size_t step = zs_utf8_decode(text, (size_t)(end - text), &point);

		if (step == 0)
			fputs("\xef\xbf\xbd", json->out);
		else if (needs_escape(point))
			put_escape(json->out, point);
		else
			fwrite(text, 1, step, json->out);
		text += step ? step : 1;
	}
	fputc('"', json->out);
}

void zs_json_text(struct zs_json *json, const char *text)
{
	if (text)
		zs_json_bytes(json, text, strlen(text));
	else
		zs_json_raw(json, "null");
}

void zs_json_raw(struct zs_json *json, const char *text)
{
	separate(json);
	fputs(text, json->out);
}

void zs_json_number(struct zs_json *json, int64_t number)
{
	separate(json);
	fprintf(json->out, "%lld", (long long)number);
}

void zs_json_bool(struct zs_json *json, bool value)
{
	zs_json_raw(json, value ? "true" : "false");
}

static const struct zs_member *members_find(yyjson_val *key, const struct zs_member *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (yyjson_equals_str(key, members[i].key))
			return &members[i];
	return NULL;
}

const char *zs_members_take(yyjson_val *object, const struct zs_member *members, size_t count)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL) {
		const struct zs_member *member = members_find(key, members, count);

		if (!member)
			continue;
		if (*member->value)
			return member->key;
		*member->value = yyjson_obj_iter_get_val(key);
	}
	return NULL;
}

yyjson_val *zs_members_stranger(yyjson_val *object, const struct zs_member *members, size_t count)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
	yyjson_val *key;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL)
		if (!members_find(key, members, count))
			return key;
	return NULL;
}
