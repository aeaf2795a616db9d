/* Removes the layers of caches whose workspace is gone. $XDG_STATE_HOME/zs/caches has a file HASH.workspace beside each
 * workspace's folder HASH; it holds the workspace's path. */
#ifndef ZS_SANDBOX_LINUX_LAYER_CLEAN_H
#define ZS_SANDBOX_LINUX_LAYER_CLEAN_H

/* Bounds of one cleaning. A workspace that gets its first layer cleans once, so more go than come. */
enum {
	ZS_LAYERS_LOOKED_MAX = 64, /* workspaces, from a random one on if there are more */
	ZS_LAYERS_REMOVED_MAX = 4, /* workspaces whose layers are removed */
};

/* Notes that the folder of this name, in the folder of all layers, belongs to the workspace. */
void zs_layers_note(int all, const char *name, const char *workspace);

/* Layers that a run has are left, and so are those whose workspace cannot be looked for. */
void zs_layers_clean(int all);

#endif
