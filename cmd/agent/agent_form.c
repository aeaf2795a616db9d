#include "agent/agent_form.h"

#include <stdlib.h>

static const struct zs_agent_form *form_of(const struct zs_agent_text *text)
{
	switch (zs_agent_configs[text->agent->number].form) {
	case ZS_CONFIG_JSON:
		return &zs_agent_form_json;
	case ZS_CONFIG_TOML:
		return &zs_agent_form_toml;
	case ZS_CONFIG_SCRIPT:
		return &zs_agent_form_script;
	case ZS_CONFIG_PLUGIN:
		return &zs_agent_form_plugin;
	}
	abort();
}

int zs_agent_text_install(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	return form_of(old)->install(old, command, ret_new, error);
}

int zs_agent_text_uninstall(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	return form_of(old)->uninstall(old, ret_new, error);
}

int zs_agent_text_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error)
{
	*ret_hook = (struct zs_agent_hook){ .found = false };
	return text->text ? form_of(text)->look(text, ret_hook, error) : 0;
}
