/* The answers of both eras of the protocol: what every one of them has around its own content. */
#ifndef ZS_CMD_MCP_ANSWER_H
#define ZS_CMD_MCP_ANSWER_H

#include "mcp/mcp_message.h"
#include "mcp/mcp_out.h"

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
