#include "mcp/mcp_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory_stream.h"

/* Makes it a bad message; the rest says why. */
#define REFUSE(message, its_code, ...)                                                                                 \
	((message)->kind = ZS_MCP_BAD, (message)->code = (its_code),                                                   \
		(void)snprintf((message)->what, sizeof(message)->what, __VA_ARGS__))

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

char *zs_mcp_read_id(yyjson_val *value)
{
	const char *number = yyjson_get_raw(value); /* in its own digits */
	char *id = NULL;
	struct zs_json json;
	size_t len;

	if ((!number && !yyjson_is_str(value)) || yyjson_get_len(value) > ZS_MCP_ID_MAX ||
		(number && strpbrk(number, ".eE")))
		return NULL;
	if (number)
		return strdup(number);
	json = (struct zs_json){ zs_memory_stream(&id, &len), false };
	zs_json_bytes(&json, yyjson_get_str(value), yyjson_get_len(value));
	return zs_memory_close(json.out, &id);
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
	const char *twice = zs_members_take(object, members, ZS_COUNT(members));

	message->id = twice ? NULL : zs_mcp_read_id(id);
	if (twice) {
		REFUSE(message, ZS_MCP_INVALID_REQUEST, "'%s' is there twice", twice);
	} else if (id && !message->id) {
		REFUSE(message, ZS_MCP_INVALID_REQUEST,
			"'id' is neither a string nor an integer, or has more than %d bytes", ZS_MCP_ID_MAX);
	} else if (!yyjson_equals_str(version, "2.0")) {
		REFUSE(message, ZS_MCP_INVALID_REQUEST, "'jsonrpc' is not \"2.0\"");
	} else if (!yyjson_is_str(method)) {
		if (method || (!result && !error)) /* we ask nothing */
			REFUSE(message, ZS_MCP_INVALID_REQUEST,
				method ? "'method' is not a string" : "'method' is missing");
	} else if (params && !yyjson_is_obj(params)) {
		if (id) /* a notification gets no answer */
			REFUSE(message, ZS_MCP_INVALID_PARAMS, "'params' is not an object");
	} else {
		message->kind = id ? ZS_MCP_REQUEST : ZS_MCP_NOTIFICATION;
		message->method = method;
		message->params = params;
	}
}

void zs_mcp_read(char *line, size_t len, struct zs_mcp_message *message)
{
	yyjson_read_err error;
	yyjson_val *root;

	*message = (struct zs_mcp_message){ .kind = ZS_MCP_IGNORED };
	if (mcp_message_is_blank(line, len))
		return;
	if (is_too_deep(line, len)) {
		REFUSE(message, ZS_MCP_PARSE_ERROR, "is nested deeper than %d levels", ZS_MCP_DEPTH_MAX);
		return;
	}
	message->doc = yyjson_read_opts(line, len, YYJSON_READ_NUMBER_AS_RAW, NULL, &error);
	root = yyjson_doc_get_root(message->doc);
	if (!message->doc)
		REFUSE(message, ZS_MCP_PARSE_ERROR, "is not JSON: %s, at byte %zu", error.msg, error.pos);
	else if (yyjson_is_arr(root))
		REFUSE(message, ZS_MCP_INVALID_REQUEST,
			"is a batch, which the protocol does not have; send a message a line");
	else if (!yyjson_is_obj(root))
		REFUSE(message, ZS_MCP_INVALID_REQUEST, "is not an object");
	else
		read_object(message, root);
}

void zs_mcp_message_free(struct zs_mcp_message *message)
{
	yyjson_doc_free(message->doc);
	free(message->id);
	free(message->token);
}
