/* The messages of JSON-RPC 2.0 that the Model Context Protocol uses: parses a client's line, and queues messages for
 * the client, one on each line. Nothing here waits for the client. */
#ifndef ZS_CMD_MCP_MESSAGE_H
#define ZS_CMD_MCP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

#include "base/json.h"

enum {
	ZS_MCP_LINE_MAX = 1024 * 1024, /* bytes of a message */
	ZS_MCP_DEPTH_MAX = 64,         /* brackets within brackets */
	ZS_MCP_ID_MAX = 256,           /* bytes of an id or a progress token */
};

/* Error codes by the specification of 2026-07-28, used in both eras. The last one answers a request of a later
 * version. */
enum zs_mcp_code {
	ZS_MCP_PARSE_ERROR = -32700,
	ZS_MCP_INVALID_REQUEST = -32600,
	ZS_MCP_NO_METHOD = -32601,
	ZS_MCP_INVALID_PARAMS = -32602,
	ZS_MCP_INTERNAL_ERROR = -32603,
	ZS_MCP_UNSUPPORTED_VERSION = -32022,
};

enum zs_mcp_kind {
	ZS_MCP_IGNORED, /* needs no answer: an empty line, or an answer to a request that zs did not send */
	ZS_MCP_REQUEST,
	ZS_MCP_NOTIFICATION,
	ZS_MCP_BAD, /* answer it with the error */
};

/* Values belong to the document. */
struct zs_mcp_message {
	enum zs_mcp_kind kind;
	yyjson_doc *doc;
	char *id;           /* made by zs_mcp_read_id(); NULL: there is none */
	yyjson_val *method; /* a string */
	yyjson_val *params; /* an object, or NULL */
	bool modern;        /* the era of its answer; whoever answers sets this and the progress token */
	char *token;
	enum zs_mcp_code code;
	char what[160]; /* the fault of a bad message; follows "The message " */
};

void zs_mcp_read(char *line, size_t len, struct zs_mcp_message *message);
void zs_mcp_message_free(struct zs_mcp_message *message);

/* Returns an id as JSON, as the client wrote it; equal ids give equal texts. free() it. NULL: it is neither a string
 * nor an integer, it is too long, or memory has run out. */
char *zs_mcp_read_id(yyjson_val *value);

/* Writing */

enum {
	/* A client that leaves this many bytes unread has stopped reading: the server ends. */
	ZS_MCP_UNREAD_MAX = 64 * 1024 * 1024,
	/* Above this, the client gets answers but no progress. */
	ZS_MCP_UNREAD_PROGRESS_MAX = 1024 * 1024,
};

struct zs_mcp_out {
	int fd;
	char *bytes;
	size_t start, end, size; /* the range of bytes to write, and the buffer's size */
	bool broken;             /* nothing more can be written; the reason is on stderr */
	char *line;              /* the message that is being written */
	size_t line_len;
};

/* Begins a message; write its members, then zs_mcp_out_end(). */
struct zs_json zs_mcp_out_begin(struct zs_mcp_out *out);
void zs_mcp_out_end(struct zs_mcp_out *out, struct zs_json *json);

/* Writes as much as possible without waiting. */
void zs_mcp_out_flush(struct zs_mcp_out *out);

static inline size_t zs_mcp_out_left(const struct zs_mcp_out *out)
{
	return out->end - out->start;
}

/* Answers in both eras of the protocol. id: that of the request; NULL: it is unknown. */

/* The version of the modern era, in which each request names its version; and those of the legacy era, which begins
 * with "initialize", newest first. */
#define ZS_MCP_MODERN "2026-07-28"
#define ZS_MCP_LEGACY(X) X("2025-11-25") X("2025-06-18")

/* Parts of a template of JSON: all versions, and the object that names this program. */
#define ZS_MCP_QUOTED(version) ",'" version "'"
#define ZS_MCP_VERSIONS "['" ZS_MCP_MODERN "'" ZS_MCP_LEGACY(ZS_MCP_QUOTED) "]"
#define ZS_MCP_SERVER "{'name':'zs','title':'zs: vetted and confined bash','version':'" ZS_VERSION "'}"
/* How long, and for whom, a client may cache a result in the modern era. The tool's description depends only on the
 * server's options, so it never changes while the server runs. */
#define ZS_MCP_CACHING "'ttlMs':300000,'cacheScope':'private'"

/* Begins a result, as zs_mcp_out_begin() does; zs_mcp_result_end() ends it. */
struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const char *id, bool modern);
void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json);

void zs_mcp_error(struct zs_mcp_out *out, const char *id, enum zs_mcp_code code, const char *message);
void zs_mcp_unsupported(struct zs_mcp_out *out, const char *id, const char *requested, size_t len);

#endif
