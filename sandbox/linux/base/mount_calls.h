/* The mount API of Linux 5.12, which musl has no functions for: man 2 fsopen, open_tree, move_mount, mount_setattr. It
 * works with descriptors, so no path is resolved twice. Each function returns a descriptor or 0, or a negative errno. A
 * mount that is "detached" has no place in the file tree yet. */
#ifndef ZS_SANDBOX_LINUX_MOUNT_CALLS_H
#define ZS_SANDBOX_LINUX_MOUNT_CALLS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* A parameter of a file system. One whose value is NULL is a flag. */
struct zs_mount_option {
	const char *name, *value;
};

/* A detached mount of a new file system of this type. attributes: MOUNT_ATTR_… */
int zs_mount_new(const char *type, const struct zs_mount_option *options, uint64_t attributes);

/* A detached mount of a proc that shows this process's pid namespace. */
int zs_proc_new(void);

/* A detached copy of the mount tree at folder/path. An empty path names the descriptor's own place. The copy is
 * private: no mount propagates into it or out of it. */
int zs_mount_clone(int folder, const char *path, uint64_t attributes);

/* A detached copy of the mount at the descriptor, or of its whole mount tree, whose files show their owners as the user
 * namespace maps them (MOUNT_ATTR_IDMAP). */
int zs_mount_clone_mapped(int folder, int user_namespace, uint64_t attributes, bool tree);

/* Attaches a mount at folder/path. */
int zs_mount_attach(int mount, int folder, const char *path);

/* Adds attributes to one mount. */
int zs_mount_restrict(int mount, uint64_t attributes);

/* An O_PATH descriptor of a path in which no part is a symbolic link: one below the folder, or with AT_FDCWD an
 * absolute one. */
int zs_open_place(int folder, const char *path);

/* The same of an absolute path, as a descriptor by which the directory can be listed. */
int zs_open_folder(const char *path);

/* The path by which the kernel knows an open file. */
int zs_fd_path(int fd, char ret_path[PATH_MAX]);

#endif
