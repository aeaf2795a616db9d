#include "mcp/mcp_message.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory_stream.h"
#include "base/message.h"

/* Marks the message as bad; the remaining arguments say why. */
#define REFUSE(message, its_code, ...)                                                                                 \
	((message)->kind = ZS_MCP_BAD, (message)->code = (its_code),                                                   \
		(void)snprintf((message)->what, sizeof(message)->what, __VA_ARGS__))

/* Checks the depth before the parser spends memory on the line. */
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
	const char *number = yyjson_get_raw(value); /* the number as it was written */
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
		if (method || (!result && !error)) /* zs sends no requests, and ignores answers */
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
		REFUSE(message, ZS_MCP_INVALID_REQUEST, "is a batch; this protocol has none: send one message a line");
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

/* Writing */

static void mcp_out_fail(struct zs_mcp_out *out, int cause)
{
	if (!out->broken)
		zs_complain_errno("mcp", "standard output", cause);
	out->broken = true;
}

struct zs_json zs_mcp_out_begin(struct zs_mcp_out *out)
{
	struct zs_json json = { out->broken ? NULL : zs_memory_stream(&out->line, &out->line_len), false };

	if (!json.out)
		mcp_out_fail(out, ENOMEM);
	zs_json_print(&json, "{'jsonrpc':'2.0'");
	return json;
}

static bool mcp_out_make_room(struct zs_mcp_out *out, size_t more)
{
	size_t size = out->size ? out->size : 4096;
	char *bytes;

	if (out->start > 0) {
		memmove(out->bytes, out->bytes + out->start, zs_mcp_out_left(out));
		out->end -= out->start;
		out->start = 0;
	}
	while (size - out->end < more)
		size *= 2;
	bytes = size > out->size ? realloc(out->bytes, size) : out->bytes;
	if (!bytes)
		return false;
	out->bytes = bytes;
	out->size = size;
	return true;
}

static void mcp_out_put(struct zs_mcp_out *out, const char *line, size_t len)
{
	if (zs_mcp_out_left(out) + len >= ZS_MCP_UNREAD_MAX) {
		zs_complain("mcp: the client has not read %d MiB of answers", ZS_MCP_UNREAD_MAX >> 20);
		out->broken = true;
	} else if (!mcp_out_make_room(out, len + 1)) {
		mcp_out_fail(out, ENOMEM);
	} else {
		memcpy(out->bytes + out->end, line, len);
		out->bytes[out->end + len] = '\n';
		out->end += len + 1;
	}
}

void zs_mcp_out_end(struct zs_mcp_out *out, struct zs_json *json)
{
	zs_json_print(json, "}");
	if (zs_memory_close(json->out, &out->line))
		mcp_out_put(out, out->line, out->line_len);
	else
		mcp_out_fail(out, ENOMEM);
	free(out->line);
	out->line = NULL;
}

/* If poll(2) reports a pipe as writable, it has room for PIPE_BUF bytes (man 7 pipe). So O_NONBLOCK is not needed; it
 * would also affect every process that shares this end. */
static bool mcp_out_has_room(int fd)
{
	struct pollfd event = { fd, POLLOUT, 0 };

	return poll(&event, 1, 0) > 0;
}

void zs_mcp_out_flush(struct zs_mcp_out *out)
{
	while (!out->broken && zs_mcp_out_left(out) > 0 && mcp_out_has_room(out->fd)) {
		size_t len = zs_mcp_out_left(out) < PIPE_BUF ? zs_mcp_out_left(out) : PIPE_BUF;
		ssize_t written = write(out->fd, out->bytes + out->start, len);

		if (written >= 0)
			out->start += (size_t)written;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return;
		else if (errno != EINTR)
			mcp_out_fail(out, errno);
	}
}

/* Answers */

static struct zs_json mcp_answer_begin(struct zs_mcp_out *out, const char *id)
{
	struct zs_json json = zs_mcp_out_begin(out);

	zs_json_print(&json, "'id':");
	zs_json_raw(&json, id ? id : "null");
	return json;
}

struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const char *id, bool modern)
{
	struct zs_json json = mcp_answer_begin(out, id);

	zs_json_print(&json, "'result':{");
	if (modern)
		zs_json_print(&json,
			"'resultType':'complete','_meta':{'io.modelcontextprotocol/serverInfo':" ZS_MCP_SERVER "}");
	return json;
}

void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json)
{
	zs_json_print(json, "}");
	zs_mcp_out_end(out, json);
}

void zs_mcp_error(struct zs_mcp_out *out, const char *id, enum zs_mcp_code code, const char *message)
{
	struct zs_json json = mcp_answer_begin(out, id);

	zs_json_print(&json, "'error':{'code':%d,'message':%s}", code, message);
	zs_mcp_out_end(out, &json);
}

void zs_mcp_unsupported(struct zs_mcp_out *out, const char *id, const char *requested, size_t len)
{
	struct zs_json json = mcp_answer_begin(out, id);

	zs_json_print(&json,
		"'error':{'code':%d,'message':'Unsupported protocol version',"
		"'data':{'supported':" ZS_MCP_VERSIONS ",'requested':%.*s}}",
		ZS_MCP_UNSUPPORTED_VERSION, (int)len, requested);
	zs_mcp_out_end(out, &json);
}
