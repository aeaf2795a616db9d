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
#include "zs_box.h"

enum {
	ZS_NAMED_NAME_MAX = 32,
	ZS_NAMED_CLIENTS_MAX = ZS_BOX_COMMANDS_MAX, /* commands of one session at a time */
	ZS_NAMED_IDLE_SECONDS = 4 * 60 * 60,
};

/* The argument by which a program starts itself as the server, under the name "-/path": zs_exec_shim() sees it. */
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

struct zs_named_shown {
	const char *name, *workspace;
	int64_t seconds; /* since it was started */
	int processes;   /* as in struct zs_box_shown */
};

/* Calls each for every session of this user. */
int zs_named_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error);

/* The box's part for zs itself; hosts see zs_box.h. */

enum { ZS_BOX_TOKEN_SIZE = 33 }; /* with the NUL */

/* Makes a box without another process. zs itself is added to the policy. owner: 0 is the nearest process above this one
 * that is no shell, or a shell at its own terminal. Only a process of one thread may call it. ret_token: NULL, or gets
 * the owner's token, hexadecimal digits: zs_box_cut() then takes the hosts until zs_box_resume(). */
int zs_box_make(struct zs_policy *policy, pid_t owner, char ret_id[ZS_BOX_ID_SIZE], char ret_token[ZS_BOX_TOKEN_SIZE],
	struct zs_error *error);

/* Gives the box the hosts back that zs_box_cut() has taken. -EPERM: the token is not the box's, or it has none. */
int zs_box_resume(const char *id, const char *token, struct zs_error *error);

/* Becomes the process that makes a box for zs_box_create(), to which it answers on its standard input. words: the
 * owner's pid. */
_Noreturn void zs_box_be_maker(const char *json, char *const words[]);

/* Writes a tar file of a folder of the box, and unpacks one there, for snapshot.h. The rest is as with the next two. */
int zs_box_pack(const char *id, const char *folder, int to, int *ret_status, struct zs_error *error);
int zs_box_unpack(const char *id, int from, const char *folder, int *ret_status, struct zs_error *error);

/* zs_box_put() and zs_box_get() for a program that ends then: a signal to it ends the copying, as with `signals` of
 * struct zs_box_command. user: as there; NULL: the box's own. */
int zs_box_put_alone(const char *id, int from, const char *path, mode_t mode, const char *user, int *ret_status,
	struct zs_error *error);
int zs_box_get_alone(const char *id, const char *path, uint64_t most, int to, const char *user, int *ret_status,
	struct zs_error *error);

/* Are the box's commands root in another root directory, and has that other users, too? */
int zs_box_is_root(const char *id, bool *ret_root, bool *ret_users, struct zs_error *error);

/* Becomes the server. */
_Noreturn void zs_named_serve(zs_become *become);

#endif
