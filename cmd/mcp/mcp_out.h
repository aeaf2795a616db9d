/* Messages on their way to the client, a line each. Nothing here waits for it. */
#ifndef ZS_CMD_MCP_OUT_H
#define ZS_CMD_MCP_OUT_H

#include <stdbool.h>
#include <stddef.h>

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
};

/* Begins a message; write its members, then zs_mcp_out_end(). */
struct zs_json zs_mcp_out_begin(struct zs_mcp_out *out);
void zs_mcp_out_end(struct zs_mcp_out *out, struct zs_json *json);

/* Writes as much as can be had without waiting. */
void zs_mcp_out_flush(struct zs_mcp_out *out);

static inline size_t zs_mcp_out_left(const struct zs_mcp_out *out)
{
	return out->end - out->start;
}

/* Answers of both eras of the protocol. id: of the request; NULL: nobody knows it. */

/* The version of the era in which each request names its own, and those of the era that begins with "initialize",
 * newest first. */
#define ZS_MCP_MODERN "2026-07-28"
#define ZS_MCP_LEGACY(X) X("2025-11-25") X("2025-06-18")

/* Parts of a template of JSON: all versions, and the object that names this program. */
#define ZS_MCP_QUOTED(version) ",'" version "'"
#define ZS_MCP_VERSIONS "['" ZS_MCP_MODERN "'" ZS_MCP_LEGACY(ZS_MCP_QUOTED) "]"
#define ZS_MCP_SERVER "{'name':'zs','title':'zs: vetted and confined bash','version':'" ZS_VERSION "'}"
/* How long, and for whom, a client may keep a result, in the modern era. The tool's description changes with the
 * options of the server, hence never while it lives. */
#define ZS_MCP_CACHING "'ttlMs':300000,'cacheScope':'private'"

/* Begins a result, as zs_mcp_out_begin() does; it ends by zs_mcp_result_end(). */
struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const char *id, bool modern);
void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json);

void zs_mcp_error(struct zs_mcp_out *out, const char *id, enum zs_mcp_code code, const char *message);
void zs_mcp_unsupported(struct zs_mcp_out *out, const char *id, const char *requested, size_t len);

#endif
