/* How an agent announces a command, and in which format it takes a denial. Each agent has a row, or two if it has two
 * events. */
#ifndef ZS_CMD_HOOK_SHAPE_H
#define ZS_CMD_HOOK_SHAPE_H

#include <stddef.h>
#include <stdio.h>

#include "agent/agent.h"

/* The places of an event's parts. Each place is a list of keys with dots between them. */
struct zs_hook_shape {
	enum zs_agent_id agent;
	const char *event_key, *event_name; /* the key that holds this name; NULL: the name is not checked */
	const char *tool;                   /* the tool's name; NULL: the event exists for the shell alone */
	const char *input;                  /* the tool's input; "": the event itself */
	const char *roots;                  /* the folder or folders of the workspace; NULL: the event names none */
	const struct zs_hook_words *words;
};

/* The answers that the agent understands. They have no extra key: with one, Codex would run the command. */
struct zs_hook_words {
	const char *deny;    /* $ is the reason, as a JSON string; NULL: the denial goes to stderr, with exit code 2 */
	const char *rewrite; /* $ is the tool's new input; NULL: the input cannot be changed */
	const char *allow;   /* "": silence */
	const char *ask;     /* the agent asks its user: $ is the reason, & further members; NULL: its hooks cannot */
	int deny_exit;
};

extern const struct zs_hook_shape zs_hook_shapes[];
extern const size_t zs_hook_shape_count;

/* stderr and exit code 2: for an unknown agent, and for an agent with two events whose event cannot be read. */
extern const struct zs_hook_words zs_hook_plain_words;

/* Returns the answers for an agent whose event could not be read. agent may be NULL. */
const struct zs_hook_words *zs_hook_default_words(const struct zs_agent *agent);

/* Writes the denial, for stdout, or for stderr if the agent reads it there. */
void zs_hook_put_denial(FILE *out, const struct zs_hook_words *words, const char *reason);

/* Which tools run commands. */
enum zs_hook_tool {
	ZS_HOOK_TOOL_SHELL, /* it runs commands; refused without a command that zs can read */
	ZS_HOOK_TOOL_OTHER, /* unknown; a command in its input is vetted like a shell's */
	ZS_HOOK_TOOL_QUIET, /* it is known to run no command, though its name or input suggests one */
};

enum zs_hook_tool zs_hook_tool_named(const struct zs_agent *agent, const char *name);

#endif
