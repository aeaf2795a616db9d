/* Messages on their way to the client, a line each. Nothing here waits for it. */
#ifndef ZS_CMD_MCP_OUT_H
#define ZS_CMD_MCP_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mcp/mcp_message.h"

enum {
	/* A client that has left so much unread is not reading any more: the server ends. */
	ZS_MCP_UNREAD_MAX = 64 * 1024 * 1024,
	/* Above this it gets answers, and no progress. */
	ZS_MCP_UNREAD_PROGRESS_MAX = 1024 * 1024,
};

struct zs_mcp_out {
	int fd;
	char *bytes;
	size_t start, end, size; /* bytes that have not been written yet, and the room for them */
	bool broken;             /* nothing more can be written; stderr was told why */
	char *line;              /* the message that is being made */
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

/* Answers of both eras of the protocol: the parts around their own content. */

/* The version of the era in which each request names its own, and those of the era that begins with "initialize",
 * newest first. */
#define ZS_MCP_MODERN "2026-07-28"
#define ZS_MCP_LEGACY(X) X("2025-11-25") X("2025-06-18")

/* Begins a result; write its members, then zs_mcp_result_end(). With json.out NULL nothing can be written. */
struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const struct zs_mcp_id *id, bool modern);
void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json);

/* How long, and for whom, a client may keep a result: of the modern era. */
void zs_mcp_put_caching(struct zs_json *json, bool modern);

void zs_mcp_error(struct zs_mcp_out *out, const struct zs_mcp_id *id, enum zs_mcp_code code, const char *message);
void zs_mcp_unsupported(struct zs_mcp_out *out, const struct zs_mcp_id *id, const char *requested, size_t len);

/* An array of all versions. */
void zs_mcp_put_versions(struct zs_json *json);

/* The object that names this program. */
void zs_mcp_put_server(struct zs_json *json);

#endif
