/* The requests that a run's proxy has refused, from the lines of its report. */
#ifndef ZS_CMD_MCP_DENIALS_H
#define ZS_CMD_MCP_DENIALS_H

#include <stddef.h>

#include "base/json.h"

enum {
	ZS_MCP_DENIALS_MAX = 32,       /* different ones of a run; of more the first are told */
	ZS_MCP_REPORT_LINE_MAX = 4096, /* the proxy writes no longer one (ZS_PROXY_LINE_MAX) */
};

struct zs_mcp_denials {
	struct zs_mcp_denial {
		char *host, *reason;
		uint32_t port;
	} items[ZS_MCP_DENIALS_MAX];
	size_t count;
};

/* One line of the report. */
void zs_mcp_denials_add(struct zs_mcp_denials *denials, const char *text, size_t len);
void zs_mcp_denials_free(struct zs_mcp_denials *denials);

/* An array of objects. */
void zs_mcp_denials_json(struct zs_json *json, const struct zs_mcp_denials *denials);

#endif
