/* The entries of a folder: man 2 getdents, since the C library's way allocates. */
#ifndef ZS_SANDBOX_LINUX_ENTRIES_H
#define ZS_SANDBOX_LINUX_ENTRIES_H

#include <stdint.h>

struct zs_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short size;
	unsigned char type; /* DT_…; DT_UNKNOWN where the file system does not say */
	char name[];
};

/* Calls each for every entry but "." and "..", until it returns other than 0, which is returned then. folder: open for
 * reading, and at its start. */
int zs_for_each_entry(int folder, int (*each)(void *arg, const struct zs_entry *entry), void *arg);

#endif
