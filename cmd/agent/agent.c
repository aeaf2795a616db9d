/* docs/hooks.md says which rows were run with the real clients, and which follow their documentation. */
#include "agent/agent.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

const struct zs_agent zs_agents[ZS_AGENT_COUNT] = {
#define X(enumerator, id, title, shell, rewrites) { ZS_AGENT_##enumerator, id, title, shell, rewrites },
	ZS_AGENTS(X)
#undef X
};

const struct zs_agent *zs_agent_find(const char *id)
{
	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		if (strcmp(zs_agents[i].id, id) == 0)
			return &zs_agents[i];
	return NULL;
}

const char *zs_agent_nearest(const char *id)
{
	const char *ids[ZS_AGENT_COUNT];

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++)
		ids[i] = zs_agents[i].id;
	return zs_nearest(id, ids, ZS_AGENT_COUNT);
}

const char *const zs_scope_names[ZS_SCOPE_COUNT] = { "user", "project" };

/* All agents but Cursor and Claude Code run the command when a hook exceeds its time limit. So each hook gets a minute,
 * though zs needs only milliseconds. */
#define SECONDS "60"
#define MILLISECONDS "60000"

/* Claude Code's format, which other agents share. */
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
		.variable = "CLAUDE_CONFIG_DIR",
		.places = { ZS_OBEYED_CLAUDE, ZS_OBEYED_CLAUDE },
		.files = { "settings.json", "settings.json" },
		.keys = { "hooks", "PreToolUse" },
		/* Without onFailure a hook that crashes lets the command run. */
		.entry = GROUP("Bash", SECONDS, ",\n\t\t\t\"onFailure\": \"block\""),
		.off = { "disableAllHooks" }, .off_value = true, .local = ".claude/settings.local.json",
		.project = "CLAUDE_PROJECT_DIR",
		.programs = { "claude" },
	},
	[ZS_AGENT_CODEX] = {
		.variable = "CODEX_HOME",
		.places = { ZS_OBEYED_CODEX, ZS_OBEYED_CODEX },
		.files = { "hooks.json", "hooks.json" },
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("Bash", SECONDS, ""),
		.programs = { "codex" },
		.advice = { CODEX_ADVICE, CODEX_ADVICE },
	},
	[ZS_AGENT_GEMINI] = {
		.places = { ZS_OBEYED_GEMINI, ZS_OBEYED_GEMINI },
		.files = { "settings.json", "settings.json" },
		.comments = true,
		.keys = { "hooks", "BeforeTool" },
		.entry = GROUP("run_shell_command", MILLISECONDS, ""),
		.off = { "hooksConfig", "enabled" }, .off_value = false,
		.project = "GEMINI_PROJECT_DIR",
		.programs = { "gemini" },
	},
	[ZS_AGENT_QWEN] = {
		.places = { ZS_OBEYED_QWEN, ZS_OBEYED_QWEN },
		.files = { "settings.json", "settings.json" },
		.comments = true,
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("run_shell_command", SECONDS, ""),
		.off = { "disableAllHooks" }, .off_value = true,
		.project = "QWEN_PROJECT_DIR",
		.programs = { "qwen" },
	},
	[ZS_AGENT_COPILOT] = {
		.places = { ZS_OBEYED_COPILOT, ZS_OBEYED_COPILOT_HOOKS },
		.files = { "hooks/zs.json", "zs.json" },
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
		.variable = "XDG_CONFIG_HOME", .variable_folder = "opencode",
		.places = { ZS_OBEYED_OPENCODE_HOME, ZS_OBEYED_OPENCODE },
		.files = { "plugin/zs.js", "plugin/zs.js" },
		.form = ZS_CONFIG_PLUGIN,
		.programs = { "opencode" },
	},
	[ZS_AGENT_CLINE] = {
		.places = { ZS_OBEYED_CLINE, ZS_OBEYED_CLINERULES },
		.files = { "hooks/PreToolUse", "hooks/PreToolUse" },
		.form = ZS_CONFIG_SCRIPT,
		.programs = { "cline" },
	},
	[ZS_AGENT_CURSOR] = {
		.places = { ZS_OBEYED_CURSOR, ZS_OBEYED_CURSOR },
		.files = { "hooks.json", "hooks.json" },
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
		.places = { ZS_OBEYED_WINDSURF_HOME, ZS_OBEYED_WINDSURF },
		.files = { "hooks.json", "hooks.json" },
		.keys = { "hooks", "pre_run_command" },
		.entry = "{\n"
			 "\t\"command\": $,\n"
			 "\t\"show_output\": true\n"
			 "}",
		.programs = { "windsurf" },
	},
	/* The owner of a hook chooses the name of the outer key. */
	[ZS_AGENT_ANTIGRAVITY] = {
		.places = { ZS_OBEYED_ANTIGRAVITY_HOME, ZS_OBEYED_AGENTS },
		.files = { "hooks.json", "hooks.json" },
		.keys = { "zs", "PreToolUse" },
		.entry = GROUP("run_command", SECONDS, ""),
		.programs = { "agy", "antigravity" },
	},
	[ZS_AGENT_KIMI] = {
		.places = { ZS_OBEYED_KIMI, ZS_OBEYED_KIMI },
		.files = { "config.toml", NULL },
		.form = ZS_CONFIG_TOML,
		.programs = { "kimi" },
	},
	[ZS_AGENT_GROK] = {
		.places = { ZS_OBEYED_GROK, ZS_OBEYED_GROK },
		.files = { "hooks/zs.json", "hooks/zs.json" },
		.keys = { "hooks", "PreToolUse" },
		.entry = GROUP("run_terminal_command|Bash", SECONDS, ""),
		.programs = { "grok" },
		.advice = { NULL, "Grok runs a project's hooks once they are trusted: start grok, type /hooks-trust" },
	},
	[ZS_AGENT_KIRO] = {
		.places = { ZS_OBEYED_KIRO, ZS_OBEYED_KIRO },
		.files = { "hooks/zs.json", "hooks/zs.json" },
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
