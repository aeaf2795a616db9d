/* What the passes of applying a layer share. */
#ifndef ZS_SANDBOX_LINUX_LAYER_APPLY_H
#define ZS_SANDBOX_LINUX_LAYER_APPLY_H

#include "layer_files.h"

struct zs_apply {
	struct zs_layer *layer;
	const struct zs_layer_options *options;
	const struct zs_change *changes;
	size_t count;
	unsigned char *progress; /* enum progress */
	struct zs_modes modes;   /* of directories: set last, since one may forbid what is to be done in it */
	uint64_t random;
	struct zs_error *error;
};

/* The directory that a change is in. */
struct zs_apply_place {
	int folder;
	const char *name;
	char temporary[64];
};

int zs_apply_fail(struct zs_apply *apply, const char *path, int r);
/* Somebody else has been there. */
int zs_apply_fail_stale(struct zs_apply *apply, const char *path, const char *what);

/* "" for what lies at the top. */
const char *zs_apply_parent(const char *path, char buffer[ZS_LAYER_PATH_BYTES_MAX + 1]);

bool zs_apply_applies(const struct zs_apply *apply, size_t i);
/* Is a new file to be written? */
bool zs_apply_needs_file(const struct zs_change *change);

/* Is the workspace what the changes were made from? Nothing has been touched yet. */
int zs_apply_check_all(struct zs_apply *apply);
/* Is it still, as far as this change goes? */
int zs_apply_check_old(struct zs_apply *apply, const struct zs_change *change);

/* Writes the new file, link or fifo under its temporary name; on failure there is none. */
int zs_apply_write(struct zs_apply *apply, const struct zs_change *change, const struct zs_apply_place *place);
/* Gives a directory that was made to whom a file there would be given. */
int zs_apply_own_folder(const struct zs_apply_place *place, const char *name);

#endif
