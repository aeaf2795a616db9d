/* The caller's files that are the command's standard descriptors. It may read or write them; their mode and owner are
 * not its own to change. */
#ifndef ZS_SANDBOX_LINUX_STANDARD_FILES_H
#define ZS_SANDBOX_LINUX_STANDARD_FILES_H

#include <stdbool.h>
#include <sys/stat.h>

enum { ZS_STANDARD_FILES = 3 };

struct zs_standard_files {
	struct stat before[ZS_STANDARD_FILES];
	bool known[ZS_STANDARD_FILES];
};

/* The machine's /dev/null, opened on a read-only mount of its own. A negative errno; -ENOENT: no standard descriptor is
 * one. */
int zs_standard_null(void);

/* In the command's mounts: a device that is there too, on a read-only mount, is opened anew at that place. fchmod(2)
 * and its like fail by such a descriptor, and by all copies of it. null: of zs_standard_null(), for where the command
 * has none. */
int zs_standard_reopen(int null);

/* A file cannot be opened anew: its position is shared with the caller. So the supervisor notes its mode and owner
 * before the command begins, and puts them back when all has ended. */
int zs_standard_note(struct zs_standard_files *ret_files);
void zs_standard_put_back(const struct zs_standard_files *files);

#endif
