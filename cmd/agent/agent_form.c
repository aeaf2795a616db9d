#include "agent/agent_form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"

static const char step[] = "install";

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
	/* Keeps the end of a long path, so that there is room for the place in the file. */
	if (strlen(path) > sizeof place - 64)
		path += strlen(path) - (sizeof place - 64);
	snprintf(place, sizeof place, "%s: line %zu, column %zu", path, line, column);
	zs_error_say(error, step, place, EINVAL, "%s", what);
	return zs_error_hint(error, -EINVAL, "%s", hint);
}

int zs_agent_text_uninstall(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	const struct zs_agent_form *form = zs_agent_form_of(old->agent);
	struct zs_agent_text text = *old;
	struct zs_agent_hook hook = { .found = false };
	ZS_AUTO_FREE char *owner = old->text ? malloc(old->len + 1) : NULL;
	int r = 0;

	if (!owner && old->text)
		return zs_error_errno(error, step, old->path, ENOMEM);
	if (old->text)
		text.text = memcpy(owner, old->text, old->len + 1);
	while (text.text && (r = form->look(&text, &hook, error)) == 0 && hook.found) {
		struct zs_agent_change change;

		r = form->take_out(&text, &change, error);
		if (r < 0)
			return r;
		free(owner);
		text.text = owner = change.text;
		text.len = change.len;
	}
	if (r == 0)
		*ret_new = (struct zs_agent_change){ ZS_STEAL(owner), text.len };
	return r;
}

int zs_agent_text_install(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	const struct zs_agent_form *form = zs_agent_form_of(old->agent);
	struct zs_agent_change rest = { NULL, 0 }, new = { NULL, 0 };
	struct zs_agent_text text = *old;
	struct zs_agent_hook hook = { .found = false };
	int r = old->text ? form->look(old, &hook, error) : 0;

	if (r == 0 && hook.found && !hook.alone) {
		r = zs_agent_text_uninstall(old, &rest, error);
		text.text = rest.text;
		text.len = rest.len;
	}
	if (r == 0)
		r = form->put(&text, command, &new, error);
	free(rest.text);
	/* Parses the text that is about to be written, and fails unless our hook is found in it. An agent's parser may
	 * see more than ours, such as a key that is written with escapes. */
	if (r == 0)
		r = form->look(&(struct zs_agent_text){ old->agent, old->path, new.text, new.len }, &hook, error);
	if (r == 0 && !(hook.found && hook.intact && zs_hook_call_equal(&hook.command, command)))
		r = zs_error_say(error, step, old->path, EINVAL,
			"the file would not contain the hook of zs; add the hook by hand, or write the keys of the "
			"file without escapes");
	if (r == 0)
		*ret_new = new;
	else
		free(new.text);
	return r;
}
