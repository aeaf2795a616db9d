/* An agent's configuration as text, in the form that its agent reads: with our hook, without it, and whether it is
 * there. Pure. */
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
	char *text; /* NULL: the file is to go */
	size_t len;
};

struct zs_agent_hook {
	bool found;
	bool alone;   /* another can take its place; else some are to be taken out first */
	bool covers;  /* the agent's shell */
	bool enabled; /* it, and hooks as such, by this file */
	bool intact;  /* as we would write it */
	struct zs_hook_call command;
};

/* "PATH: line 3, column 7: WHAT", with a hint. */
int zs_agent_text_fail(
	const struct zs_agent_text *text, size_t at, const char *what, const char *hint, struct zs_error *error);

/* Each returns 0 or a negative errno; *error says file, line, column and cure. */
struct zs_agent_form {
	/* The first of our hooks, in a file that is there. */
	int (*look)(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error);
	/* With the hook in the place of the one that is alone, or added. */
	int (*put)(const struct zs_agent_text *old, const struct zs_hook_call *command, struct zs_agent_change *ret_new,
		struct zs_error *error);
	/* Without one of our hooks, of which there are some. */
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

/* The text with this hook and no other of ours, and without any. */
int zs_agent_text_install(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error);
int zs_agent_text_uninstall(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);

/* Does this file, of whatever is in it, turn all hooks off? False as well when it cannot be read. */
bool zs_agent_text_turns_off(const struct zs_agent_text *text);

#endif
