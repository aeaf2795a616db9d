/* The server: reads messages, runs commands and writes messages. None of these waits for another. */
#ifndef ZS_CMD_MCP_SERVER_H
#define ZS_CMD_MCP_SERVER_H

#include "mcp/mcp_run.h"
#include "mcp/mcp_tool.h"

enum {
	ZS_MCP_RUNS_MAX = 8, /* at a time; a further one is refused, and the client may try again */
	/* How long answers are still written after the end of the input. */
	ZS_MCP_FLUSH_MS = 1000,
};

struct zs_mcp_server {
	struct zs_mcp_tool tool;
	struct zs_vetter *vetter;
	struct zs_mcp_out out;
	struct zs_mcp_run runs[ZS_MCP_RUNS_MAX];
	bool initialized; /* by the legacy era's "initialize" */
};

/* Handles one line. */
void zs_mcp_take(struct zs_mcp_server *server, char *line, size_t len);

/* Handles a line that is longer than a message may be. */
void zs_mcp_take_too_long(struct zs_mcp_server *server);

/* Serves from fd 0 to fd 1 until the input ends. All runs are dead when it returns. Returns an exit code. */
int zs_mcp_serve(struct zs_mcp_server *server);

#endif
