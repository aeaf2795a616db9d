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
