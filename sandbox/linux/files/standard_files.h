/* The command inherits the caller's files as its standard descriptors. It may read or write them, but must not change
 * their mode, owner, times or attributes. */
#ifndef ZS_SANDBOX_LINUX_STANDARD_FILES_H
#define ZS_SANDBOX_LINUX_STANDARD_FILES_H

#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "linux/files/root_tree.h"
#include "zs_sandbox.h"

enum { ZS_STANDARD_FILES = 3 };

/* The path of the caller's terminal in the new root, the same as in a container. The command's own /dev/pts has no name
 * for it. */
#define ZS_TERMINAL "/dev/console"

/* Bind-mounts the terminal of a standard descriptor, and no other terminal of the machine. The command has it open
 * already; ttyname(3) and programs that open the terminal need its path. *ret_shown: a terminal was mounted. */
int zs_terminal_show(struct zs_root_tree *tree, bool *ret_shown);

/* How the command gets a regular file: KEPT is the caller's descriptor, READ the file reopened on a read-only mount,
 * WRITTEN a pipe to the supervisor, which writes the file (standard_regular.c). */
struct zs_standard_regular {
	enum { ZS_STANDARD_KEPT, ZS_STANDARD_READ, ZS_STANDARD_WRITTEN } kind;
	int inside;     /* the command's descriptor */
	int outside;    /* WRITTEN: the pipe's reading end; -1: this file shares another descriptor's pipe */
	int flags;      /* WRITTEN: the file's open(2) flags */
	off_t position; /* READ: the file's offset when the run began */
	char *name;     /* WRITTEN: the file's path */
};

struct zs_standard_files {
	struct stat before[ZS_STANDARD_FILES]; /* before the command began */
	bool known[ZS_STANDARD_FILES];         /* before[] is filled in */
	struct zs_standard_regular regular[ZS_STANDARD_FILES];
	int cause; /* the errno with which the supervisor could not write the command's output; 0: none */
};

/* Opens the machine's /dev/null on a read-only mount of its own. Returns a descriptor or a negative errno; -ENOENT: no
 * standard descriptor is /dev/null. */
int zs_standard_null(void);

/* Reopens each standard descriptor that is a device at its path among the command's mounts. Those are read-only mounts,
 * so fchmod(2) and its like fail on the new descriptor and on all copies of it. null: zs_standard_null()'s descriptor,
 * for a command that has no /dev/null. */
int zs_standard_reopen(int null);

/* Exchanges regular files. The supervisor prepares them before it forks, in a mount namespace of its own, and hands
 * them over after the fork; the child takes them once the command's mounts are in place. most_bytes: the limit to the
 * size of a written file; 0: none. */
int zs_standard_prepare(struct zs_standard_files *files);
int zs_standard_hand_over(struct zs_standard_files *files, uint64_t most_bytes);
int zs_standard_take(struct zs_standard_files *files);

/* The supervisor polls these ZS_STANDARD_FILES events and passes the command's output on. zs_standard_finish() passes
 * on the rest when every process has ended. */
void zs_standard_events(const struct zs_standard_files *files, struct pollfd *events);
void zs_standard_pass_on(struct zs_standard_files *files, const struct pollfd *events);
void zs_standard_finish(struct zs_standard_files *files);

/* Used by standard_files.c and standard_regular.c. Opens a path without waiting, if it leads to the file that `want`
 * describes; else returns -ENODEV for a device, -ESTALE for another file. */
int zs_standard_open(const char *path, int flags, const struct stat *want);

/* For KEPT files: the supervisor notes their mode and owner before the command begins, and restores them when every
 * process has ended. */
int zs_standard_note(struct zs_standard_files *ret_files);
void zs_standard_put_back(const struct zs_standard_files *files);

/* Refuses a standard descriptor through which the command could leave the sandbox: a directory, or a socket that can
 * reach other peers. */
int zs_standard_check(const struct zs_policy *policy, struct zs_error *error);

#endif
