/* Lists a folder with getdents64(2), because opendir(3) allocates. */
#ifndef ZS_SANDBOX_LINUX_ENTRIES_H
#define ZS_SANDBOX_LINUX_ENTRIES_H

#include <stdint.h>

/* One entry, laid out as the kernel's struct linux_dirent64 (man 2 getdents). */
struct zs_entry {
	uint64_t inode;
	int64_t offset;
	unsigned short size; /* of this entry with its name, in bytes */
	unsigned char type;  /* DT_…; DT_UNKNOWN where the file system does not say */
	char name[];
};

/* Calls each() for every entry but "." and "..". The first result other than 0 ends the listing and is returned.
 * folder: open for reading, at its start. */
int zs_for_each_entry(int folder, int (*each)(void *arg, const struct zs_entry *entry), void *arg);

#endif
