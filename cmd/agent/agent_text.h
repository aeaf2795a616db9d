/* The text of an agent's configuration, and what becomes of it. Pure. */
#ifndef ZS_CMD_AGENT_TEXT_H
#define ZS_CMD_AGENT_TEXT_H

#include <stddef.h>

#include "agent/agent_config.h"
#include "agent/hook_call.h"
#include "zs_sandbox.h"

struct zs_agent_text {
	const struct zs_agent *agent;
	const char *path; /* for messages */
	const char *text; /* ends with a NUL, and may hold others; NULL: there is no file */
	size_t len;
};

/* The changed text. free() text. */
struct zs_agent_change {
	char *text; /* NULL: the file is to go */
	size_t len;
};

struct zs_agent_hook {
	bool found;
	bool covers;  /* the agent's shell */
	bool enabled; /* it, and hooks as such, by this file */
	bool intact;  /* as we would write it */
	struct zs_hook_call command;
};

/* "PATH: line 3, column 7: WHAT", with a hint. */
int zs_agent_text_fail(
	const struct zs_agent_text *text, size_t at, const char *what, const char *hint, struct zs_error *error);

/* The same bytes again. */
int zs_agent_text_keep(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);

#endif
