/* Walks an overlay's two layers and lists what differs. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_WALK_H
#define ZS_SANDBOX_LINUX_OVERLAY_WALK_H

#include "linux/overlay/overlay_files.h"

/* How overlayfs merges a directory of the two layers. */
enum zs_merge {
	ZS_MERGE_BOTH,  /* names that the upper directory lacks come from the lower one */
	ZS_MERGE_UPPER, /* the upper directory is opaque: names that it lacks are deleted */
	ZS_MERGE_NEW,   /* only the upper layer has the directory */
	ZS_MERGE_GONE,  /* only the lower layer has the directory, which is deleted */
};

struct zs_walk_folder {
	char *path;
	enum zs_merge merge;
	bool held;            /* git would obey the content */
	unsigned here, taken; /* git's names that the upper directory has, and for which it has whiteouts */
};

/* The walk's state. */
struct zs_walk {
	struct zs_overlay *overlay;
	struct zs_walk_folder *stack; /* folders left to walk */
	size_t count;                 /* of the stack */
	struct zs_error *error;
};

/* Fills in overlay->changes, sorted so that a folder's content follows it. */
int zs_walk_all(struct zs_overlay *overlay, struct zs_error *error);

/* Git directories (overlay_repository.c). Notes a name of the upper directory, or a whiteout for it. */
void zs_repository_see(struct zs_walk_folder *folder, const char *name, bool whiteout);
/* Marks what git would obey among the folder's changes (from index `change` on) and its subfolders left to walk (from
 * stack index `below` on). */
void zs_repository_hold(struct zs_walk *walk, const struct zs_walk_folder *folder, size_t change, size_t below);

#endif
