/* The root directory that a confined command sees: an empty one of our own, into which the granted places of the
 * machine are bound, each read-only unless it may be written. Whatever is not granted is not there, not even its name.
 */
#ifndef ZS_SANDBOX_LINUX_ROOT_TREE_H
#define ZS_SANDBOX_LINUX_ROOT_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/policy.h"

/* Bytes and files that the private /tmp, /var/tmp and /dev/shm hold together; they are memory. */
#define ZS_TMP_SIZE "2147483648"
#define ZS_TMP_FILES "1048576"

struct zs_root_tree {
	int scratch;   /* a tmpfs: the skeleton of the root, the private folders, and what hides others */
	int root;      /* what becomes "/" */
	unsigned held; /* hidden folders that hold something */
	int parent;    /* where something was made last; -1: nowhere */
	char parent_path[PATH_MAX];
};

#define ZS_ROOT_TREE_NONE (struct zs_root_tree){ .scratch = -1, .root = -1, .parent = -1 }

/* Starts one. whole: it begins as all of the machine, read-only, since "/" is granted with `access`. */
int zs_root_begin(struct zs_root_tree *tree, bool whole, enum zs_access access);
void zs_root_end(struct zs_root_tree *tree);

/* Binds a place of the machine, an absolute path without symbolic links, at the same path. -ENOENT when it is gone,
 * -ESTALE when another is there than the one that was approved. */
int zs_root_bind(
	struct zs_root_tree *tree, const char *path, enum zs_access access, const struct zs_approved_place *approved);
/* The same for a socket; -ENOTSOCK when it is none. */
int zs_root_socket(struct zs_root_tree *tree, const char *path);
/* A folder that is there becomes a mount of itself, so that it cannot be renamed. */
int zs_root_pin(struct zs_root_tree *tree, const char *path);
/* Makes the place read-only. -ENOENT: nothing is there. */
int zs_root_protect(struct zs_root_tree *tree, const char *path);
/* Is anything there? */
bool zs_root_has(struct zs_root_tree *tree, const char *path);
/* An empty folder, of the scratch file system, that may be written; again, the same one on top of what lies there. */
int zs_root_private(struct zs_root_tree *tree, const char *path);
/* Makes the place something empty that cannot be read. -ENOENT: nothing is there. holds: something in it will be shown
 * again; it can be listed, and zs_root_seal() ends the making of places in it. */
int zs_root_hide(struct zs_root_tree *tree, const char *path, bool holds);
int zs_root_seal(struct zs_root_tree *tree, const char *path);
/* Mounts `mount` on a folder or file. */
int zs_root_attach(struct zs_root_tree *tree, int mount, const char *path, bool folder);
/* The folder, made if it is not there, so that a working directory has its name. */
int zs_root_folder(struct zs_root_tree *tree, const char *path);
int zs_root_link(struct zs_root_tree *tree, const char *path, const char *target);

/* A file of ours, read-only, on what is there. */
int zs_root_file(struct zs_root_tree *tree, const char *path, const char *text);

/* Makes read-only what it shows of file systems that control what is outside: root_guard.c. */
int zs_root_guard_controls(const struct zs_root_tree *tree, const struct zs_policy *policy);

/* Where no mount can guard them: *ret_path is the grant that lets the command write one, *ret_point (free() it) where
 * that is. They are written only when there is such a grant. */
int zs_find_control_grant(const struct zs_policy *policy, char **ret_point, const char **ret_path);

/* It becomes "/" of every process in this mount namespace, and what was "/" is gone. */
int zs_root_enter(struct zs_root_tree *tree);

#endif
