/* The caller's files that are the command's standard descriptors. It may read or write them; their mode, owner, times
 * and attributes are not its own to change. */
#ifndef ZS_SANDBOX_LINUX_STANDARD_FILES_H
#define ZS_SANDBOX_LINUX_STANDARD_FILES_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "zs_sandbox.h"

enum { ZS_STANDARD_FILES = 3 };

/* How the command gets a regular file: as it is, opened anew on a read-only mount, or as a pipe. standard_regular.c */
struct zs_standard_regular {
	enum { ZS_STANDARD_KEPT, ZS_STANDARD_READ, ZS_STANDARD_WRITTEN } kind;
	int inside;     /* the command's */
	int outside;    /* the pipe's other end; -1: another descriptor's */
	int flags;      /* of open(2), of one that is written */
	off_t position; /* of one that is read, when the run began */
	char *name;
};

struct zs_standard_files {
	struct stat before[ZS_STANDARD_FILES];
	bool known[ZS_STANDARD_FILES];
	struct zs_standard_regular regular[ZS_STANDARD_FILES];
	int cause; /* an errno: what the command wrote could not be written */
};

/* The machine's /dev/null, opened on a read-only mount of its own. A negative errno; -ENOENT: no standard descriptor is
 * one. */
int zs_standard_null(void);

/* In the command's mounts: a device that is there too, on a read-only mount, is opened anew at that place. fchmod(2)
 * and its like fail by such a descriptor, and by all copies of it. null: of zs_standard_null(), for where the command
 * has none. */
int zs_standard_reopen(int null);

/* Regular files, in a mount namespace of ours. The supervisor prepares them before it forks, and hands them over when
 * it has. The child takes them in the command's mounts. most_bytes: how far a file may be written; 0: as far as it
 * goes. */
int zs_standard_prepare(struct zs_standard_files *files);
int zs_standard_hand_over(struct zs_standard_files *files, uint64_t most_bytes);
int zs_standard_take(struct zs_standard_files *files);

/* The supervisor waits for these as well, ZS_STANDARD_FILES of them, and passes on what the command has written; the
 * rest of it when all has ended. */
void zs_standard_events(const struct zs_standard_files *files, struct pollfd *events);
void zs_standard_pass_on(struct zs_standard_files *files, const struct pollfd *events);
void zs_standard_finish(struct zs_standard_files *files);

/* A file that stays as it is: the supervisor notes its mode and owner before the command begins, and puts them back
 * when all has ended. */
int zs_standard_note(struct zs_standard_files *ret_files);
void zs_standard_put_back(const struct zs_standard_files *files);

/* Refuses a standard descriptor that is a way out: a directory, or a socket that reaches others. */
int zs_standard_check(const struct zs_policy *policy, struct zs_error *error);

#endif
