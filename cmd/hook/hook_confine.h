/* Wraps a command so that it runs in the sandbox: zs run … -- bash -c 'COMMAND'. */
#ifndef ZS_CMD_HOOK_CONFINE_H
#define ZS_CMD_HOOK_CONFINE_H

#include "hook/hook_event.h"

/* The words in front of the command, up to bash's -c and --. */
struct zs_hook_prefix {
	const char **words;
	size_t count;
	char *text; /* the words for a shell, with a blank at the end; set by zs_hook_prefix_done() */
};

/* Adds a word, which is not copied. False: out of memory. Call zs_hook_prefix_free() in either case. */
bool zs_hook_prefix_add(struct zs_hook_prefix *prefix, const char *word);
bool zs_hook_prefix_done(struct zs_hook_prefix *prefix);
void zs_hook_prefix_free(struct zs_hook_prefix *prefix);

/* Returns the command inside, if this exact prefix wraps it; free() it. NULL: it is not wrapped. A zs run that the
 * model itself has written counts as an ordinary command. */
char *zs_hook_unwrap(const struct zs_hook_prefix *prefix, const struct zs_event_command *command);

/* Writes the tool's input with its commands wrapped and every other byte unchanged. False: out of memory. */
bool zs_hook_put_confined(FILE *out, const struct zs_hook_event *event, const struct zs_hook_prefix *prefix);

#endif
