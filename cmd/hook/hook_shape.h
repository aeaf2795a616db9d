/* How an agent announces a command, and how it hears a denial: a row each, two where an agent has two ways. */
#ifndef ZS_CMD_HOOK_SHAPE_H
#define ZS_CMD_HOOK_SHAPE_H

#include <stddef.h>
#include <stdio.h>

#include "agent/agent.h"

/* A place in an event is the keys that lead to it, with dots between them. */
struct zs_hook_shape {
	enum zs_agent_id agent;
	const char *event_key, *event_name; /* the event has this name there; NULL: its name is not looked at */
	const char *tool;                   /* the tool's name; NULL: the event is of the shell alone */
	const char *input;                  /* what the tool is given; "": the event itself */
	const char *roots;                  /* the workspace's folders, or the only one; NULL: it does not say */
	const struct zs_hook_words *words;
};

/* The words that the agent understands. Not a key more: Codex runs the command when there is one. */
struct zs_hook_words {
	const char *deny;    /* a $ is the reason, as a string of JSON; NULL: on stderr, with exit code 2 */
	const char *rewrite; /* the $ is the tool's new input; NULL: it cannot be changed */
	const char *allow;   /* "": silence */
	int deny_exit;
};

extern const struct zs_hook_shape zs_hook_shapes[];
extern const size_t zs_hook_shape_count;

/* For an agent that is not known, or that has two ways and sends what cannot be read: stderr, exit code 2. */
extern const struct zs_hook_words zs_hook_plain_words;

/* The words for an agent of which no event could be read. agent may be NULL. */
const struct zs_hook_words *zs_hook_default_words(const struct zs_agent *agent);

/* The denial: what belongs on stdout, or on stderr when that is where it is heard. */
void zs_hook_put_denial(FILE *out, const struct zs_hook_words *words, const char *reason);

/* Which tools run commands. */
enum zs_hook_tool {
	ZS_HOOK_TOOL_SHELL, /* it runs commands: without one that can be read it is refused */
	ZS_HOOK_TOOL_OTHER, /* nobody knows; a command that it is given is read as a shell's */
	ZS_HOOK_TOOL_QUIET, /* it is known to run none, though its name or input looks like it */
};

enum zs_hook_tool zs_hook_tool_named(const struct zs_agent *agent, const char *name);

#endif
