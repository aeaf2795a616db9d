#include "agent/agent_form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	/* Keeps the end of a long path: the place in the file is worth more than its start. */
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
