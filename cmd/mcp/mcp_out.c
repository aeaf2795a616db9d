#include "mcp/mcp_out.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory_stream.h"
#include "base/message.h"

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
		zs_complain("mcp: the client has left %d MiB of answers unread", ZS_MCP_UNREAD_MAX >> 20);
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

/* man 7 pipe: what poll(2) says can be written has room for PIPE_BUF bytes, so that no O_NONBLOCK is needed, which
 * whoever shares our end would get as well. */
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
