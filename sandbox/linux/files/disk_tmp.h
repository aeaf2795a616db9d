/* The limit "tmp" in the mount tier. Up to ZS_POLICY_TMP_BYTES the private /tmp and the overlay's upper layer are
 * memory, each with the limit as its size. Above that a new folder in /var/tmp holds both; it is removed with the run.
 * No quota bounds it: the limit only says how much space must be free at the start. */
#ifndef ZS_SANDBOX_LINUX_DISK_TMP_H
#define ZS_SANDBOX_LINUX_DISK_TMP_H

#include <stdbool.h>

#include "linux/base/run_state.h"

/* Opens the folder by its path, for mounts in this process's own mount namespace. -ENOENT: the run has none. -ESTALE:
 * another folder is there. */
int zs_disk_tmp_open(const struct zs_run *run);

/* The command has failed: says so on standard error if its /tmp or the overlay's layer is full, and returns true. This
 * process must see the run's mounts. */
bool zs_disk_tmp_tell_full(const struct zs_policy *policy, int code);

/* Takes the mounts in the folder off, at the end of the run: the supervisor is in their namespace, and could not remove
 * the place of a workspace below /tmp (EBUSY). For the run's init. */
void zs_disk_tmp_unmount(const struct zs_run *run);

/* Removes the folder, with a message when that fails. */
void zs_disk_tmp_end(struct zs_run *run);

#endif
