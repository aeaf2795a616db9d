/* A command that runs inside instead: zs run … -- bash -c 'COMMAND'. */
#ifndef ZS_CMD_HOOK_CONFINE_H
#define ZS_CMD_HOOK_CONFINE_H

#include "hook/hook_event.h"

/* The words in front of the command, up to what bash is given. */
struct zs_hook_prefix {
	const char **words;
	size_t count;
	char *text; /* of a shell, with a blank at the end; made by zs_hook_prefix_done() */
};

/* False: out of memory. The words are the caller's. zs_hook_prefix_free() it either way. */
bool zs_hook_prefix_add(struct zs_hook_prefix *prefix, const char *word);
bool zs_hook_prefix_done(struct zs_hook_prefix *prefix);
void zs_hook_prefix_free(struct zs_hook_prefix *prefix);

/* The command that was wrapped by this very prefix, which is nothing less than wrapping it; free() it. NULL: it is not
 * wrapped. A zs run that a model itself writes is a command like any other. */
char *zs_hook_unwrap(const struct zs_hook_prefix *prefix, const struct zs_event_command *command);

/* The tool's input with its commands wrapped, and every other byte as it was. False: out of memory. */
bool zs_hook_put_confined(FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix);

#endif
