/* The root directory that a confined command sees: a tmpfs with a bind mount for each granted path, read-only unless it
 * may be written. A path that is not granted does not exist in it, not even as a name. */
#ifndef ZS_SANDBOX_LINUX_ROOT_TREE_H
#define ZS_SANDBOX_LINUX_ROOT_TREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/policy.h"

/* The most files of the private /tmp, /var/tmp and /dev/shm together; they are memory, as the bytes are. */
#define ZS_TMP_FILES "1048576"

/* The folders that each run gets as its own, empty, and that are removed when the run ends. Ends in NULL. */
static const char *const zs_private_folders[] = { "/tmp", "/var/tmp", "/dev/shm", NULL };

struct zs_root_tree {
	int scratch;   /* a tmpfs with the root's own folders, the private folders and the covers of hidden paths */
	int disk;      /* the folder on disk that holds /tmp and /var/tmp; -1: the scratch file system holds them */
	int root;      /* the mount that becomes "/" */
	unsigned held; /* the number of hidden folders that hold a grant */
	int parent;    /* the folder that was used last; -1: none */
	char parent_path[PATH_MAX]; /* its path */
};

#define ZS_ROOT_TREE_NONE (struct zs_root_tree){ .scratch = -1, .disk = -1, .root = -1, .parent = -1 }

/* Begins a tree. tmp: the size of the scratch file system. whole: "/" is granted with `access`, so the tree begins as a
 * clone of the machine's root. other: a detached mount that becomes the root, which the tree then owns; -1: none. */
int zs_root_begin(struct zs_root_tree *tree, uint64_t tmp, bool whole, enum zs_access access, int other);
void zs_root_end(struct zs_root_tree *tree);

/* Bind-mounts a path of the machine (absolute, without symbolic links) at the same path. -ENOENT: it does not exist.
 * -ESTALE: another file than the approved one is there. */
int zs_root_bind(
	struct zs_root_tree *tree, const char *path, enum zs_access access, const struct zs_approved_place *approved);
/* Bind-mounts a Unix socket. -ENOTSOCK: it is another kind of file. */
int zs_root_socket(struct zs_root_tree *tree, const char *path);
/* Bind-mounts an existing folder on itself: a mount point cannot be renamed. */
int zs_root_pin(struct zs_root_tree *tree, const char *path);
/* Makes an existing path read-only. -ENOENT: it does not exist. */
int zs_root_protect(struct zs_root_tree *tree, const char *path);
/* The same for a regular file in the finished root directory, by a process that has not entered it and may mount.
 * -EAGAIN: a process has the file open for writing. */
int zs_root_protect_again(const char *path);
/* Does the path exist in the tree? */
bool zs_root_has(struct zs_root_tree *tree, const char *path);
/* The same, as 0 or a negative errno. */
int zs_root_find(struct zs_root_tree *tree, const char *path);
/* Mounts an empty writable folder of the scratch file system or of the folder on disk. A second call for a path mounts
 * the same folder again, on top. */
int zs_root_private(struct zs_root_tree *tree, const char *path);
/* Covers an existing path by an empty, unreadable file or folder. -ENOENT: it does not exist. holds: grants inside it
 * will be mounted again, so the empty folder can be listed until zs_root_seal() makes it read-only. */
int zs_root_hide(struct zs_root_tree *tree, const char *path, bool holds);
int zs_root_seal(struct zs_root_tree *tree, const char *path);
/* Mounts an empty folder in which mount points can be made, until zs_root_seal(). */
int zs_root_cover(struct zs_root_tree *tree, const char *path);
/* Attaches `mount` on a path, which is made as a folder or file if it does not exist. */
int zs_root_attach(struct zs_root_tree *tree, int mount, const char *path, bool folder);
/* Makes the folder if it does not exist, so that the working directory keeps its path. */
int zs_root_folder(struct zs_root_tree *tree, const char *path);
int zs_root_link(struct zs_root_tree *tree, const char *path, const char *target);

/* Mounts a read-only file with this text over the path. */
int zs_root_file(struct zs_root_tree *tree, const char *path, const char *text);

/* Makes cgroupfs and other kernel file systems in the tree read-only: root_guard.c. */
int zs_root_guard_controls(const struct zs_root_tree *tree, const struct zs_policy *policy);

/* For the Landlock tier, which cannot make a mount read-only: finds a write grant that shows such a file system.
 * *ret_path is the grant, *ret_point (free() it) the file system's mount point. Both are written only when there is
 * one. */
int zs_find_control_grant(const struct zs_policy *policy, char **ret_point, const char **ret_path);

/* Makes the tree "/" of this mount namespace and detaches the old root. */
int zs_root_enter(struct zs_root_tree *tree);

#endif
