/* The names that a watch looks after: watch_list.c lists them, watch.c looks. */
#ifndef ZS_SANDBOX_LINUX_WATCHED_NAME_H
#define ZS_SANDBOX_LINUX_WATCHED_NAME_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "policy/policy.h"
#include "linux/watch/watch.h"

enum zs_watched {
	ZS_WATCHED_ABSENT,    /* nothing shall be there */
	ZS_WATCHED_LINK,      /* a symbolic link, which shall stay as it is */
	ZS_WATCHED_PROTECTED, /* a mount, which shall stay */
	ZS_WATCHED_HIDDEN,    /* the same */
	ZS_WATCHED_WAY,       /* a folder above a mount, which shall stay */
};

/* A folder as it was just before its names were looked at. The kernel notes the time of each change, and nobody sets
 * that (ctime: man 7 inode). */
struct zs_watched_folder {
	dev_t dev;
	ino_t ino;
	struct timespec changed;
	bool quiet; /* it had rested so long that its next change has another time */
};

struct zs_watched_name {
	enum zs_watched what;
	char *path;
	int folder;                    /* the nearest one above it that is there */
	size_t first;                  /* the name that has opened it, for all that are in it */
	const char *name;              /* in that: with slashes, where folders in between are missing */
	int nearer;                    /* the folder in between that there is by now, or -1 */
	char *target;                  /* of a link */
	struct stat st;                /* of a way, as it was; without a folder it is not known */
	bool lost;                     /* a mount or a way has not stayed */
	struct zs_watched_folder seen; /* the folder, in the name that has opened it; from a run before, too */
	bool same;                     /* nothing has changed in it since it was seen */
};

/* The access of the nearest grant around it; HIDE: there is none. */
enum zs_access zs_watch_access(const struct zs_policy *policy, const char *path);

/* The length of the outermost tree around it in which that much is granted; and that the command may write. */
size_t zs_watch_tree_around(const struct zs_policy *policy, const char *path, enum zs_access least);
size_t zs_watch_tree(const struct zs_policy *policy, const char *path);

/* One line on standard error, if that takes one now. */
void zs_watch_say(const struct zs_error *error);

/* Reads a link. */
int zs_watched_target(int folder, const char *name, char target[PATH_MAX]);

/* Is there a mount? 0 when there is something else. */
int zs_watched_is_mount(int folder, const char *name);

/* A name that is not what it should be before a run has begun. */
int zs_watch_fail(struct zs_error *error, const char *path, int cause);

#endif
