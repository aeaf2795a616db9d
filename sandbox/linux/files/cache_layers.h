/* The private layers of caches: an overlay for each grant of the access "layer". A workspace has a folder for them,
 *
 *	$XDG_STATE_HOME/zs/caches/HASH OF ITS PATH/HASH OF THE CACHE'S PATH/upper, work
 *
 * The kernel leaves one upper layer in two mounts undefined (overlayfs.rst), so a run holds the lock (flock(2)) of the
 * workspace's folder. All its own processes inherit the lock, and a command loses it at its exec, so it ends with the
 * last of them. The watch ends after all commands. Only if the watch was killed too may the lock end while a command
 * dies. A run that cannot have the lock, or has no workspace, gets layers of a tmpfs. */
#ifndef ZS_SANDBOX_LINUX_CACHE_LAYERS_H
#define ZS_SANDBOX_LINUX_CACHE_LAYERS_H

#include "linux/base/run_state.h"

struct zs_cache_layers {
	int *mounts; /* detached mounts, one for each of the policy's grants; -1: that grant has no layer */
	size_t count;
	int lock; /* the workspace's folder; -1: not locked */
};

/* The layer of the grant; -1: it has none. */
int zs_cache_layer(const struct zs_cache_layers *layers, size_t grant);

/* Closes this process's descriptors of the mounts. */
void zs_cache_layers_end(struct zs_cache_layers *layers);

#endif
