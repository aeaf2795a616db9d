/* What was run with the real clients, and what stands in their documentation: docs/hooks.md says which is which. */
#include "agent_config.h"

#include <stddef.h>

const char *const zs_scope_names[ZS_SCOPE_COUNT] = { "user", "project" };

/* A hook that is slow is a command that runs, with all agents but Cursor and Claude Code; so each has a minute. zs
 * needs some milliseconds. */
#define SECONDS "60"
#define MILLISECONDS "60000"

/* Claude Code's shape, which others have as well. */
#define GROUP(matcher, timeout, more)                                                                                  \
	"{\n"                                                                                                          \
	"\t\"matcher\": \"" matcher "\",\n"                                                                            \
	"\t\"hooks\": [\n"                                                                                             \
	"\t\t{\n"                                                                                                      \
	"\t\t\t\"type\": \"command\",\n"                                                                               \
	"\t\t\t\"command\": $,\n"                                                                                      \
	"\t\t\t\"timeout\": " timeout more "\n"                                                                        \
	"\t\t}\n"                                                                                                      \
	"\t]\n"                                                                                                        \
	"}"

#define CODEX_ADVICE                                                                                                   \
	"Codex does not run a hook that you have not trusted, and does not say so: start codex, type /hooks, and "     \
	"trust this one; again after each change of it"

const struct zs_agent_config zs_agent_configs[ZS_AGENT_COUNT] = {
	[ZS_AGENT_CLAUDE] = {
		.variable = "CLAUDE_CONFIG_DIR", .folder = ".claude",
		.files = { "settings.json", ".claude/settings.json" },
		.keys = { "hooks", "PreToolUse" },
		/* Without onFailure a hook that crashes lets the command run. */
		.entry = GROUP("Bash", SECONDS, ",\n\t\t\t\"onFailure\": \"block\""),
		.off = { "disableAllHooks" }, .off_value = true, .local = ".claude/settings.local.json",
		.programs = { "claude" },
	},
	[ZS_AGENT_CODEX] = {
		.variable = "CODEX_HOME", .folder = ".codex",
		.files = { "hooks.json", ".codex/hooks.json" },
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("Bash", SECONDS, ""),
		.programs = { "codex" },
		.advice = { CODEX_ADVICE, CODEX_ADVICE },
	},
	[ZS_AGENT_GEMINI] = {
		.folder = ".gemini",
		.files = { "settings.json", ".gemini/settings.json" },
		.comments = true,
		.keys = { "hooks", "BeforeTool" },
		.entry = GROUP("run_shell_command", MILLISECONDS, ""),
		.off = { "hooksConfig", "enabled" }, .off_value = false,
		.programs = { "gemini" },
	},
	[ZS_AGENT_QWEN] = {
		.folder = ".qwen",
		.files = { "settings.json", ".qwen/settings.json" },
		.comments = true,
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("run_shell_command", SECONDS, ""),
		.off = { "disableAllHooks" }, .off_value = true,
		.programs = { "qwen" },
	},
	[ZS_AGENT_COPILOT] = {
		.folder = ".copilot",
		.files = { "hooks/zs.json", ".github/hooks/zs.json" },
		.keys = { "hooks", "preToolUse" },
		.entry = "{\n"
			 "\t\"type\": \"command\",\n"
			 "\t\"bash\": $,\n"
			 "\t\"timeoutSec\": " SECONDS "\n"
			 "}",
		.rest = "\"version\": 1",
		.programs = { "copilot" },
	},
	[ZS_AGENT_OPENCODE] = {
		.variable = "XDG_CONFIG_HOME", .variable_folder = "opencode", .folder = ".config/opencode",
		.files = { "plugin/zs.js", ".opencode/plugin/zs.js" },
		.form = ZS_CONFIG_PLUGIN,
		.programs = { "opencode" },
	},
	[ZS_AGENT_CLINE] = {
		.folder = ".cline",
		.files = { "hooks/PreToolUse", ".clinerules/hooks/PreToolUse" },
		.form = ZS_CONFIG_SCRIPT,
		.programs = { "cline" },
	},
	[ZS_AGENT_CURSOR] = {
		.folder = ".cursor",
		.files = { "hooks.json", ".cursor/hooks.json" },
		.keys = { "hooks", "beforeShellExecution" },
		.entry = "{\n"
			 "\t\"command\": $,\n"
			 "\t\"timeout\": " SECONDS ",\n"
			 "\t\"failClosed\": true\n"
			 "}",
		.rest = "\"version\": 1",
		.programs = { "cursor-agent", "cursor" },
	},
	[ZS_AGENT_WINDSURF] = {
		.folder = ".codeium/windsurf",
		.files = { "hooks.json", ".windsurf/hooks.json" },
		.keys = { "hooks", "pre_run_command" },
		.entry = "{\n"
			 "\t\"command\": $,\n"
			 "\t\"show_output\": true\n"
			 "}",
		.programs = { "windsurf" },
	},
	/* The outer key is a name that a hook's owner chooses. */
	[ZS_AGENT_ANTIGRAVITY] = {
		.folder = ".gemini/config",
		.files = { "hooks.json", ".agents/hooks.json" },
		.keys = { "zs", "PreToolUse" },
		.entry = GROUP("run_command", SECONDS, ""),
		.programs = { "agy", "antigravity" },
	},
	[ZS_AGENT_KIMI] = {
		.folder = ".kimi-code",
		.files = { "config.toml", NULL },
		.form = ZS_CONFIG_TOML,
		.programs = { "kimi" },
	},
	[ZS_AGENT_GROK] = {
		.folder = ".grok",
		.files = { "hooks/zs.json", ".grok/hooks/zs.json" },
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("run_terminal_command|Bash", SECONDS, ""),
		.programs = { "grok" },
		.advice = { NULL, "Grok runs a project's hooks once they are trusted: start grok, type /hooks-trust" },
	},
	[ZS_AGENT_KIRO] = {
		.folder = ".kiro",
		.files = { "hooks/zs.json", ".kiro/hooks/zs.json" },
		.keys = { "hooks" },
		.entry = "{\n"
			 "\t\"name\": \"zs\",\n"
			 "\t\"trigger\": \"PreToolUse\",\n"
			 "\t\"matcher\": \"execute_bash|shell\",\n"
			 "\t\"action\": {\n"
			 "\t\t\"type\": \"command\",\n"
			 "\t\t\"command\": $\n"
			 "\t},\n"
			 "\t\"timeout\": " SECONDS "\n"
			 "}",
		.rest = "\"version\": \"v1\"",
		.programs = { "kiro-cli", "kiro" },
	},
};
