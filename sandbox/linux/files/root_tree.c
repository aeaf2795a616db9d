#include "linux/files/root_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/folder_reader.h"
#include "base/path.h"
#include "linux/base/mount_calls.h"

/* Folders of the scratch file system. */
static const char skeleton[] = "root", hidden_folder[] = "hidden", hidden_file[] = "hidden-file";

/* The mode of a folder that stands in for one of the machine's. It cannot be written, not even in a private /tmp: a
 * file that the command makes beside the workspace would vanish with the run, which would mislead. */
enum { FOLDER_MODE = 0555 };

/* A grant inside /proc shows the machine's proc and is always read-only: root owns /proc/sys/kernel/core_pattern and
 * could write it without any capability. */
static uint64_t attributes_of(const char *path, enum zs_access access)
{
	static const uint64_t rights[ZS_ACCESS_COUNT] = {
		[ZS_ACCESS_HIDE] = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC,
		[ZS_ACCESS_PROTECT] = MOUNT_ATTR_RDONLY,
		[ZS_ACCESS_READ] = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC,
		[ZS_ACCESS_EXEC] = MOUNT_ATTR_RDONLY,
		[ZS_ACCESS_LAYER] = MOUNT_ATTR_RDONLY, /* without its layer */
		[ZS_ACCESS_WRITE] = 0,
	};

	return rights[access] | MOUNT_ATTR_NOSUID | (zs_path_lies_in(path, "/dev") ? 0 : MOUNT_ATTR_NODEV) |
	       (zs_path_lies_in(path, "/proc") ? MOUNT_ATTR_RDONLY : 0);
}

