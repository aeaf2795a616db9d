/* The one tool: its description, the arguments of a call, and the answers. */
#ifndef ZS_CMD_MCP_TOOL_H
#define ZS_CMD_MCP_TOOL_H

#include "mcp/mcp_message.h"
#include "mcp/mcp_run.h"

#define ZS_MCP_TOOL "bash"

enum {
	ZS_MCP_OUTPUT_DEFAULT = 32 * 1024, /* bytes of a run's output that are returned */
	ZS_MCP_OUTPUT_MIN = 256,
	ZS_MCP_OUTPUT_MAX = 1024 * 1024,
	ZS_MCP_WALL_DEFAULT = 600,    /* the most seconds that a call may ask for */
	ZS_MCP_TIMEOUT_DEFAULT = 120, /* seconds, for a call that asks for none */
};

/* The arguments of a call. zs_mcp_read_arguments() returns false to refuse them, for *ret_reason, a static string. */
struct zs_mcp_arguments {
	const char *command; /* belongs to the document */
	size_t len;
	int64_t limit; /* ms */
};
bool zs_mcp_read_arguments(const struct zs_mcp_tool *tool, yyjson_val *object, struct zs_mcp_arguments *ret_arguments,
	const char **ret_reason);

/* Writes the members of the list of tools, and a hint for the model about the server. */
void zs_mcp_put_tools(struct zs_json *json, const struct zs_mcp_tool *tool);
extern const char zs_mcp_instructions[];

/* Answers that the command did not run. code, reason and hint are as in a report of the shell policy. */
void zs_mcp_tell_refusal(
	struct zs_mcp_out *out, const char *id, bool modern, const char *code, const char *reason, const char *hint);

/* Answers with the result of a run. status: that of wait(2), or -1. */
void zs_mcp_tell_end(struct zs_mcp_out *out, const struct zs_mcp_run *run, int status, int64_t now);

/* Sends the output since the last progress of a run that goes on. */
void zs_mcp_tell_progress(struct zs_mcp_out *out, struct zs_mcp_run *run, int64_t now);

#endif
