/* The place of named sessions and boxes: the user's private folder, in which each daemon listens on a socket. */
#ifndef ZS_SHIM_NAMED_PLACE_H
#define ZS_SHIM_NAMED_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "linux/named_message.h"
#include "zs_sandbox.h"

enum { ZS_NAMED_FILE = 96 }; /* bytes of a socket's name */

/* Opens the folder. workspace: commands of earlier runs could have written there, so the folder may not lie in it; NULL
 * skips this check. make: makes it if it is missing; else -ENOENT. */
int zs_named_folder(const char *workspace, bool make, int *ret_folder, struct zs_error *error);

/* Makes the socket. Returns it, or a negative errno. */
int zs_named_listen(int folder, const char *file);

/* Returns a connection. -ECONNREFUSED, -ENOENT: no daemon listens. -EPERM: another process than a daemon does. */
int zs_named_connect(int folder, const char *file);

/* The daemon's own messages: what zs says of its watch and limits. */
struct zs_named_log {
	int file; /* -1: not known yet */
	off_t seen;
};

/* Waits for an answer. log may be NULL. False: the daemon has ended. */
bool zs_named_take(int connection, struct zs_named_answer *ret_answer, struct zs_named_log *log);

/* Prints on standard error what no client has printed yet, and tells the daemon how far that is. */
void zs_named_print(int connection, struct zs_named_log *log);

/* Sends a request that needs no more than its kind, and waits for the answer. 0, or -EPIPE. */
int zs_named_ask(int connection, enum zs_named_request request, struct zs_named_answer *ret_answer);

/* Does the process run a program of one of these names? */
bool zs_named_runs(pid_t pid, const char *const names[], size_t count);

struct zs_named_shown;

/* Calls each for every daemon whose socket's name begins with the prefix; the name that it gives is what follows
 * `dashes` dashes. */
int zs_named_list(const char *prefix, int dashes, void (*each)(const struct zs_named_shown *shown, void *arg),
	void *arg, struct zs_error *error);

#endif
