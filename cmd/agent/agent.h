/* The agents whose hooks zs answers. One row for each says where it keeps its hooks, and the form of ours. */
#ifndef ZS_CMD_AGENT_H
#define ZS_CMD_AGENT_H

#include <stdbool.h>

#include "git/obeyed.h"

/* enumerator, id, title, the name of its shell tool for a matcher (NULL: the event exists for commands alone), whether
 * its hooks can rewrite a command. Qwen Code documents rewriting and ignores it. */
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
	const char *shell; /* its tool that runs commands; NULL: its event exists for commands alone */
	bool rewrites;     /* a hook may change the command, so --confine works */
};

/* In the order above. */
extern const struct zs_agent zs_agents[ZS_AGENT_COUNT];

/* NULL: no agent has that id. */
const struct zs_agent *zs_agent_find(const char *id);

/* Returns the id nearest to a misspelt one; NULL: none is near. */
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
	const char *variable;        /* the variable that names the folder; NULL: none */
	const char *variable_folder; /* the folder below the variable's; NULL: that one itself */
	/* Rows of obeyed.h, which protects these places from runs: below HOME if the variable is not set; below a
	 * project.
	 */
	enum zs_obeyed_id places[ZS_SCOPE_COUNT];
	const char *files[ZS_SCOPE_COUNT]; /* the file below that folder; NULL: none */
	enum zs_config_form form;
	bool comments;                            /* the agent accepts // and C comments in its JSON */
	const char *keys[ZS_CONFIG_KEYS_MAX + 1]; /* JSON: the keys that lead to the array */
	const char *entry;                        /* JSON: our entry, a tab for each level; $ is the command */
	const char *rest;                         /* JSON: further members of a new file; NULL: none */
	const char *off[ZS_CONFIG_KEYS_MAX + 1];  /* JSON: the keys that lead to a setting that turns all hooks off */
	bool off_value;                           /* the value that turns them off */
	const char *local;                        /* a further file of a project that may hold that setting */
	/* A variable that tells hooks the project, since an event names only the session's present directory. NULL:
	 * none.
	 */
	const char *project;
	const char *programs[ZS_CONFIG_PROGRAMS_MAX + 1];
	const char *advice[ZS_SCOPE_COUNT]; /* the user's next step after the installation; NULL: none */
};

extern const struct zs_agent_config zs_agent_configs[ZS_AGENT_COUNT];

#endif
