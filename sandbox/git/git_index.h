/* Reads git's index (git's Documentation/gitformat-index): which content git holds for each path of a work tree.
 * Nothing here calls malloc(), since supervisors of sessions use it: see session.h. */
#ifndef ZS_SANDBOX_GIT_INDEX_H
#define ZS_SANDBOX_GIT_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* A larger index is refused: -EFBIG. It would hold some two million files. */
enum { ZS_GIT_INDEX_BYTES_MAX = 256 * 1024 * 1024 };

enum { ZS_GIT_NAME_BYTES_MAX = 32 }; /* of an object: SHA-256 */

/* The entry of one path; if the path is in conflict, the first of its entries. */
struct zs_git_index_entry {
	uint32_t seconds, nanoseconds, size; /* of the file, when git last found it equal to the content; 0: never */
	uint32_t changed, changed_nanoseconds, inode; /* the same: st_ctim and st_ino */
	uint32_t mode;
	unsigned stage; /* not 0: the path is in conflict */
	bool skipped;   /* the file is left out of the work tree on purpose (git sparse-checkout) */
	unsigned char content[ZS_GIT_NAME_BYTES_MAX];
};

/* before, after: NULL: this index does not have the path. A result other than 0 ends the comparison, and is
 * returned. */
typedef int zs_git_index_each(
	const char *path, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg);

/* Calls each for every path whose entries differ in anything. before, after: descriptors; -1: an index that does not
 * exist. -EBADMSG: one of the two is no index; -EOPNOTSUPP: it keeps a part in another file (git update-index
 * --split-index). Then no path has been reported. */
int zs_git_index_compare(int before, int after, zs_git_index_each *each, void *arg);

/* Are mode and content the same? */
bool zs_git_index_same(const struct zs_git_index_entry *a, const struct zs_git_index_entry *b);

#endif
