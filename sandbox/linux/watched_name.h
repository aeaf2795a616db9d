/* What a watch looks after: watch_list.c lists it, watch.c looks. */
#ifndef ZS_SANDBOX_LINUX_WATCHED_NAME_H
#define ZS_SANDBOX_LINUX_WATCHED_NAME_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "watch.h"

enum zs_watched {
	ZS_WATCHED_ABSENT,    /* nothing shall be there */
	ZS_WATCHED_LINK,      /* a symbolic link, which shall stay as it is */
	ZS_WATCHED_PROTECTED, /* a mount, which shall stay */
	ZS_WATCHED_HIDDEN,    /* the same */
	ZS_WATCHED_WAY,       /* a folder above a mount, which shall stay */
};

struct zs_watched_name {
	enum zs_watched what;
	char *path;
	int folder;       /* the nearest one above it that is there */
	const char *name; /* in that: with slashes, where folders in between are missing */
	int nearer;       /* the folder in between that there is by now, or -1 */
	char *target;     /* of a link */
	struct stat st;   /* of a way, as it was; without a folder it is not known */
	bool lost;        /* a mount or a way has not stayed */
};

/* What a link says. */
int zs_watched_target(int folder, const char *name, char target[PATH_MAX]);

/* Is there a mount? 0 when there is something else. */
int zs_watched_is_mount(int folder, const char *name);

/* A name that is not what it should be before a run has begun. */
int zs_watch_fail(struct zs_error *error, const char *path, int cause);

#endif
