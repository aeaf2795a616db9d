/* The agents whose hooks zs answers; where each keeps its hooks, and how ours looks there: a row of data for each. */
#ifndef ZS_CMD_AGENT_H
#define ZS_CMD_AGENT_H

#include <stdbool.h>

#include "git/obeyed.h"

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

enum zs_config_form {
	ZS_CONFIG_JSON,   /* an entry in an array */
	ZS_CONFIG_TOML,   /* a [[hooks]] table */
	ZS_CONFIG_SCRIPT, /* an executable file of its own */
	ZS_CONFIG_PLUGIN, /* a file of JavaScript of its own */
};

enum zs_config_scope { ZS_SCOPE_USER, ZS_SCOPE_PROJECT, ZS_SCOPE_COUNT };
extern const char *const zs_scope_names[ZS_SCOPE_COUNT];

enum { ZS_CONFIG_KEYS_MAX = 2, ZS_CONFIG_PROGRAMS_MAX = 2, ZS_CONFIG_FILE_BYTES_MAX = 1 << 20 };

struct zs_agent_config {
	const char *variable;        /* names the folder; NULL: none does */
	const char *variable_folder; /* below what the variable names; NULL: it is the folder itself */
	/* Rows of obeyed.h, so that no run may write there: below HOME, when the variable is not set; below a project.
	 */
	enum zs_obeyed_id places[ZS_SCOPE_COUNT];
	const char *files[ZS_SCOPE_COUNT]; /* below that folder; NULL: there is none */
	enum zs_config_form form;
	bool comments;                            /* the agent takes // and C comments in its JSON */
	const char *keys[ZS_CONFIG_KEYS_MAX + 1]; /* of JSON: the way to the array */
	const char *entry;                        /* of JSON: ours, a tab a level; a $ is the command */
	const char *rest; /* of JSON: what else a file needs that is made for it; NULL: nothing */
	const char *off[ZS_CONFIG_KEYS_MAX + 1]; /* of JSON: the way to a setting that turns all hooks off */
	bool off_value;                          /* the value that turns them off */
	const char *local;                       /* a further file of a project in which that may stand */
	/* A variable that tells hooks the project; an event says which directory the session is in by now. NULL: none.
	 */
	const char *project;
	const char *programs[ZS_CONFIG_PROGRAMS_MAX + 1];
	const char *advice[ZS_SCOPE_COUNT]; /* what remains to be done; NULL: nothing */
};

extern const struct zs_agent_config zs_agent_configs[ZS_AGENT_COUNT];

#endif
