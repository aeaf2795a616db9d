/* The command line by which an agent's configuration calls zs. Pure. */
#ifndef ZS_CMD_HOOK_CALL_H
#define ZS_CMD_HOOK_CALL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"

struct zs_hook_call {
	const struct zs_agent *agent;
	char zs[PATH_MAX]; /* absolute in a call that zs writes */
	char profile[16];  /* "": the call names none */
	bool confine;
	bool odd; /* a call that was read does more than to call zs */
};

/* The words alone, or followed by the words that turn a failure into a denial. */
enum zs_hook_form { ZS_HOOK_WORDS, ZS_HOOK_GUARDED };

/* free() it; NULL: out of memory. */
char *zs_hook_call_text(const struct zs_hook_call *command, enum zs_hook_form form);

/* Is the text a call of zs hook for that agent, whatever path it names? */
bool zs_hook_call_read(const char *text, size_t len, const struct zs_agent *agent, struct zs_hook_call *ret_command);

bool zs_hook_call_equal(const struct zs_hook_call *a, const struct zs_hook_call *b);

#endif
