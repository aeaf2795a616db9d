/* Named sessions, for zs run --session: one confined run that outlives the commands in it.
 *
 *	client (zs run --session NAME) ──socket──▶ daemon ──▶ supervisor ──▶ … ──▶ server ──▶ command
 *
 * The daemon is a process in the background, outside. It listens on a socket in the user's private folder, checks who
 * connects, and hands the connection to the server. The server is the one command of an ordinary run: it starts what
 * clients ask for, and what these commands leave behind lives until the run ends. So the run's watch, limits and
 * network hold for all of it. The daemon ends the run on request, with the process that owns the session, and when
 * nobody has used the session for long. */
#ifndef ZS_SHIM_NAMED_SESSION_H
#define ZS_SHIM_NAMED_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "enforce/backend.h"
#include "zs_sandbox.h"

enum {
	ZS_NAMED_NAME_MAX = 32,
	ZS_NAMED_CLIENTS_MAX = 32, /* commands of one session at a time */
	ZS_NAMED_IDLE_SECONDS = 4 * 60 * 60,
};

/* The argument by which zs starts itself as the server. */
#define ZS_NAMED_SERVER "--named-session-server"

/* A name of 1 to ZS_NAMED_NAME_MAX letters, digits, "-", "_" and ".", which begins with a letter or a digit. */
int zs_named_check(const char *name, struct zs_error *error);

/* Refuses a file that commands of the policy can write, or in whose place they can put another one. */
int zs_named_check_file(const struct zs_policy *policy, const char *file, struct zs_error *error);

/* Runs a command in the session of this name in the policy's workspace, and starts the session if there is none. The
 * policy must be that of the session; zs itself is added to it. *ret_status: the command's exit code. It starts in this
 * process's working directory. denials: 0, or of zs_denials_channel(), for
 * what is refused to this command; it is closed. Prints the session's own messages on standard error when it ends
 * meanwhile. */
int zs_named_run(struct zs_policy *policy, const char *name, uint64_t idle_seconds, char *const argv[], int denials,
	int *ret_status, struct zs_error *error);

/* Ends a session and all its processes. -ENOENT: there is none of this name in the workspace. */
int zs_named_end(const char *workspace, const char *name, struct zs_error *error);

/* Keeps what a command writes: free() bytes. */
struct zs_named_capture {
	char *bytes; /* NULL when it is empty */
	size_t len, max;
	bool cut; /* more came */
};

struct zs_named_shown {
	const char *name, *workspace;
	int64_t seconds;    /* since it was started */
	unsigned processes; /* that its commands have started, and that live */
};

/* Calls each for every session of this user. */
int zs_named_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error);

/* Becomes the server. */
_Noreturn void zs_named_serve(zs_become *become);

#endif
