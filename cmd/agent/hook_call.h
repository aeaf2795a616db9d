/* The command line by which an agent calls zs, as it stands in the agent's configuration. Pure. */
#ifndef ZS_CMD_HOOK_CALL_H
#define ZS_CMD_HOOK_CALL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"

struct zs_hook_call {
	const struct zs_agent *agent;
	char zs[PATH_MAX]; /* absolute, in what we write */
	char profile[16];  /* "": none is named */
	bool confine;
	bool odd; /* of one that was read: the shell is told more than to call zs */
};

/* The words alone, or with the addition that makes a no of their failure. */
enum zs_hook_form { ZS_HOOK_WORDS, ZS_HOOK_GUARDED };

/* free() it; NULL: out of memory. */
char *zs_hook_call_text(const struct zs_hook_call *command, enum zs_hook_form form);

/* Is the text a call of zs hook for that agent, by whatever path? */
bool zs_hook_call_read(const char *text, size_t len, const struct zs_agent *agent, struct zs_hook_call *ret_command);

bool zs_hook_call_equal(const struct zs_hook_call *a, const struct zs_hook_call *b);

#endif
