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
	size_t count, room;           /* of the stack: in use and allocated */
	struct zs_error *error;
};

extern const char zs_walk_step[];

/* Fills in overlay->changes, sorted so that a folder's content follows it. */
int zs_walk_all(struct zs_overlay *overlay, struct zs_error *error);

/* Between the walk's files */

int zs_walk_fail(struct zs_walk *walk, const char *path, int r);
int zs_walk_add(struct zs_walk *walk, const char *path, enum zs_change_kind kind, const struct stat *lower,
	const struct stat *upper);
int zs_walk_push(struct zs_walk *walk, const char *path, enum zs_merge merge);

/* Compares a path of both layers and adds a change if they differ. lower: NULL when the lower layer has no such file or
 * it is hidden. */
int zs_walk_compare(struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper,
	enum zs_merge above);

enum {
	ZS_MARK_WHITEOUT = 1,
	ZS_MARK_OPAQUE = 2,
};

/* Reads overlayfs's extended attributes of a file: bits ZS_MARK_…, or a negative errno. fd may be an O_PATH
 * descriptor. */
int zs_walk_marks(struct zs_walk *walk, const char *path, int fd, mode_t mode);
/* Is the directory opaque, so that it hides the lower one? 1, 0 or a negative errno. */
int zs_walk_opaque(struct zs_walk *walk, const char *path, int fd);

/* Git directories (overlay_repository.c). Notes a name of the upper directory, or a whiteout for it. */
void zs_repository_see(struct zs_walk_folder *folder, const char *name, bool whiteout);
/* Marks what git would obey among the folder's changes (from index `change` on) and its subfolders left to walk (from
 * stack index `below` on). */
void zs_repository_hold(struct zs_walk *walk, const struct zs_walk_folder *folder, size_t change, size_t below);

#endif
