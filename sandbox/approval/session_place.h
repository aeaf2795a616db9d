/* The place of a session's approvals: a private folder of the user's, with a file for each session. */
#ifndef ZS_SANDBOX_SESSION_PLACE_H
#define ZS_SANDBOX_SESSION_PLACE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "policy/policy.h"

#include "zs_approval.h"

/* "session-", ID, ".json"; "" if there is no session. */
struct zs_session_place {
	char *folder; /* free() it */
	char file[NAME_MAX + 1];
	char boot[64]; /* identifies this start of the machine; pids and times of another start mean nothing */
};

/* Finds the place by envp and by the leader of the terminal session. workspace: NULL, or a real path in which no place
 * may lie: a command of an earlier run, with another TMPDIR, could have written the files there. */
int zs_session_place(
	char *const envp[], const char *workspace, struct zs_session_place *ret_place, struct zs_error *error);

/* Refuses a file or folder of approvals that another user can have written, by its owner or mode. */
struct stat;
int zs_session_refuse(const char *path, const char *what, struct zs_error *error);
int zs_session_check_owner(const char *path, const struct stat *st, struct zs_error *error);

/* Opens the folder; make: makes it first if it is missing. -ENOENT: there is none. Another error: it belongs to another
 * user, is open to others, or is no folder. */
int zs_session_folder_open(const char *folder, bool make, int *ret_fd, struct zs_error *error);

/* Opens the folder of that name in $XDG_STATE_HOME/zs, in the same way; it must be writable. -EPERM: a variable has put
 * it into the workspace. make: makes it and the folders above it. A run does not: a host may take the variables from a
 * model. */
int zs_state_folder_open(const struct zs_policy *policy, char *const envp[], const char *name, bool make, int *ret_fd);

/* Removes the files of terminal sessions that have ended. */
void zs_session_folder_clean(int folder);

/* Finds both folders that may hold sessions: with and without XDG_RUNTIME_DIR. free() them. */
enum { ZS_SESSION_FOLDERS = 2 };
int zs_session_folders(char *const envp[], char *ret_folders[ZS_SESSION_FOLDERS]);

/* Each system defines this: linux/, none/. */

/* Finds the leader of this process's terminal session, and when it started, in the system's own unit. -ESRCH: it has
 * ended. -ENOTSUP: the system cannot tell. */
int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start);
int zs_process_start(pid_t pid, uint64_t *ret_start);
int zs_boot_id(char *id, size_t size);

#endif
