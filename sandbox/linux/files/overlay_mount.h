/* Mounts the workspace, or another folder, as an overlay. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H
#define ZS_SANDBOX_LINUX_OVERLAY_MOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/policy.h"

struct zs_run;

/* Descriptors of an overlay's layers; -1: none yet. Each function returns a descriptor or 0, or a negative errno. */
struct zs_layers {
	int lower, upper, work;
};

#define ZS_LAYERS_NONE { -1, -1, -1 }

/* A new tmpfs for upper layers, attached in this process's own mount namespace. */
int zs_layers_scratch(uint64_t bytes);

/* Opens the lower layer: a folder, by a path in which no part is a symbolic link. */
int zs_layers_lower(const char *path);

/* Opens the folders "upper" and "work" in a folder, and makes those that are missing. folder: or a negative errno. */
int zs_layers_make(int folder, struct zs_layers *layers);

/* A detached overlay mount. */
int zs_layers_mount(const struct zs_layers *layers);

void zs_layers_close(const struct zs_layers *layers);

/* Fills in the error. Returns -cause. */
int zs_layers_refuse(struct zs_error *error, const char *path, int cause, const char *hint);

/* Does the policy ask for an overlay workspace? */
bool zs_overlay_asked(const struct zs_policy *policy);

/* The access with which the workspace is mounted: a mounted overlay can be written, a waived one is read-only. */
enum zs_access zs_run_workspace_grant(const struct zs_run *run);

/* Probes overlayfs: mounts one in a new mount namespace. Needs CAP_SYS_ADMIN in the user namespace. Returns 0 or a
 * negative errno. */
int zs_overlay_try(void);

#endif
