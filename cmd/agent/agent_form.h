/* An agent's configuration, in the form that its agent reads: with our hook, without it, and whether it is there. Pure.
 */
#ifndef ZS_CMD_AGENT_FORM_H
#define ZS_CMD_AGENT_FORM_H

#include "agent/agent_text.h"

/* Each returns 0 or a negative errno; *error says file, line, column and cure. */
int zs_agent_text_install(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error);
int zs_agent_text_uninstall(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);
int zs_agent_text_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error);

/* Does this file, of whatever is in it, turn all hooks off? False as well when it cannot be read. */
bool zs_agent_text_turns_off(const struct zs_agent_text *text);

/* One of each form. */
struct zs_agent_form {
	int (*install)(const struct zs_agent_text *old, const struct zs_hook_call *command,
		struct zs_agent_change *ret_new, struct zs_error *error);
	int (*uninstall)(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error);
	int (*look)(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error);
};

extern const struct zs_agent_form zs_agent_form_json, zs_agent_form_toml, zs_agent_form_script, zs_agent_form_plugin;

#endif
