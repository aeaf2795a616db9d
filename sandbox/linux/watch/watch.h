/* Protected names that nothing has yet. A missing name cannot be mounted over, and a stand-in would be seen by the
 * programs outside and left behind by a crash; so somebody looks at the folders in which such a name would appear, and
 * moves it aside: at once, when the kernel tells it of a new name (dnotify: man 2 fcntl, F_NOTIFY, as SIGIO; inotify's
 * instances are few, 128 a user), and once more when all processes of the run are dead. Before a run and at that last
 * look a folder which has not changed since a look before needs none at each of its names.
 *
 * And what is protected or hidden by a mount. A program outside can replace the file or move it, or a folder above it,
 * and the mount is gone or elsewhere. Nobody here can mount it again: the run is ended. /proc/self/mountinfo would tell
 * as well (man 5 proc), but not of a move, with which the mount goes along.
 *
 * The process that looks is not the run's supervisor, which a terminal's ^Z stops, and not the init of the command's
 * pid namespace, which the command can name in system calls. It is between the two (watch_process.c), and confined like
 * the command, so that it can be led to nothing that the command could not do itself. In a session it is the run's
 * supervisor. */
#ifndef ZS_SANDBOX_LINUX_WATCH_H
#define ZS_SANDBOX_LINUX_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "zs_sandbox.h"

/* The stage of stage.h lists the names, in the command's mount namespace. */
struct zs_watch {
	struct zs_watched_name *names;
	size_t count;
	unsigned moved;
};

/* To be called by the process that will look. Fails when one of the names is there by now. */
int zs_watch_begin(struct zs_watch *watch, struct zs_error *error);

/* Something has appeared somewhere. False: the run is to be ended. */
bool zs_watch_look(struct zs_watch *watch);

/* No process of the run is left: looks a last time. False: something could not be moved. */
bool zs_watch_end(struct zs_watch *watch);

#endif
