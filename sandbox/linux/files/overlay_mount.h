/* Mounts the workspace as an overlay. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H
#define ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H

#include <stdbool.h>

#include "policy/policy.h"

struct zs_run;

/* Does the policy ask for an overlay workspace? */
bool zs_overlay_asked(const struct zs_policy *policy);

/* The access with which the workspace is mounted: a mounted overlay can be written, a waived one is read-only. */
enum zs_access zs_run_workspace_grant(const struct zs_run *run);

/* Probes overlayfs: mounts one in a new mount namespace. Needs CAP_SYS_ADMIN in the user namespace. Returns 0 or a
 * negative errno. */
int zs_overlay_try(void);

#endif
