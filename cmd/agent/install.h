/* zs install --mcp, beside the hook. */
#ifndef ZS_CMD_INSTALL_H
#define ZS_CMD_INSTALL_H

#include "agent/agent.h"
#include "run/confine.h"

struct zs_install_mcp {
	const struct zs_agent *agent;
	enum zs_config_scope scope;
	const char *const *names; /* the servers, up to a NULL; none: all of them */
	const struct zs_confine_fields *policy;
	bool install, yes, dry_run;
};

/* Wraps an agent's MCP servers in zs run, or unwraps them. Returns an exit code. */
int zs_install_mcp(const struct zs_install_mcp *wanted);

#endif
