/* Landlock's rights, by ABI and by access. Pure. */
#ifndef ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H
#define ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "zs_sandbox.h"

enum {
	ZS_LANDLOCK_ABI_TRUNCATE = 3, /* Linux 6.2: below it, truncate(2) empties files that are only readable */
	ZS_LANDLOCK_ABI_SCOPES = 6,   /* Linux 6.12: below it, outside processes can be signalled */
	ZS_LANDLOCK_ABI_KNOWN = 7,    /* a newer kernel is used as this one */
};

/* LANDLOCK_ACCESS_FS_EXECUTE, READ_FILE and READ_DIR: not handled where mounts decide what can be read. */
#define ZS_LANDLOCK_READ_RIGHTS (UINT64_C(1) << 0 | UINT64_C(1) << 2 | UINT64_C(1) << 3)

/* What a ruleset handles, that is, denies unless granted: everything that the ABI knows. */
uint64_t zs_landlock_handled_fs(int abi);
/* Connecting and binding by TCP. No boundary (MSG_FASTOPEN, MPTCP and UDP go around it): for a socket that was
 * inherited, where seccomp refuses to make one. */
uint64_t zs_landlock_handled_net(int abi);
uint64_t zs_landlock_scoped(int abi);

/* The rights of a grant. Some exist for directories only and are left out for a file: the kernel refuses them there. */
uint64_t zs_landlock_rights(int abi, enum zs_access access, bool is_directory);

#endif