static int make_scratch(uint64_t bytes)
{
	char size[24];
	const struct zs_mount_option options[] = {
		{ "size", size },
		{ "nr_inodes", ZS_TMP_FILES },
		{ "mode", "0755" },
		{ NULL, NULL },
	};
	ZS_AUTO_FD int scratch = -1;

	snprintf(size, sizeof size, "%" PRIu64, bytes);
	scratch = zs_mount_new("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (scratch < 0)
		return scratch;
	if (mkdirat(scratch, skeleton, 0755) < 0 || mkdirat(scratch, hidden_folder, 0) < 0 ||
		mknodat(scratch, hidden_file, S_IFREG, 0) < 0)
		return -errno;
	return ZS_STEAL_FD(scratch);
}

static int copy_link(int folder, const char *name, unsigned char type, void *tree)
{
	char target[PATH_MAX];
	ssize_t len = type == DT_LNK ? readlinkat(folder, name, target, sizeof target - 1) : 0;

	if (len <= 0)
		return len < 0 ? -errno : 0;
	target[len] = '\0';
	return symlinkat(target, ((const struct zs_root_tree *)tree)->root, name) < 0 ? -errno : 0;
}

/* Copies the symbolic links of "/", such as /bin and /lib64, so that a grant of /usr lets /bin/sh run. */
static int copy_links(struct zs_root_tree *tree)
{
	ZS_AUTO_FD int folder = zs_folder_open("/");

	if (folder < 0) /* a root that cannot be listed shows no links */
		return folder == -EACCES ? 0 : folder;
	return zs_folder_each(folder, copy_link, tree, NULL);
}

/* Makes a folder or an empty file. Returns 0 or a positive errno. */
static int make_place(int parent, const char *name, bool folder)
{
	int r = folder ? mkdirat(parent, name, FOLDER_MODE) : mknodat(parent, name, S_IFREG | 0600, 0);

	return r < 0 ? errno : 0;
}

/* Opens a name that make_place() could not make, for this cause. EROFS and EACCES do not say that it does not exist:
 * NFS does not look a new name up in a read-only tree (nfs_lookup() in fs/nfs/dir.c). */
static int open_existing(int parent, const char *name, int cause)
{
	int fd;

	if (cause && cause != EEXIST && cause != EROFS && cause != EACCES)
		return -cause;
	fd = zs_open_place(parent, name);
	return cause && fd == -ENOENT ? -cause : fd;
}

static int open_made(int parent, const char *name)
{
	return open_existing(parent, name, make_place(parent, name, true));
}

/* Opens a folder, making it and its parents where they do not exist: in the scratch file system, or in a private
 * folder. */
static int make_folder(const struct zs_root_tree *tree, const char *path)
{
	char names[PATH_MAX], *rest;
	int at = zs_open_place(tree->root, ".");

	snprintf(names, sizeof names, "%s", path);
	for (char *name = strtok_r(names, "/", &rest); name && at >= 0; name = strtok_r(NULL, "/", &rest)) {
		ZS_AUTO_FD int parent = at;

		at = open_made(parent, name);
	}
	return at;
}

static void forget_parent(struct zs_root_tree *tree)
{
	if (tree->parent >= 0)
		close(tree->parent);
	tree->parent = -1;
}

/* Opens the folder that holds path, and sets *ret_name to path's last component. make: makes the folder if it does not
 * exist. The tree owns the descriptor and keeps it for the next path, which mostly has the same parent. Paths are
 * walked by descriptor from the new root: this process's root is still the machine's, and a writable tree may get a
 * symbolic link anywhere at any time. */
static int open_parent(struct zs_root_tree *tree, const char *path, bool make, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	size_t len = (size_t)(slash - path);

	*ret_name = slash[1] ? slash + 1 : ".";
	if (tree->parent >= 0 && strlen(tree->parent_path) == len && memcmp(tree->parent_path, path, len) == 0)
		return tree->parent;
	forget_parent(tree);
	if (len >= sizeof tree->parent_path)
		return -ENAMETOOLONG;
	memcpy(tree->parent_path, path, len);
	tree->parent_path[len] = '\0';
	tree->parent = zs_open_place(tree->root, len ? tree->parent_path + 1 : ".");
	if (tree->parent == -ENOENT && make)
		tree->parent = make_folder(tree, tree->parent_path);
	return tree->parent;
}

/* Opens an existing path of the new root. */
static int open_there(struct zs_root_tree *tree, const char *path)
{
	const char *name;
	int parent = open_parent(tree, path, false, &name);

	return parent < 0 ? parent : zs_open_place(parent, name);
}

/* Attaches a mount on an existing path. It may cover the folder that open_parent() keeps, so that one is forgotten. */
static int attach_over(struct zs_root_tree *tree, int mount, int place)
{
	forget_parent(tree);
	return zs_mount_attach(mount, place, "");
}

/* A mount point that was made just now needs no open: if a link has replaced it, move_mount(2) does not follow that
 * (without MOVE_MOUNT_T_SYMLINKS). */
int zs_root_attach(struct zs_root_tree *tree, int mount, const char *path, bool folder)
{
	const char *name;
	int parent = open_parent(tree, path, true, &name), cause;
	ZS_AUTO_FD int target = -1;

	if (parent < 0)
		return parent;
	cause = make_place(parent, name, folder);
	if (cause == 0)
		return zs_mount_attach(mount, parent, name);
	target = open_existing(parent, name, cause);
	return target < 0 ? target : zs_mount_attach(mount, target, "");
}

int zs_root_begin(struct zs_root_tree *tree, uint64_t tmp, bool whole, enum zs_access access, int other)
{
	int r;

	*tree = ZS_ROOT_TREE_NONE;
	tree->root = other;
	/* Clones "/" before our own mounts are in it. */
	if (whole)
		tree->root = zs_mount_clone(AT_FDCWD, "/", attributes_of("/", access));
	if (whole && tree->root < 0)
		return tree->root;
	tree->scratch = make_scratch(tmp);
	if (tree->scratch < 0)
		return tree->scratch;
	/* The mount goes on top of "/", where it covers nothing: this process's root is the old "/" below it. A mount
	 * must be attached before parts of it can be cloned or others attached to it. */
	r = zs_mount_attach(tree->scratch, AT_FDCWD, "/");
	if (r < 0)
		return r;
	if (!whole && other < 0)
		tree->root = zs_mount_clone(tree->scratch, skeleton, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (tree->root < 0)
		return tree->root;
	r = zs_mount_attach(tree->root, AT_FDCWD, "/");
	return r < 0 || whole || other >= 0 ? r : copy_links(tree);
}

void zs_root_end(struct zs_root_tree *tree)
{
	forget_parent(tree);
	if (tree->scratch >= 0)
		close(tree->scratch);
	if (tree->disk >= 0)
		close(tree->disk);
	if (tree->root >= 0)
		close(tree->root);
}

/* A device node's mount is always read-only. The device can still be written, but not the node's mode and times, which
 * the whole machine shares and root could change without any capability. */
static int bind_place(
	struct zs_root_tree *tree, int place, const char *path, enum zs_access access, const struct stat *st)
{
	bool device = S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode);
	ZS_AUTO_FD int mount =
		zs_mount_clone(place, "", attributes_of(path, access) | (device ? MOUNT_ATTR_RDONLY : 0));

	return mount < 0 ? mount : zs_root_attach(tree, mount, path, S_ISDIR(st->st_mode));
}

static int open_source(const char *path, struct stat *ret_st)
{
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, path);

	return place >= 0 && fstat(place, ret_st) < 0 ? -errno : ZS_STEAL_FD(place);
}

