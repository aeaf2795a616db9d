/* The watch looks after names that must not appear and mounts that must not change while a command runs.
 *
 * Protected names that do not exist: nothing can be mounted over a missing name, and a placeholder would be visible to
 * programs outside and would be left by a crash. So the watch looks at the folders in which such a name would appear,
 * and moves it aside: at once when the kernel reports a new name (dnotify, which sends SIGIO: man 2 fcntl, F_NOTIFY;
 * inotify has only 128 instances a user), and a last time when all processes of the run are dead. Names in a folder
 * that has not changed since an earlier look need no look of their own.
 *
 * Protected and hidden files that exist have a mount over them. When a program outside replaces or moves the file, or a
 * folder above it, the mount is gone or elsewhere. (/proc/self/mountinfo would not show a move, with which the mount
 * goes along.) If the log shows that a program outside moved the new file there, and that nothing else changed it, the
 * init mounts it again. If the name is gone, it is watched from now on. Otherwise the watch ends the run.
 *
 * In a run, the process that looks is the watch of watch_process.c. It cannot be the supervisor, which ^Z stops, nor
 * the init of the command's pid namespace, at which the command can aim system calls. It is confined like the command,
 * so that the command cannot make it do what the command itself may not. In a session, the run's supervisor looks. */
#ifndef ZS_SANDBOX_LINUX_WATCH_H
#define ZS_SANDBOX_LINUX_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "zs_sandbox.h"

/* zs_stage_watch() lists the names, in the command's mount namespace. */
struct zs_watch {
	struct zs_watched_name *names;
	size_t count;
	unsigned moved;           /* how often a name had to be moved aside */
	int mounter;              /* a socket to the process that can protect a file again (init.c); 0: there is none */
	bool over;                /* no process of the run is left */
	struct zs_watch_log *log; /* NULL: none is kept */
};

/* The exit code of a run whose protection was lost after the command had begun: ZS_EXIT_UNPROTECTED of zs_shim.h. */
enum { ZS_WATCH_UNPROTECTED = 122 };

/* Asks for the kernel's notices, which go to the calling process. Fails when one of the names exists by now. */
int zs_watch_begin(struct zs_watch *watch, struct zs_error *error);

/* Looks at all names after a notice. False: the run must end. */
bool zs_watch_look(struct zs_watch *watch);

/* Looks a last time, when no process of the run is left. Returns the run's exit code: code, or 122 if a name could not
 * be moved aside or a mount was lost. A command that has succeeded gets 125 if it has left git's index and protected
 * files apart. */
int zs_watch_end(struct zs_watch *watch, int code);

/* watch_log.c: Begins the log, in a process that looks for itself alone, if it could explain anything. Without it each
 * lost mount ends the run. */
void zs_watch_log_begin(struct zs_watch *watch);

#endif
