#include "mcp/mcp_message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

__attribute__((format(printf, 3, 4))) static void refuse(
	struct zs_mcp_message *message, enum zs_mcp_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(message->what, sizeof message->what, format, args);
	va_end(args);
	message->kind = ZS_MCP_BAD;
	message->code = code;
}

/* Before a parser spends memory on it. */
static bool is_too_deep(const char *line, size_t len)
{
	bool in_string = false;
	unsigned depth = 0;

	for (size_t i = 0; i < len; i++) {
		if (in_string && line[i] == '\\')
			i++;
		else if (line[i] == '"')
			in_string = !in_string;
		else if (in_string)
			continue;
		else if ((line[i] == '[' || line[i] == '{') && ++depth > ZS_MCP_DEPTH_MAX)
			return true;
		else if ((line[i] == ']' || line[i] == '}') && depth > 0)
			depth--;
	}
	return false;
}

static bool mcp_message_is_blank(const char *line, size_t len)
{
	while (len > 0 && strchr(" \t\r", line[len - 1]) && line[len - 1])
		len--;
	return len == 0;
}

bool zs_mcp_read_id(yyjson_val *value, struct zs_mcp_id *ret_id)
{
	struct zs_mcp_id id = { ZS_MCP_ID_NONE, NULL, 0 };

	if (yyjson_is_str(value))
		id = (struct zs_mcp_id){ ZS_MCP_ID_TEXT, yyjson_get_str(value), yyjson_get_len(value) };
	else if (yyjson_is_raw(value)) /* a number, in its own digits */
		id = (struct zs_mcp_id){ ZS_MCP_ID_NUMBER, yyjson_get_raw(value), yyjson_get_len(value) };
	if (id.kind == ZS_MCP_ID_NONE || id.len > ZS_MCP_ID_MAX)
		return false;
	if (id.kind == ZS_MCP_ID_NUMBER)
		for (size_t i = 0; i < id.len; i++)
			if (strchr(".eE", id.text[i]))
				return false;
	*ret_id = id;
	return true;
}

bool zs_mcp_same_id(const struct zs_mcp_id *a, const struct zs_mcp_id *b)
{
	return a->kind == b->kind && a->len == b->len && (a->len == 0 || memcmp(a->text, b->text, a->len) == 0);
}

int zs_mcp_copy_id(const struct zs_mcp_id *id, struct zs_mcp_id *ret_copy)
{
	char *text = malloc(id->len + 1);

	if (!text)
		return -ENOMEM;
	if (id->len > 0)
		memcpy(text, id->text, id->len);
	text[id->len] = '\0';
	*ret_copy = (struct zs_mcp_id){ id->kind, text, id->len };
	return 0;
}

void zs_mcp_put_id(struct zs_json *json, const struct zs_mcp_id *id)
{
	char digits[ZS_MCP_ID_MAX + 1];

	switch (id->kind) {
	case ZS_MCP_ID_TEXT:
		zs_json_bytes(json, id->text, id->len);
		break;
	case ZS_MCP_ID_NUMBER:
		snprintf(digits, sizeof digits, "%.*s", (int)id->len, id->text);
		zs_json_raw(json, digits);
		break;
	case ZS_MCP_ID_NONE:
		zs_json_raw(json, "null");
		break;
	}
}

static void read_object(struct zs_mcp_message *message, yyjson_val *object)
{
	yyjson_val *version = NULL, *id = NULL, *method = NULL, *params = NULL, *result = NULL, *error = NULL;
	const struct zs_member members[] = {
		{ "jsonrpc", &version },
		{ "id", &id },
		{ "method", &method },
		{ "params", &params },
		{ "result", &result },
		{ "error", &error },
	};
	const char *twice = zs_members_take(object, members, sizeof members / sizeof *members);

	if (twice) {
		refuse(message, ZS_MCP_INVALID_REQUEST, "'%s' is there twice", twice);
		return;
	}
	if (id && !zs_mcp_read_id(id, &message->id)) {
		refuse(message, ZS_MCP_INVALID_REQUEST,
			"'id' is neither a string nor an integer, or has more than %d bytes", ZS_MCP_ID_MAX);
		return;
	}
	if (!yyjson_equals_str(version, "2.0")) {
		refuse(message, ZS_MCP_INVALID_REQUEST, "'jsonrpc' is not \"2.0\"");
		return;
	}
	if (!method && (result || error)) /* we ask nothing */
		return;
	if (!yyjson_is_str(method)) {
		refuse(message, ZS_MCP_INVALID_REQUEST, method ? "'method' is not a string" : "'method' is missing");
		return;
	}
	message->kind = id ? ZS_MCP_REQUEST : ZS_MCP_NOTIFICATION;
	message->method = method;
	message->params = params;
	if (params && !yyjson_is_obj(params) && id)
		refuse(message, ZS_MCP_INVALID_PARAMS, "'params' is not an object");
	else if (params && !yyjson_is_obj(params))
		message->kind = ZS_MCP_IGNORED;
}

void zs_mcp_read(char *line, size_t len, struct zs_mcp_message *message)
{
	yyjson_read_err error;
	yyjson_val *root;

	*message = (struct zs_mcp_message){ .kind = ZS_MCP_IGNORED };
	if (mcp_message_is_blank(line, len))
		return;
	if (is_too_deep(line, len)) {
		refuse(message, ZS_MCP_PARSE_ERROR, "is nested deeper than %d levels", ZS_MCP_DEPTH_MAX);
		return;
	}
	message->doc = yyjson_read_opts(line, len, YYJSON_READ_NUMBER_AS_RAW, NULL, &error);
	if (!message->doc) {
		refuse(message, ZS_MCP_PARSE_ERROR, "is not JSON: %s, at byte %zu", error.msg, error.pos);
		return;
	}
	root = yyjson_doc_get_root(message->doc);
	if (yyjson_is_arr(root))
		refuse(message, ZS_MCP_INVALID_REQUEST,
			"is a batch, which the protocol does not have; send a message a line");
	else if (!yyjson_is_obj(root))
		refuse(message, ZS_MCP_INVALID_REQUEST, "is not an object");
	else
		read_object(message, root);
}
