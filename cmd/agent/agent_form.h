/* Adds our hook to the text of an agent's configuration, removes it and finds it, in the form that the agent reads.
 * Pure. */
#ifndef ZS_CMD_AGENT_FORM_H
#define ZS_CMD_AGENT_FORM_H

#include <stddef.h>
#include <stdlib.h>

#include "agent/agent.h"
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
	char *text; /* NULL: remove the file */
	size_t len;
};

struct zs_agent_hook {
	bool found;
	bool alone;   /* it can be replaced; else remove others of our hooks first */
	bool covers;  /* it matches the agent's shell */
	bool enabled; /* this file switches neither it nor all hooks off */
	bool intact;  /* it is as we would write it */
	struct zs_hook_call command;
};

/* "PATH: line 3, column 7: WHAT", with a hint. */
int zs_agent_text_fail(
	const struct zs_agent_text *text, size_t at, const char *what, const char *hint, struct zs_error *error);

/* Each function returns 0 or a negative errno; *error names file, line, column and remedy. */
struct zs_agent_form {
	/* Finds the first of our hooks in a file that exists. */
	int (*look)(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error);
	/* Adds the hook, or replaces ours where it is `alone`. */
	int (*put)(const struct zs_agent_text *old, const struct zs_hook_call *command, struct zs_agent_change *ret_new,
		struct zs_error *error);
	/* Removes one of our hooks; there is at least one. */
	int (*take_out)(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);
};

extern const struct zs_agent_form zs_agent_form_json, zs_agent_form_toml, zs_agent_form_whole;

static inline const struct zs_agent_form *zs_agent_form_of(const struct zs_agent *agent)
{
	switch (zs_agent_configs[agent->number].form) {
	case ZS_CONFIG_JSON:
		return &zs_agent_form_json;
	case ZS_CONFIG_TOML:
		return &zs_agent_form_toml;
	case ZS_CONFIG_SCRIPT:
	case ZS_CONFIG_PLUGIN:
		return &zs_agent_form_whole;
	}
	abort();
}

/* Make the text with this hook as the only one of ours, and without any of ours. */
int zs_agent_text_install(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error);
int zs_agent_text_uninstall(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);

/* Does this file turn all hooks off? False too if it cannot be parsed. */
bool zs_agent_text_turns_off(const struct zs_agent_text *text);

#endif
