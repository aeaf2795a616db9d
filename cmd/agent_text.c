#include "agent_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static const char step[] = "install";

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

int zs_agent_text_fail(
	const struct zs_agent_text *text, size_t at, const char *what, const char *hint, struct zs_error *error)
{
	char place[sizeof error->object];
	size_t line = 1, column = 1;
	const char *path = text->path;

	for (size_t i = 0; i < at && i < text->len; i++) {
		column = text->text[i] == '\n' ? 1 : column + 1;
		line += text->text[i] == '\n';
	}
	/* Of a long path the end: the place in the file is worth more than its start. */
	if (strlen(path) > sizeof place - 64)
		path += strlen(path) - (sizeof place - 64);
	snprintf(place, sizeof place, "%s: line %zu, column %zu", path, line, column);
	zs_error_say(error, step, place, EINVAL, "%s", what);
	return zs_error_hint(error, -EINVAL, "%s", hint);
}

int zs_agent_text_keep(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	char *text = malloc(old->len + 1);

	if (!text)
		return zs_error_errno(error, step, old->path, ENOMEM);
	memcpy(text, old->text, old->len);
	text[old->len] = '\0';
	*ret_new = (struct zs_agent_change){ text, old->len };
	return 0;
}
