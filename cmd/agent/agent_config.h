/* Where an agent keeps its hooks, and what ours looks like there: a row of data for each. */
#ifndef ZS_CMD_AGENT_CONFIG_H
#define ZS_CMD_AGENT_CONFIG_H

#include <stdbool.h>

#include "agent/agent.h"
#include "git/obeyed.h"

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
	bool off_value;                          /* what it is then */
	const char *local;                       /* a further file of a project in which that may stand */
	const char *programs[ZS_CONFIG_PROGRAMS_MAX + 1];
	const char *advice[ZS_SCOPE_COUNT]; /* what remains to be done; NULL: nothing */
};

extern const struct zs_agent_config zs_agent_configs[ZS_AGENT_COUNT];

#endif
