#include "base/json.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

static void separate(struct zs_json *json)
{
	if (json->comma)
		fputc(',', json->out);
	json->comma = true;
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

/* Is it a character that JSON requires to be escaped, DEL, or one that some readers take for the end of a line?
 * Python's splitlines() takes all of the last three for that, Node's readline the last two. */
static bool needs_escape(uint32_t point)
{
	return point < 0x20 || point == '"' || point == '\\' || point == 0x7f || point == 0x85 || point == 0x2028 ||
	       point == 0x2029;
}

void zs_json_bytes(struct zs_json *json, const char *text, size_t len)
{
	const char *end = text + len;

	if (!json->out)
		return;
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
	if (!json->out)
		return;
	separate(json);
	fputs(text, json->out);
}

void zs_json_split(struct zs_json *json, const char *list)
{
	zs_json_print(json, "[");
	while (list && *list) {
		size_t len = strcspn(list, "|");

		zs_json_bytes(json, list, len);
		list += len + (list[len] == '|');
	}
	zs_json_print(json, "]");
}

/* Writes the value of the conversion after a "%". Returns the conversion's last letter. */
static const char *put_conversion(struct zs_json *json, const char *at, va_list *args)
{
	char number[32] = "null";
	int len;

	if (strncmp(at, "lld", 3) == 0)
		snprintf(number, sizeof number, "%lld", va_arg(*args, long long));
	else if (*at == 'z')
		snprintf(number, sizeof number, "%zu", va_arg(*args, size_t));
	else if (*at == 'u')
		snprintf(number, sizeof number, "%u", va_arg(*args, unsigned));
	else if (*at == 'd')
		snprintf(number, sizeof number, "%d", va_arg(*args, int));
	else if (*at == 'i')
		strcpy(number, va_arg(*args, int) ? "true" : "false");
	if (*at == 's') {
		zs_json_text(json, va_arg(*args, const char *));
	} else if (*at == '.') {
		len = va_arg(*args, int);
		zs_json_bytes(json, va_arg(*args, const char *), (size_t)len);
	} else {
		zs_json_raw(json, number);
	}
	return at + (*at == 'z') + 2 * (*at == 'l' || *at == '.');
}

static void put_template(struct zs_json *json, const char *format, va_list *args)
{
	for (const char *at = format; *at; at++) {
		size_t word = strspn(at, "aeflnrstu0123456789"); /* the length of null, true, false or a number */

		if (*at == '{' || *at == '[' || word > 0)
			separate(json);
		if (*at == '%') {
			at = put_conversion(json, at + 1, args);
		} else if (*at == '\'') {
			zs_json_bytes(json, at + 1, strcspn(at + 1, "'"));
			at += strcspn(at + 1, "'") + 1;
		} else if (word > 0) {
			fwrite(at, 1, word, json->out);
			at += word - 1;
		} else if (*at != ',' && *at != ' ') { /* the next value writes its own comma */
			fputc(*at, json->out);
			json->comma = *at == '}' || *at == ']';
		}
	}
}

void zs_json_print(struct zs_json *json, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (json->out)
		put_template(json, format, &args);
	va_end(args);
}

void zs_json_print_line(FILE *out, const char *format, ...)
{
	struct zs_json json = { out, false };
	va_list args;

	va_start(args, format);
	put_template(&json, format, &args);
	va_end(args);
	fputc('\n', out);
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
