/* Reads the event that an agent sends before it runs a tool: which commands it is about to run, and where. An event
 * that is not understood completely is refused. */
#ifndef ZS_CMD_HOOK_EVENT_H
#define ZS_CMD_HOOK_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "hook/hook_shape.h"

enum {
	ZS_HOOK_EVENT_MAX = 8 * 1024 * 1024, /* bytes; the event of a tool that writes a file holds that file */
	ZS_HOOK_DEPTH_MAX = 64,
	ZS_HOOK_COMMANDS_MAX = 64,
	ZS_HOOK_FOLDERS_MAX = 32,
};

struct zs_event_command {
	char *text;        /* bash; for an array of words, a text that bash splits into the same words */
	size_t start, end; /* the range of its value in input_text */
	bool words;        /* it is an array of words */
	bool wrapped;      /* it is confined already; the caller sets this */
};

struct zs_hook_event {
	const struct zs_hook_shape *shape; /* set once it is known, even if the rest is not understood */
	bool runs;                         /* false: the tool runs no command */
	struct zs_event_command commands[ZS_HOOK_COMMANDS_MAX];
	size_t command_count;
	const char *cwd;                          /* NULL: the event names none */
	const char *roots[ZS_HOOK_FOLDERS_MAX];   /* of the workspace */
	const char *folders[ZS_HOOK_FOLDERS_MAX]; /* where this call wants to run, relative to cwd */
	size_t root_count, folder_count;
	const char *shell;             /* the program that will run the command; NULL: the event names none */
	const char *transcript;        /* the file of the agent's session, or NULL */
	const char *input_text;        /* the JSON that holds the tool's input… */
	size_t input_start, input_end; /* … and its range there */
	void *owned[8];
	void *documents[2];
	size_t owned_count, document_count;
	char why[320]; /* why the event was not understood */
};

/* Reads an event. False: event->why says why not. Call zs_hook_event_free() in either case; text must outlive the
 * event. */
bool zs_hook_read_event(const struct zs_agent *agent, const char *text, size_t len, struct zs_hook_event *event);
void zs_hook_event_free(struct zs_hook_event *event);

#endif
