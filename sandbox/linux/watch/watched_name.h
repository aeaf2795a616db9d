/* The names that a watch looks after. watch_list.c lists them, and watch.c looks at them. */
#ifndef ZS_SANDBOX_LINUX_WATCHED_NAME_H
#define ZS_SANDBOX_LINUX_WATCHED_NAME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "policy/policy.h"
#include "linux/watch/watch.h"

enum zs_watched {
	ZS_WATCHED_ABSENT,    /* a name that must not appear */
	ZS_WATCHED_LINK,      /* a symbolic link that must keep its target */
	ZS_WATCHED_INDEX,     /* git's index, which must agree with protected files: watch_index.c */
	ZS_WATCHED_PROTECTED, /* the mount over a protected file, which must stay */
	ZS_WATCHED_HIDDEN,    /* the mount over a hidden file, which must stay */
	ZS_WATCHED_WAY,       /* a folder above such a mount, which must stay */
};

/* A folder as it was just before its names were looked at. The time of its last change (ctime: man 7 inode) is the
 * kernel's, and no system call sets it. */
struct zs_watched_folder {
	dev_t dev;
	ino_t ino;
	struct timespec changed;
	bool quiet; /* it was unchanged for so long that its next change will have another time */
};

/* How the log says that the present file came to its name. */
enum zs_came {
	ZS_CAME_NOT,     /* the name has not changed */
	ZS_CAME_MOVED,   /* moved there by a program outside, and not changed since */
	ZS_CAME_REMOVED, /* there is none: a program outside has removed or moved it */
	ZS_CAME_MADE,    /* then it was made anew, by any program */
	ZS_CAME_CLOSED,  /* and written and closed once */
	ZS_CAME_UNKNOWN, /* in another way */
};

#define ZS_GIT_FOLDER "/.git"

/* As often as names may appear in one run: watch.c, MOVED_MAX. */
enum { ZS_ASIDE_MAX = 8 };

struct zs_watched_name {
	enum zs_watched what;
	char *path;
	size_t len;                    /* of path */
	int folder;                    /* a descriptor of the nearest folder above it that exists */
	size_t first;                  /* the index of the first name with this folder, which has opened it */
	const char *name;              /* the rest of path; it has slashes where folders are missing */
	int nearer;                    /* the nearest of the missing folders that exists by now, or -1 */
	char *target;                  /* of a link; of an index: the top of its work tree */
	int before;                    /* of an index: a descriptor of what it was, or one of ZS_INDEX_… */
	struct stat st;                /* of a way at the start, if folder is not -1; of a file protected again, then */
	uint64_t aside[ZS_ASIDE_MAX];  /* the numbers in the names of a .git that was moved aside, up to a 0 */
	bool lost;                     /* the mount or the way has not stayed */
	struct zs_watched_folder seen; /* the folder at the last look, also of an earlier run; in the first name */
	bool same;                     /* the folder has not changed since; in the first name */

	/* If it is a mount, which a program outside may take away */
	bool index;        /* it covers a .git in which no process of the run can write the index */
	bool again;        /* the file has been protected again */
	bool touched;      /* since then the file has been changed in its place */
	enum zs_came came; /* since the mount was lost */
	int64_t until;     /* the file waits until then for git's index; 0: it does not */
	int log;           /* the log's number of the folder; in the first name */
};

/* The access of the nearest grant around a path; ZS_ACCESS_HIDE: there is none. */
enum zs_access zs_watch_access(const struct zs_policy *policy, const char *path);

/* The length of the outermost granted tree around a path with at least this access; and the same for ZS_ACCESS_WRITE.
 */
size_t zs_watch_tree_around(const struct zs_policy *policy, const char *path, enum zs_access least);
size_t zs_watch_tree(const struct zs_policy *policy, const char *path);

/* Writes one line to standard error, unless that would block. */
void zs_watch_say(const struct zs_error *error);

enum { ZS_INDEX_NONE = -1, ZS_INDEX_UNREAD = -2 };

/* Notes an index before the command starts. It costs one descriptor: git writes a new file for each change. An index
 * that this user may not read is no error, since this user's git cannot read it either. 0 or a negative errno. */
int zs_watch_index_begin(struct zs_watched_name *index);

/* Compares an index with the protected names when no process of the run is left. False: they do not agree any more. It
 * has said which. */
bool zs_watch_index_end(const struct zs_watch *watch, const struct zs_watched_name *index);

/* Reads a symbolic link. 0 or a negative errno. */
int zs_watched_target(int folder, const char *name, char target[PATH_MAX]);

/* 1: a mount is at this name; 0: another file is; or a negative errno. */
int zs_watched_is_mount(int folder, const char *name);

/* Reads what the log holds. It sets `came` and `touched` of the names. */
void zs_watch_log_read(struct zs_watch *watch);

/* All names have been looked at: a gap in the log does no harm to later ones. */
void zs_watch_log_close_gap(struct zs_watch *watch);

/* Waits for the event of a lost mount, which the kernel sends a moment later. Then it sets `came` from all events, and
 * describes the present file. ZS_CAME_UNKNOWN: also when there is no log, or no such event. */
enum zs_came zs_watch_log_tell(struct zs_watch *watch, struct zs_watched_name *name, struct stat *ret_st);

/* watch_witness.c: The .git whose index is a witness for a file of this name as long as the mount over it is there, or
 * NULL. */
const struct zs_watched_name *zs_watch_index_of(const struct zs_watch *watch, const struct zs_watched_name *name);

/* Is git at work there? No process of the run can make it look so. */
bool zs_watch_index_is_locked(const struct zs_watched_name *git);

/* Does the index say that git has made this very file? */
bool zs_watch_index_names(const struct zs_watched_name *git, const struct zs_watched_name *name, const struct stat *st);

/* Fills in the error for a name that is not as it should be before a run begins. Returns a negative errno. */
int zs_watch_fail(struct zs_error *error, const char *path, int cause);

/* blank_repository.c: Removes a folder if it is a repository in which nobody has done anything. */
bool zs_blank_repository_remove(int folder, const char *name);

#endif