int zs_root_bind(
	struct zs_root_tree *tree, const char *path, enum zs_access access, const struct zs_approved_place *approved)
{
	struct stat st;
	ZS_AUTO_FD int place = open_source(path, &st);
	int r = place < 0 ? place : zs_approved_place_check(place, approved);

	return r < 0 ? r : bind_place(tree, place, path, access, &st);
}

int zs_root_socket(struct zs_root_tree *tree, const char *path)
{
	struct stat st;
	ZS_AUTO_FD int place = open_source(path, &st);

	if (place < 0)
		return place;
	return S_ISSOCK(st.st_mode) ? bind_place(tree, place, path, ZS_ACCESS_READ, &st) : -ENOTSOCK;
}

/* Bind-mounts an existing path on itself. */
static int mount_again(struct zs_root_tree *tree, const char *path, uint64_t attributes)
{
	ZS_AUTO_FD int place = open_there(tree, path);
	ZS_AUTO_FD int mount = place < 0 ? place : zs_mount_clone(place, "", attributes);

	return mount < 0 ? mount : attach_over(tree, mount, place);
}

int zs_root_pin(struct zs_root_tree *tree, const char *path)
{
	return mount_again(tree, path, 0);
}

int zs_root_protect(struct zs_root_tree *tree, const char *path)
{
	return mount_again(tree, path, attributes_of(path, ZS_ACCESS_PROTECT));
}

/* The kernel gives a lease for a file that no process has open for writing (man 2 fcntl, F_SETLEASE). */
static int check_no_writer(struct zs_root_tree *tree, const char *path)
{
	const char *name;
	int parent = open_parent(tree, path, false, &name);
	ZS_AUTO_FD int file =
		parent < 0 ? -1 : openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (parent < 0)
		return parent;
	return file < 0 || fcntl(file, F_SETLEASE, F_RDLCK) < 0 ? -errno : 0;
}

/* The caller's root directory is covered by the finished one. "/.." leads to the mount on top (handle_dots() in
 * fs/namei.c). */
