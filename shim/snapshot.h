/* Snapshots: what the commands of a box have written, kept under a name in $XDG_STATE_HOME/zs/snapshots, which no run
 * can write: its /tmp, and its root directory, if it has another one. Nobody trusts what is in there. */
#ifndef ZS_SHIM_SNAPSHOT_H
#define ZS_SHIM_SNAPSHOT_H

#include "zs_sandbox.h"

enum { ZS_SNAPSHOT_NAME_MAX = 64 };

/* Keeps what a box has. -EEXIST: there is one of this name. -EOPNOTSUPP: the box has no /tmp of its own. A failure
 * leaves nothing. */
int zs_snapshot_save(const char *id, const char *name, char *const envp[], struct zs_error *error);

/* Gives the root directory of a snapshot, for a policy; free() it. NULL: it has none. -ENOENT: there is none of this
 * name. */
int zs_snapshot_root(const char *name, char *const envp[], char **ret_path, struct zs_error *error);

/* Fills the /tmp of a new box. -EPERM: the snapshots lie in its workspace. */
int zs_snapshot_restore(const char *id, const char *name, char *const envp[], struct zs_error *error);

/* For the process inside of the box: writes a tar file of a folder to standard output, and unpacks one from standard
 * input. Both return an exit code, with the errno, a blank and the file on standard error. */
int zs_snapshot_pack(const char *folder);
int zs_snapshot_unpack(const char *folder);

#endif
