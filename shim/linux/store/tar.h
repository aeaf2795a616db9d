/* The header of a file in a tar file: ustar (man 5 tar). */
#ifndef ZS_SHIM_LINUX_TAR_H
#define ZS_SHIM_LINUX_TAR_H

#include <stdint.h>

enum { ZS_TAR_BLOCK = 512 };

/* The most bytes of its files together. A compressed one may hold far more than its own size. */
#define ZS_TAR_BYTES_MAX (UINT64_C(64) << 30)

struct zs_tar_header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[8], user[32],
		group[32], major[8], minor[8], prefix[155], unused[12];
};

_Static_assert(sizeof(struct zs_tar_header) == ZS_TAR_BLOCK, "");

#endif
