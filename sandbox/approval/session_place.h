/* Where what was approved for a session is kept: a private folder of the user's, with a file for each session. */
#ifndef ZS_SANDBOX_SESSION_PLACE_H
#define ZS_SANDBOX_SESSION_PLACE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "zs_approval.h"

/* "session-", ID, ".json"; of a session that has none "". */
struct zs_session_place {
	char *folder; /* free() it */
	char file[NAME_MAX + 1];
	char boot[64]; /* of this start of the machine; process numbers and times mean nothing in another */
};

/* By envp, and by who leads the terminal session. workspace: NULL, or a real path in which there is none: a command of
 * an earlier run, whose TMPDIR was another, could have written what is there. */
int zs_session_place(
	char *const envp[], const char *workspace, struct zs_session_place *ret_place, struct zs_error *error);

/* Refuses a file or folder of approvals that somebody else can have written: one with such an owner or mode. */
struct stat;
int zs_session_refuse(const char *path, const char *what, struct zs_error *error);
int zs_session_check_owner(const char *path, const struct stat *st, struct zs_error *error);

/* Opens the folder, made first if that is wanted. -ENOENT: there is none. An error: it is somebody else's, or open to
 * others, or no folder. */
int zs_session_folder_open(const char *folder, bool make, int *ret_fd, struct zs_error *error);

/* Removes the files of terminal sessions that have ended. */
void zs_session_folder_clean(int folder);

/* Both folders in which sessions may be kept: with and without XDG_RUNTIME_DIR. free() them. */
enum { ZS_SESSION_FOLDERS = 2 };
int zs_session_folders(char *const envp[], char *ret_folders[ZS_SESSION_FOLDERS]);

/* The system's: linux/, none/. */

/* The leader of this process's terminal session, and when it started, in the system's own count. -ESRCH: it has ended.
 * -ENOTSUP: it cannot be told here. */
int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start);
int zs_process_start(pid_t pid, uint64_t *ret_start);
int zs_boot_id(char *id, size_t size);

#endif
