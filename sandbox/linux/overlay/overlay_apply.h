/* The types that the passes of applying an overlay share. */
#ifndef ZS_SANDBOX_LINUX_OVERLAY_APPLY_H
#define ZS_SANDBOX_LINUX_OVERLAY_APPLY_H

#include "linux/overlay/overlay_files.h"

enum { ZS_TEMPORARY_BYTES = 64 };

/* Root in another user's workspace; else all zero. */
struct zs_identity {
	bool is_owner;
	uid_t uid;
	gid_t gid;
	gid_t *groups; /* and the rest: what is given back */
	size_t group_count;
	int dumpable, death_signal;
};

struct zs_apply {
	struct zs_overlay *overlay;
	const struct zs_overlay_options *options;
	const struct zs_change *changes;
	size_t count;
	unsigned char *progress; /* enum progress */
	size_t *inside;        /* the directory that comes in a file's place and that this one is in: its number + 1 */
	struct zs_modes modes; /* of directories: set last, since one may forbid what is to be done in it */
	uint64_t random;
	struct zs_identity identity;
	struct zs_error *error;
};

/* The directory that a change is in. */
struct zs_apply_place {
	int folder;
	const char *name;
	char temporary[ZS_TEMPORARY_BYTES];
};

int zs_apply_fail(struct zs_apply *apply, const char *path, int r);
/* Somebody else has been there. */
int zs_apply_fail_stale(struct zs_apply *apply, const char *path, const char *what);

/* "" for what lies at the top. */
const char *zs_apply_parent(const char *path, char buffer[ZS_OVERLAY_PATH_BYTES_MAX + 1]);

bool zs_apply_applies(const struct zs_apply *apply, size_t i);
/* Is a new file to be written? */
bool zs_apply_needs_file(const struct zs_change *change);

/* Is the workspace what the changes were made from? Nothing has been touched yet. */
int zs_apply_check_all(struct zs_apply *apply);
/* Is it still, as far as this change goes? */
int zs_apply_check_old(struct zs_apply *apply, const struct zs_change *change);

/* Of what has just been moved, too, whose ctime has: is it what the change was made from? */
bool zs_apply_is_same(const struct zs_change *change, const struct stat *now);

/* Writes the new file, link or fifo under its temporary name; on failure there is none. */
int zs_apply_write(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place);
/* Gives the written file its name; removes a directory that was there. -ESTALE: something else was there, and is again;
 * -EEXIST, -ENOTEMPTY: something is there. */
int zs_apply_move_in(const struct zs_change *change, const struct zs_apply_place *place);
int zs_apply_remove(const struct zs_change *change, const struct zs_apply_place *place);
int zs_apply_change_mode(const struct zs_change *change, const struct zs_apply_place *place);

/* From here to zs_apply_be_root() root is the workspace's owner. This thread alone changes. */
int zs_apply_become_owner(struct zs_apply *apply);
void zs_apply_be_root(struct zs_apply *apply);
/* In between: the overlay is root's. A failure to go back is an end. */
int zs_apply_read_as_root(struct zs_apply *apply, bool root);

#endif
