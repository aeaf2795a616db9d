/* The server: messages in, runs, messages out, none of which waits for another. */
#ifndef ZS_CMD_MCP_SERVER_H
#define ZS_CMD_MCP_SERVER_H

#include "mcp/mcp_run.h"
#include "mcp/mcp_tool.h"

enum {
	ZS_MCP_RUNS_MAX = 8, /* at a time; one more is refused, and may be tried again */
	/* After the end of the input, for a client that still reads the answers. */
	ZS_MCP_FLUSH_MS = 1000,
};

struct zs_mcp_server {
	struct zs_mcp_tool tool;
	struct zs_vetter *vetter;
	struct zs_mcp_out out;
	struct zs_mcp_run runs[ZS_MCP_RUNS_MAX];
	bool initialized; /* in the way of the older era */
};

/* One line that has come. */
void zs_mcp_take(struct zs_mcp_server *server, char *line, size_t len);

/* One that is longer than a message may be. */
void zs_mcp_take_too_long(struct zs_mcp_server *server);

/* From fd 0 to fd 1, until the end of the input. All runs are dead when it returns. An exit code. */
int zs_mcp_serve(struct zs_mcp_server *server);

#endif
