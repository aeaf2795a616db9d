/* The state of applying an overlay, and the steps that do it. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_APPLY_H
#define ZS_SANDBOX_LINUX_OVERLAY_APPLY_H

#include "linux/overlay/overlay_files.h"

enum { ZS_TEMPORARY_BYTES = 64 };

/* Root works as the workspace's owner. All zero where this process is not root, or root is the owner. */
struct zs_identity {
	bool is_owner; /* this thread works as the owner now */
	uid_t uid;     /* the owner's */
	gid_t gid;
	gid_t *groups; /* root's groups, restored in the end, as the next two */
	size_t group_count;
	int dumpable, death_signal; /* PR_GET_DUMPABLE, PR_GET_PDEATHSIG */
};

struct zs_apply {
	struct zs_overlay *overlay;
	const struct zs_overlay_options *options;
	const struct zs_change *changes;
	size_t count;
	unsigned char *progress; /* enum progress */
	size_t *inside;          /* for each change: the index + 1 of the change that replaces a file by the directory
				  * around it; 0: none */
	struct zs_modes modes;   /* of directories: set last, since a mode may forbid changes in its directory */
	uint64_t random;         /* in the temporary names */
	struct zs_identity identity;
	struct zs_error *error;
};

/* The place of a change in the workspace. */
struct zs_apply_place {
	int folder;                         /* a descriptor of the directory */
	const char *name;                   /* in it */
	char temporary[ZS_TEMPORARY_BYTES]; /* a name in it for this change alone */
};

/* Fills in the error and returns r. */
int zs_apply_fail(struct zs_apply *apply, const char *path, int r);
/* Fails with ESTALE: another process has changed the path during the run. */
int zs_apply_fail_stale(struct zs_apply *apply, const char *path, const char *what);

/* The path of the directory that holds path; "" is the workspace. */
const char *zs_apply_parent(const char *path, char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1]);

bool zs_apply_applies(const struct zs_apply *apply, size_t i);
/* Does the change need a new file, written under a temporary name first? */
bool zs_apply_needs_file(const struct zs_change *change);

/* The first pass, before anything is touched: checks that the workspace still is what all changes were made from. */
int zs_apply_check_all(struct zs_apply *apply);
/* Checks the same for one change, right before it is made. */
int zs_apply_check_old(struct zs_apply *apply, const struct zs_change *change);
/* Refuses a new index of git that has another entry for a file which is held back. */
int zs_apply_check_indexes(struct zs_apply *apply);

/* Is `now` the file that the change was made from? The ctime is not compared, since a rename changes it. */
bool zs_apply_is_same(const struct zs_change *change, const struct stat *now);

/* Writes the new file, symbolic link or fifo under its temporary name. A failure leaves no file. */
int zs_apply_write(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place);
/* Renames the written file from its temporary name, replacing the old file or empty directory. -ESTALE: the old file
 * was not the one that the change was made from, and was put back. -EEXIST: a new file has the name. -ENOTEMPTY: the
 * old directory has new content. */
int zs_apply_move_in(const struct zs_change *change, const struct zs_apply_place *place);
int zs_apply_remove(const struct zs_change *change, const struct zs_apply_place *place);
int zs_apply_change_mode(const struct zs_change *change, const struct zs_apply_place *place);

/* Makes root work as the workspace's owner until zs_apply_be_root(). Only this thread changes its identity. */
int zs_apply_become_owner(struct zs_apply *apply);
void zs_apply_be_root(struct zs_apply *apply);
/* Switches the file system uid to root for reading the upper layer, which belongs to root, and back. A failure to
 * switch back must end the apply. */
int zs_apply_read_as_root(struct zs_apply *apply, bool root);

#endif
