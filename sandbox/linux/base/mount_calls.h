/* The mount API of Linux 5.12, for which the C libraries have no functions: man 2 fsopen, open_tree, move_mount,
 * mount_setattr. Everything is by descriptor, so that no path is resolved twice. Each returns a descriptor or 0, or a
 * negative errno. */
#ifndef ZS_SANDBOX_LINUX_MOUNT_CALLS_H
#define ZS_SANDBOX_LINUX_MOUNT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* A parameter of a file system; a NULL value is a flag. */
struct zs_mount_option {
	const char *name, *value;
};

/* A mount of a new file system of this type, attached nowhere yet. attributes: MOUNT_ATTR_… */
int zs_mount_new(const char *type, const struct zs_mount_option *options, uint64_t attributes);

/* A proc of this process's pid namespace, attached nowhere yet. */
int zs_proc_new(void);

/* A copy of the mount tree at folder/path, attached nowhere yet; path "" is the descriptor's own place. No propagation
 * leads in or out of it. */
int zs_mount_clone(int folder, const char *path, uint64_t attributes);

/* A copy of the mount at the descriptor, or of the tree of them, with attributes, in which users are shown
 * as the namespace maps them. */
int zs_mount_clone_mapped(int folder, int user_namespace, uint64_t attributes, bool tree);

/* Attaches a mount at folder/path. */
int zs_mount_attach(int mount, int folder, const char *path);

/* Adds attributes to one mount. */
int zs_mount_restrict(int mount, uint64_t attributes);

/* Opens without following any symbolic link; below a folder, or an absolute path with AT_FDCWD. */
int zs_open_place(int folder, const char *path);

/* The same of an absolute path, to list what is in it. */
int zs_open_folder(const char *path);

#endif
