/* Identifies the file or folder that a person has approved, so that another file at the same path is not granted in its
 * place. */
#ifndef ZS_SANDBOX_APPROVED_PLACE_H
#define ZS_SANDBOX_APPROVED_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* When a file is gone, its inode number is given to another. So the time of birth counts as well, where the file system
 * keeps one (man 2 statx); 0 elsewhere. */
struct zs_approved_place {
	bool known; /* false: any file at the path */
	uint64_t device, inode, born_seconds, born_nanoseconds;
};

#define ZS_APPROVED_PLACE_REPLACED "is another one than was approved: it has been replaced since"

/* Each system has its own functions: linux/base, darwin, none. */

/* Opens a real path only to identify the file, and follows no link. Returns a descriptor or a negative errno. */
int zs_approved_place_open(const char *real);

/* Identifies the file behind an open descriptor. */
int zs_approved_place_read(int fd, struct zs_approved_place *ret_place);

/* Is the descriptor open on this place? -ESTALE: it is open on another one. place NULL, or not known: any place is
 * right. */
int zs_approved_place_check(int fd, const struct zs_approved_place *place);

#endif
