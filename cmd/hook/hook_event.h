/* The event that an agent sends before it runs a tool: which commands it is about to run, and where. An event that is
 * not understood to the last is refused. */
#ifndef ZS_CMD_HOOK_EVENT_H
#define ZS_CMD_HOOK_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "hook/hook_shape.h"

enum {
	ZS_HOOK_EVENT_MAX = 8 * 1024 * 1024, /* bytes; a tool that writes a file has it in its event */
	ZS_HOOK_DEPTH_MAX = 64,
	ZS_HOOK_COMMANDS_MAX = 64,
	ZS_HOOK_FOLDERS_MAX = 32,
};

struct zs_event_command {
	char *text;        /* bash; of an array of words: what bash would make the same words of */
	size_t start, end; /* the bytes of its value in input_text */
	bool words;        /* it is an array of words */
	bool wrapped;      /* it is confined already: set by who finds it so */
};

struct zs_hook_event {
	const struct zs_hook_shape *shape; /* set as soon as it is known, also when the rest is not understood */
	bool runs;                         /* false: the tool runs no command */
	struct zs_event_command commands[ZS_HOOK_COMMANDS_MAX];
	size_t command_count;
	const char *cwd;                          /* NULL: it does not say */
	const char *roots[ZS_HOOK_FOLDERS_MAX];   /* of the workspace */
	const char *folders[ZS_HOOK_FOLDERS_MAX]; /* where this call wants to run, from cwd */
	size_t root_count, folder_count;
	const char *transcript;        /* where the agent keeps the session; NULL */
	const char *input_text;        /* the JSON that the tool's input stands in… */
	size_t input_start, input_end; /* … and where */
	void *owned[8];
	void *documents[2];
	size_t owned_count, document_count;
	char why[320]; /* it was not understood */
};

/* False: event->why says why not. zs_hook_event_free() it either way; text must live as long as the event. */
bool zs_hook_read_event(const struct zs_agent *agent, const char *text, size_t len, struct zs_hook_event *event);
void zs_hook_event_free(struct zs_hook_event *event);

#endif
