/* Which file or folder somebody has approved, so that another that has taken its path is not granted in its stead. */
#ifndef ZS_SANDBOX_APPROVED_PLACE_H
#define ZS_SANDBOX_APPROVED_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* An inode's number is given to the next file once its own is gone, so the time of birth counts as well, where the file
 * system knows one (man 2 statx); 0 elsewhere. */
struct zs_approved_place {
	bool known; /* false: whatever is there */
	uint64_t device, inode, born_seconds, born_nanoseconds;
};

#define ZS_APPROVED_PLACE_REPLACED "is another one than was approved: it has been replaced since"

/* Each system's own: linux/base, darwin, none. */

/* Opens a real path, without following any link, only to name the file. A descriptor or a negative errno. */
int zs_approved_place_open(const char *real);

/* Says which place an open descriptor stands for. */
int zs_approved_place_read(int fd, struct zs_approved_place *ret_place);

/* Does the descriptor stand for this place? -ESTALE: for another one. place NULL, or not known: any will do. */
int zs_approved_place_check(int fd, const struct zs_approved_place *place);

#endif
