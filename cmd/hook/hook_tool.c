#include "hook/hook_tool.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

/* Copilot and Cline send every tool's event, and other agents do when a matcher says so. */
static const char *const quiet[] = {
	"apply_patch", /* Codex: its "command" is a patch */
	"read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell", "list_powershell", /* Copilot */
	"BashOutput", "KillBash", "KillShell",                                                          /* Claude */
	"str_replace_editor", "str_replace_based_edit_tool", "editor", /* their "command" is "view", "create", … */
};

/* A tool that types into a shell that runs already (Copilot's write_bash) has no command that could be read, and so no
 * way. */
static const char *const shells[] = { "bash", "shell", "terminal", "powershell", "command", "exec" };

static bool contains(const char *name, const char *part)
{
	for (size_t len = strlen(part); *name; name++)
		if (strncasecmp(name, part, len) == 0)
			return true;
	return false;
}

enum zs_hook_tool zs_hook_tool_named(const struct zs_agent *agent, const char *name)
{
	for (size_t i = 0; i < ZS_COUNT(quiet); i++)
		if (strcmp(name, quiet[i]) == 0)
			return ZS_HOOK_TOOL_QUIET;
	if (agent->shell && strcmp(name, agent->shell) == 0)
		return ZS_HOOK_TOOL_SHELL;
	for (size_t i = 0; i < ZS_COUNT(shells); i++)
		if (contains(name, shells[i]))
			return ZS_HOOK_TOOL_SHELL;
	return ZS_HOOK_TOOL_OTHER;
}
