/* The workspace as an overlay. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H
#define ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H

#include <stdbool.h>

#include "policy/policy.h"

struct zs_run;

bool zs_overlay_asked(const struct zs_policy *policy);

/* The access with which the workspace is mounted. Where the policy has an overlay and it was waived, it is
 * read-only. */
enum zs_access zs_run_workspace_grant(const struct zs_run *run);

/* Mounts one, in a new mount namespace: 0 or a negative errno. Takes CAP_SYS_ADMIN in the user namespace. */
int zs_overlay_try(void);

#endif