int zs_root_protect_again(const char *path)
{
	struct zs_root_tree tree = ZS_ROOT_TREE_NONE;
	int r;

	tree.root = open("/..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	r = tree.root < 0 ? -errno : zs_root_protect(&tree, path);
	if (r == 0)
		r = check_no_writer(&tree, path);
	zs_root_end(&tree);
	return r;
}

int zs_root_find(struct zs_root_tree *tree, const char *path)
{
	ZS_AUTO_FD int place = open_there(tree, path);

	return place < 0 ? place : 0;
}

bool zs_root_has(struct zs_root_tree *tree, const char *path)
{
	return zs_root_find(tree, path) == 0;
}

int zs_root_private(struct zs_root_tree *tree, const char *path)
{
	/* /dev/shm is memory by its nature. */
	int holder = tree->disk >= 0 && strcmp(path, "/dev/shm") != 0 ? tree->disk : tree->scratch;
	ZS_AUTO_FD int mount = -1;
	char name[NAME_MAX];
	size_t len = 0;

	for (const char *c = path + 1; *c && len < sizeof name - 1; c++)
		name[len++] = *c == '/' ? '-' : *c;
	name[len] = '\0';
	/* The umask is 0: zs_stage_mounts(). */
	if (mkdirat(holder, name, S_ISVTX | 0777) < 0 && errno != EEXIST)
		return -errno;
	mount = zs_mount_clone(holder, name, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	return mount < 0 ? mount : zs_root_attach(tree, mount, path, true);
}

/* Makes an empty folder in which mount points can be made. */
static int make_hidden(struct zs_root_tree *tree)
{
	char name[32];

	snprintf(name, sizeof name, "%s-%u", hidden_folder, tree->held++);
	if (mkdirat(tree->scratch, name, FOLDER_MODE) < 0)
		return -errno;
	return zs_mount_clone(tree->scratch, name, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
}

int zs_root_hide(struct zs_root_tree *tree, const char *path, bool holds)
{
	ZS_AUTO_FD int place = open_there(tree, path);
	ZS_AUTO_FD int mount = -1;
	struct stat st;

	if (place < 0)
		return place;
	if (fstat(place, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode) && holds)
		mount = make_hidden(tree);
	else
		mount = zs_mount_clone(tree->scratch, S_ISDIR(st.st_mode) ? hidden_folder : hidden_file,
			attributes_of(path, ZS_ACCESS_HIDE));
	return mount < 0 ? mount : attach_over(tree, mount, place);
}

int zs_root_cover(struct zs_root_tree *tree, const char *path)
{
	ZS_AUTO_FD int mount = make_hidden(tree);

	return mount < 0 ? mount : zs_root_attach(tree, mount, path, true);
}

int zs_root_seal(struct zs_root_tree *tree, const char *path)
{
	ZS_AUTO_FD int place = open_there(tree, path);

	return place < 0 ? place : zs_mount_restrict(place, MOUNT_ATTR_RDONLY);
}

int zs_root_folder(struct zs_root_tree *tree, const char *path)
{
	const char *name;
	int parent = open_parent(tree, path, true, &name);
	ZS_AUTO_FD int fd = parent < 0 ? parent : open_made(parent, name);

	return fd < 0 ? fd : 0;
}

int zs_root_link(struct zs_root_tree *tree, const char *path, const char *target)
{
	const char *name;
	int parent = open_parent(tree, path, true, &name);

	if (parent < 0)
		return parent;
	return symlinkat(target, parent, name) < 0 && errno != EEXIST && errno != EROFS ? -errno : 0;
}

int zs_root_file(struct zs_root_tree *tree, const char *path, const char *text)
{
	const char *name = strrchr(path, '/') + 1;
	ZS_AUTO_FD int fd = openat(tree->scratch, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444), mount = -1;
	size_t len = strlen(text);

	if (fd < 0)
		return -errno;
	if (fchmod(fd, 0444) < 0)
		return -errno;
	if (write(fd, text, len) != (ssize_t)len)
		return errno ? -errno : -EIO;
	mount = zs_mount_clone(tree->scratch, name, attributes_of(path, ZS_ACCESS_READ));
	return mount < 0 ? mount : zs_root_attach(tree, mount, path, false);
}

/* Is anything mounted on top of our root directory? A lookup of "/" stays below such a mount, and "/.." leads to the
 * top one: openat2(2) then fails with -EXDEV. */
static int check_top(void)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_XDEV };
	ZS_AUTO_FD int above = (int)syscall(SYS_openat2, AT_FDCWD, "/..", &how, sizeof how);

	return above < 0 ? -errno : 0;
}

/* Calls pivot_root(".", ".") (man 2 pivot_root) in the scratch file system. Then the old root is mounted on top of our
 * root, and an overlay's tmpfs on top of that. Each umount2() detaches the topmost mount, and waits for a grace period
 * of RCU. The scratch file system stays below "/", as the rootfs of a booted kernel does (man 2 pivot_root, "rootfs"):
 * the root mount covers it, so no path leads there. */
int zs_root_enter(struct zs_root_tree *tree)
{
	/* A few mounts are expected. With more than this many, umount2() is not doing its work. */
	enum { MOUNTS_ABOVE_MAX = 64 };
	int r = -EXDEV;

	if (fchdir(tree->scratch) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || fchdir(tree->root) < 0 ||
		chroot(".") < 0)
		return -errno;
	for (int i = 0; r == -EXDEV && i < MOUNTS_ABOVE_MAX; i++) {
		if (umount2(".", MNT_DETACH) < 0)
			return -errno;
		r = check_top();
	}
	return r;
}
