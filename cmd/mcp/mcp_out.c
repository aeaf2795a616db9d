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

FILE *zs_mcp_out_begin(struct zs_mcp_out *out)
{
	out->stream = out->broken ? NULL : zs_memory_stream(&out->line, &out->line_len);
	if (!out->stream)
		mcp_out_fail(out, ENOMEM);
	return out->stream;
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

void zs_mcp_out_end(struct zs_mcp_out *out)
{
	if (!out->stream)
		return;
	if (fclose(out->stream) != 0)
		mcp_out_fail(out, ENOMEM);
	else
		mcp_out_put(out, out->line, out->line_len);
	out->stream = NULL;
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

void zs_mcp_out_free(struct zs_mcp_out *out)
{
	free(out->bytes);
	out->bytes = NULL;
}

/* Answers */

/* The tool's description changes with the options of the server, hence never while it lives. */
enum { TTL_MS = 300000 };

static struct zs_json mcp_answer_begin(struct zs_mcp_out *out, const struct zs_mcp_id *id)
{
	struct zs_json json = { zs_mcp_out_begin(out), false };

	if (!json.out)
		return json;
	zs_json_open(&json, '{');
	zs_json_key(&json, "jsonrpc"), zs_json_text(&json, "2.0");
	zs_json_key(&json, "id"), zs_mcp_put_id(&json, id);
	return json;
}

void zs_mcp_put_server(struct zs_json *json)
{
	zs_json_open(json, '{');
	zs_json_key(json, "name"), zs_json_text(json, "zs");
	zs_json_key(json, "title"), zs_json_text(json, "zs: vetted and confined bash");
	zs_json_key(json, "version"), zs_json_text(json, ZS_VERSION);
	zs_json_close(json, '}');
}

struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const struct zs_mcp_id *id, bool modern)
{
	struct zs_json json = mcp_answer_begin(out, id);

	if (!json.out)
		return json;
	zs_json_key(&json, "result"), zs_json_open(&json, '{');
	if (!modern)
		return json;
	zs_json_key(&json, "resultType"), zs_json_text(&json, "complete");
	zs_json_key(&json, "_meta"), zs_json_open(&json, '{');
	zs_json_key(&json, "io.modelcontextprotocol/serverInfo"), zs_mcp_put_server(&json);
	zs_json_close(&json, '}');
	return json;
}

void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json)
{
	zs_json_close(json, '}');
	zs_json_close(json, '}');
	zs_mcp_out_end(out);
}

void zs_mcp_put_caching(struct zs_json *json, bool modern)
{
	if (!modern)
		return;
	zs_json_key(json, "ttlMs"), zs_json_number(json, TTL_MS);
	zs_json_key(json, "cacheScope"), zs_json_text(json, "private");
}

static struct zs_json error_begin(
	struct zs_mcp_out *out, const struct zs_mcp_id *id, enum zs_mcp_code code, const char *message)
{
	struct zs_json json = mcp_answer_begin(out, id);

	if (!json.out)
		return json;
	zs_json_key(&json, "error"), zs_json_open(&json, '{');
	zs_json_key(&json, "code"), zs_json_number(&json, code);
	zs_json_key(&json, "message"), zs_json_text(&json, message);
	return json;
}

void zs_mcp_error(struct zs_mcp_out *out, const struct zs_mcp_id *id, enum zs_mcp_code code, const char *message)
{
	struct zs_json json = error_begin(out, id, code, message);

	if (json.out)
		zs_mcp_result_end(out, &json);
}

void zs_mcp_put_versions(struct zs_json *json)
{
	zs_json_open(json, '[');
	zs_json_text(json, ZS_MCP_MODERN);
#define PUT(version) zs_json_text(json, version);
	ZS_MCP_LEGACY(PUT)
#undef PUT
	zs_json_close(json, ']');
}

void zs_mcp_unsupported(struct zs_mcp_out *out, const struct zs_mcp_id *id, const char *requested, size_t len)
{
	struct zs_json json = error_begin(out, id, ZS_MCP_UNSUPPORTED_VERSION, "Unsupported protocol version");

	if (!json.out)
		return;
	zs_json_key(&json, "data"), zs_json_open(&json, '{');
	zs_json_key(&json, "supported"), zs_mcp_put_versions(&json);
	zs_json_key(&json, "requested"), zs_json_bytes(&json, requested, len);
	zs_json_close(&json, '}');
	zs_mcp_result_end(out, &json);
}
