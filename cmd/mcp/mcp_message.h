/* One line of a client, as a message of JSON-RPC 2.0, as far as the Model Context Protocol has it. */
#ifndef ZS_CMD_MCP_MESSAGE_H
#define ZS_CMD_MCP_MESSAGE_H

#include <yyjson.h>

#include "base/json.h"

enum {
	ZS_MCP_LINE_MAX = 1024 * 1024, /* bytes of a message */
	ZS_MCP_DEPTH_MAX = 64,         /* brackets within brackets */
	ZS_MCP_ID_MAX = 256,           /* bytes of an id, and of a progress token */
};

/* Error codes in both eras, by the specification of 2026-07-28; the last is for requests of later versions. */
enum zs_mcp_code {
	ZS_MCP_PARSE_ERROR = -32700,
	ZS_MCP_INVALID_REQUEST = -32600,
	ZS_MCP_NO_METHOD = -32601,
	ZS_MCP_INVALID_PARAMS = -32602,
	ZS_MCP_INTERNAL_ERROR = -32603,
	ZS_MCP_UNSUPPORTED_VERSION = -32022,
};

enum zs_mcp_kind {
	ZS_MCP_IGNORED, /* there is nothing to answer: an empty line, or an answer to what nobody has asked */
	ZS_MCP_REQUEST,
	ZS_MCP_NOTIFICATION,
	ZS_MCP_BAD, /* to be answered with the error */
};

/* Values belong to the document. */
struct zs_mcp_message {
	enum zs_mcp_kind kind;
	yyjson_doc *doc;
	char *id;           /* of zs_mcp_read_id(); NULL: there is none */
	yyjson_val *method; /* a string */
	yyjson_val *params; /* an object, or NULL */
	bool modern;        /* how it is to be answered; set, as the token of its progress is, by who answers it */
	char *token;
	enum zs_mcp_code code;
	char what[160]; /* the fault of a bad one, behind "The message " */
};

void zs_mcp_read(char *line, size_t len, struct zs_mcp_message *message);
void zs_mcp_message_free(struct zs_mcp_message *message);

/* A string or an integer, which goes back as it came: as JSON, the same for two that are equal. free() it. NULL: it is
 * neither, or too long, or there is no memory. */
char *zs_mcp_read_id(yyjson_val *value);

#endif
