#include "hook/hook_shape.h"

#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/exit.h"
#include "base/json.h"

/* Claude Code's format, which Codex, Qwen Code, Kimi and Copilot's second event share. */
#define CLAUDE(decision, key)                                                                                          \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"" decision "\",\"" key     \
	"\":$}}\n"
#define CLAUDE_DENY CLAUDE("deny", "permissionDecisionReason")
#define DECISION_DENY "{\"decision\":\"deny\",\"reason\":$}\n"

static const struct zs_hook_words claude_words = {
	.deny = CLAUDE_DENY,
	.rewrite = CLAUDE("allow", "updatedInput"),
	.allow = "",
	.ask = "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\","
	       "\"permissionDecisionReason\":$&}}\n",
};
/* Codex was never seen to ask, so zs denies in its place. */
static const struct zs_hook_words codex_words = {
	.deny = CLAUDE_DENY, .rewrite = CLAUDE("allow", "updatedInput"), .allow = ""
};
/* The same for agents that ignore a new input, or were never seen to take it. */
static const struct zs_hook_words claude_fixed_words = { .deny = CLAUDE_DENY, .allow = "" };
static const struct zs_hook_words gemini_words = {
	.deny = DECISION_DENY,
	.rewrite = "{\"hookSpecificOutput\":{\"hookEventName\":\"BeforeTool\",\"tool_input\":$}}\n",
	.allow = "",
};
static const struct zs_hook_words decision_words = { .deny = DECISION_DENY, .allow = "" };
static const struct zs_hook_words copilot_words = {
	.deny = "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":$}\n",
	.rewrite = "{\"permissionDecision\":\"allow\",\"modifiedArgs\":$}\n",
	.allow = "",
};
/* The format of our own plugin: docs/hooks.md. */
static const struct zs_hook_words opencode_words = {
	.deny = "{\"verdict\":\"deny\",\"reason\":$}\n",
	.rewrite = "{\"verdict\":\"allow\",\"args\":$}\n",
	.allow = "{\"verdict\":\"allow\"}\n",
	.deny_exit = ZS_EXIT_BLOCKED,
};
/* The exit code must be 0: Cline runs the command when it is 1 or 2. */
static const struct zs_hook_words cline_words = {
	.deny = "{\"cancel\":true,\"errorMessage\":$}\n",
	.rewrite = "{\"cancel\":false,\"overrideInput\":$}\n",
	.allow = "",
};
static const struct zs_hook_words cursor_words = {
	.deny = "{\"permission\":\"deny\",\"user_message\":$,\"agent_message\":$}\n", .allow = ""
};
const struct zs_hook_words zs_hook_plain_words = { .allow = "", .deny_exit = ZS_EXIT_BLOCKED };

const struct zs_hook_shape zs_hook_shapes[] = {
	{ ZS_AGENT_CLAUDE, "hook_event_name", "PreToolUse", "tool_name", "tool_input", NULL, &claude_words },
	{ ZS_AGENT_CODEX, "hook_event_name", "PreToolUse", "tool_name", "tool_input", NULL, &codex_words },
	{ ZS_AGENT_GEMINI, "hook_event_name", "BeforeTool", "tool_name", "tool_input", NULL, &gemini_words },
	{ ZS_AGENT_QWEN, "hook_event_name", "PreToolUse", "tool_name", "tool_input", NULL, &claude_fixed_words },
	/* preToolUse, then PreToolUse */
	{ ZS_AGENT_COPILOT, NULL, NULL, "toolName", "toolArgs", NULL, &copilot_words },
	{ ZS_AGENT_COPILOT, "hook_event_name", "PreToolUse", "tool_name", "tool_input", NULL, &claude_fixed_words },
	{ ZS_AGENT_OPENCODE, NULL, NULL, "tool", "args", NULL, &opencode_words },
	/* version 3.0, then the extension for editors before it */
	{ ZS_AGENT_CLINE, NULL, NULL, "tool_call.name", "tool_call.input", "workspaceRoots", &cline_words },
	{ ZS_AGENT_CLINE, NULL, NULL, "preToolUse.toolName", "preToolUse.parameters", "workspaceRoots", &cline_words },
	{ ZS_AGENT_CURSOR, "hook_event_name", "beforeShellExecution", NULL, "", "workspace_roots", &cursor_words },
	{ ZS_AGENT_WINDSURF, "agent_action_name", "pre_run_command", NULL, "tool_info", NULL, &zs_hook_plain_words },
	{ ZS_AGENT_ANTIGRAVITY, NULL, NULL, "toolCall.name", "toolCall.args", "workspacePaths", &decision_words },
	{ ZS_AGENT_KIMI, "hook_event_name", "PreToolUse", "tool_name", "tool_input", NULL, &claude_fixed_words },
	{ ZS_AGENT_GROK, NULL, NULL, "toolName", "toolInput", "workspaceRoot", &decision_words },
	{ ZS_AGENT_KIRO, NULL, NULL, "tool_name", "tool_input", NULL, &zs_hook_plain_words },
};
const size_t zs_hook_shape_count = ZS_COUNT(zs_hook_shapes);

/* Copilot's two events have different formats. Each of them blocks on any exit code but 0. */
const struct zs_hook_words *zs_hook_default_words(const struct zs_agent *agent)
{
	const struct zs_hook_words *found = NULL;

	for (size_t i = 0; agent && i < zs_hook_shape_count; i++) {
		if (zs_hook_shapes[i].agent != agent->number)
			continue;
		if (found && found != zs_hook_shapes[i].words)
			return &zs_hook_plain_words;
		found = zs_hook_shapes[i].words;
	}
	return found ? found : &zs_hook_plain_words;
}

void zs_hook_put_denial(FILE *out, const struct zs_hook_words *words, const char *reason)
{
	if (!words->deny) {
		fprintf(out, "%s\n", reason);
		return;
	}
	for (const char *at = words->deny; *at; at++)
		if (*at == '$')
			zs_json_text(&(struct zs_json){ out, false }, reason);
		else
			fputc(*at, out);
}

/* Tools that run no command. Copilot and Cline send the events of all tools; other agents do if a matcher asks for
 * it. */
static const char *const quiet[] = {
	"apply_patch", /* Codex: its "command" is a patch */
	"read_bash", "stop_bash", "list_bash", "read_powershell", "stop_powershell", "list_powershell", /* Copilot */
	"BashOutput", "KillBash", "KillShell",                                                          /* Claude */
	"str_replace_editor", "str_replace_based_edit_tool", "editor", /* their "command" is "view", "create", … */
};

/* Parts of the names of shell tools. A tool that types into a running shell (Copilot's write_bash) has no command that
 * zs could read, and is always denied. */
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
