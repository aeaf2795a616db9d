/* Messages on their way to the client, a line each. Nothing here waits for it. */
#ifndef ZS_CMD_MCP_OUT_H
#define ZS_CMD_MCP_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
	/* A client that has left so much unread is not reading any more: the server ends. */
	ZS_MCP_UNREAD_MAX = 64 * 1024 * 1024,
	/* From here on it gets what it waits for, and no progress. */
	ZS_MCP_UNREAD_PROGRESS_MAX = 1024 * 1024,
};

struct zs_mcp_out {
	int fd;
	char *bytes;
	size_t start, end, size; /* what has not been written yet, and the room for it */
	bool broken;             /* nothing more can be written; stderr was told why */
	char *line;              /* what is being made */
	size_t line_len;
	FILE *stream;
};

/* To write one message to, without its newline; then zs_mcp_out_end(). NULL: out->broken. */
FILE *zs_mcp_out_begin(struct zs_mcp_out *out);
void zs_mcp_out_end(struct zs_mcp_out *out);

/* Writes as much as can be had without waiting. */
void zs_mcp_out_flush(struct zs_mcp_out *out);

static inline size_t zs_mcp_out_left(const struct zs_mcp_out *out)
{
	return out->end - out->start;
}

void zs_mcp_out_free(struct zs_mcp_out *out);

#endif
