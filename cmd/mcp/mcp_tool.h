/* The one tool: its description, the arguments of a call, and the answers. */
#ifndef ZS_CMD_MCP_TOOL_H
#define ZS_CMD_MCP_TOOL_H

#include "mcp/mcp_message.h"
#include "mcp/mcp_run.h"

#define ZS_MCP_TOOL "bash"

enum {
	ZS_MCP_OUTPUT_DEFAULT = 32 * 1024, /* bytes of what a run prints that come back */
	ZS_MCP_OUTPUT_MIN = 256,
	ZS_MCP_OUTPUT_MAX = 1024 * 1024,
	ZS_MCP_WALL_DEFAULT = 600,    /* seconds that a call may ask for */
	ZS_MCP_TIMEOUT_DEFAULT = 120, /* of a call that asks for none */
};

/* The arguments in params. False: refused for *ret_reason, a static string. */
struct zs_mcp_arguments {
	const char *command; /* the document's */
	size_t len;
	int64_t limit; /* ms */
};
bool zs_mcp_read_arguments(const struct zs_mcp_tool *tool, yyjson_val *object, struct zs_mcp_arguments *ret_arguments,
	const char **ret_reason);

/* The members of the list of tools, and a hint to the model on the server as a whole. */
void zs_mcp_put_tools(struct zs_json *json, const struct zs_mcp_tool *tool);
extern const char zs_mcp_instructions[];

/* The command did not run. code, reason and hint as of a report of the shell policy. */
void zs_mcp_tell_refusal(
	struct zs_mcp_out *out, const char *id, bool modern, const char *code, const char *reason, const char *hint);

/* It ran. status: of wait(2), or -1. */
void zs_mcp_tell_end(struct zs_mcp_out *out, const struct zs_mcp_run *run, int status, int64_t now);

/* It goes on: the output since the last progress. */
void zs_mcp_tell_progress(struct zs_mcp_out *out, struct zs_mcp_run *run, int64_t now);

#endif
