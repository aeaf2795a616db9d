/* Which tools run commands. */
#ifndef ZS_CMD_HOOK_TOOL_H
#define ZS_CMD_HOOK_TOOL_H

#include "agent/agent.h"

enum zs_hook_tool {
	ZS_HOOK_TOOL_SHELL, /* it runs commands: without one that can be read it is refused */
	ZS_HOOK_TOOL_OTHER, /* nobody knows; a command that it is given is read as a shell's */
	ZS_HOOK_TOOL_QUIET, /* it is known to run none, though its name or input looks like it */
};

enum zs_hook_tool zs_hook_tool_named(const struct zs_agent *agent, const char *name);

#endif
