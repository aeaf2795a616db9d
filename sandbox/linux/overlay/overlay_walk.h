/* Finding what differs between an overlay's two directories. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_WALK_H
#define ZS_SANDBOX_LINUX_OVERLAY_WALK_H

#include "linux/overlay/overlay_files.h"

/* How the merged view makes a directory of the two. */
enum zs_merge {
	ZS_MERGE_BOTH,  /* what is not in the upper one is in the lower one */
	ZS_MERGE_UPPER, /* the lower one is hidden (opaque), so what is not in the upper one is gone */
	ZS_MERGE_NEW,   /* there is no lower one */
	ZS_MERGE_GONE,  /* there is no upper one */
};

struct zs_walk_folder {
	char *path;
	enum zs_merge merge;
	bool held;            /* git would obey what is in it */
	unsigned here, taken; /* git's names that the upper directory has, and that it hides */
};

/* The paths that are left to be looked at. */
struct zs_walk {
	struct zs_overlay *overlay;
	struct zs_walk_folder *stack;
	size_t count, room;
	struct zs_error *error;
};

extern const char zs_walk_step[];

/* Makes the overlay's list, in its order. */
int zs_walk_all(struct zs_overlay *overlay, struct zs_error *error);

/* For its parts */

int zs_walk_fail(struct zs_walk *walk, const char *path, int r);
int zs_walk_add(struct zs_walk *walk, const char *path, enum zs_change_kind kind, const struct stat *lower,
	const struct stat *upper);
int zs_walk_push(struct zs_walk *walk, const char *path, enum zs_merge merge);

/* Adds what is different. lower: NULL where there is none, or it does not show through. */
int zs_walk_compare(struct zs_walk *walk, const char *path, const struct stat *lower, const struct stat *upper,
	enum zs_merge above);

enum {
	ZS_MARK_WHITEOUT = 1,
	ZS_MARK_OPAQUE = 2,
};

/* Overlayfs's attributes of a file; fd may be an O_PATH descriptor. */
int zs_walk_marks(struct zs_walk *walk, const char *path, int fd, mode_t mode);
/* 1: the directory hides the lower one. */
int zs_walk_opaque(struct zs_walk *walk, const char *path, int fd);

/* Git directories (overlay_repository.c). A name that the upper directory has, or hides. */
void zs_repository_see(struct zs_walk_folder *folder, const char *name, bool whiteout);
/* Marks, of what a folder has added to the list and to what is to be walked, that which git would obey. */
void zs_repository_hold(struct zs_walk *walk, const struct zs_walk_folder *folder, size_t change, size_t below);

#endif
