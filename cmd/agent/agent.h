/* The agents whose hooks zs answers, and where their events have what it needs. */
#ifndef ZS_CMD_AGENT_H
#define ZS_CMD_AGENT_H

#include <stdbool.h>

/* enumerator, id, title, the tool that is a shell (what a matcher names; NULL: the event is of commands alone), can its
 * hooks rewrite a command? Qwen Code documents it and passes over it. */
#define ZS_AGENTS(X)                                                                                                   \
	X(CLAUDE, "claude", "Claude Code", "Bash", true)                                                               \
	X(CODEX, "codex", "Codex", "Bash", true)                                                                       \
	X(GEMINI, "gemini", "Gemini CLI", "run_shell_command", true)                                                   \
	X(QWEN, "qwen", "Qwen Code", "run_shell_command", false)                                                       \
	X(COPILOT, "copilot", "Copilot CLI", "bash", true)                                                             \
	X(OPENCODE, "opencode", "opencode", "bash", true)                                                              \
	X(CLINE, "cline", "Cline", "run_commands", true)                                                               \
	X(CURSOR, "cursor", "Cursor", NULL, false)                                                                     \
	X(WINDSURF, "windsurf", "Windsurf", NULL, false)                                                               \
	X(ANTIGRAVITY, "antigravity", "Antigravity", "run_command", false)                                             \
	X(KIMI, "kimi", "Kimi Code", "Bash", false)                                                                    \
	X(GROK, "grok", "Grok", "run_terminal_command", false)                                                         \
	X(KIRO, "kiro", "Kiro", "execute_bash", false)

/* Their ids, as the words of a subcommand. */
#define ZS_AGENT_WORD(enumerator, id, title, shell, rewrites) id "|"
#define ZS_AGENT_WORDS ZS_AGENTS(ZS_AGENT_WORD)

enum zs_agent_id {
#define X(enumerator, id, title, shell, rewrites) ZS_AGENT_##enumerator,
	ZS_AGENTS(X)
#undef X
		ZS_AGENT_COUNT
};

struct zs_agent {
	enum zs_agent_id number;
	const char *id;    /* as in: zs hook claude */
	const char *title; /* as its makers write it */
	const char *shell; /* its tool that runs commands; NULL: its event is of nothing else */
	bool rewrites;     /* a hook may change the command, so --confine can be had */
};

/* In the order above. */
extern const struct zs_agent zs_agents[ZS_AGENT_COUNT];

/* NULL: there is none of that id. */
const struct zs_agent *zs_agent_find(const char *id);

/* The id that was meant; NULL: none is near. */
const char *zs_agent_nearest(const char *id);

#endif
