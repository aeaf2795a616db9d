/* Landlock's rights, by ABI and by access. (Not landlock.h: by an include path of ours that would be
 * <linux/landlock.h>.) */
#ifndef ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H
#define ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "zs_sandbox.h"

enum {
	ZS_LANDLOCK_ABI_TRUNCATE = 3, /* Linux 6.2: below it, truncate(2) empties files that are only readable */
	ZS_LANDLOCK_ABI_SCOPES = 6,   /* Linux 6.12: below it, outside processes can be signalled */
	ZS_LANDLOCK_ABI_SOCKETS = 9,  /* Linux 7.1: below it, unix sockets that have a path cannot be told apart */
	ZS_LANDLOCK_ABI_KNOWN = 9,    /* a newer kernel is used as this one */
};

/* The kernel's ABI, at least 1, or a negative errno: -ENOSYS not built in, -EOPNOTSUPP not switched on. */
int zs_landlock_abi(void);

/* To connect, or to send, to a unix socket that has a path: LANDLOCK_ACCESS_FS_RESOLVE_UNIX of ABI 9 (Linux 7.1), which
 * older headers lack. One that was made in the same domain needs no rule. */
#define ZS_LANDLOCK_RESOLVE_UNIX (UINT64_C(1) << 16)

/* The rights that a ruleset handles, that is, denies unless granted. In the Landlock tier everything that the ABI
 * knows; behind mounts, which decide what can be read, no right that the kernel has to look for when a file is opened
 * for reading (hook_file_open() in security/landlock/fs.c): those of reading, and that to truncate, which a descriptor
 * that reads may have too and which alone made each open a tenth dearer. A command that may not open a file for writing
 * there can still not truncate it: its mount is read-only. */
uint64_t zs_landlock_handled_fs(int abi, enum zs_tier tier);
/* Connecting and binding by TCP. No boundary (MSG_FASTOPEN, MPTCP and UDP go around it): for a socket that was
 * inherited, where seccomp refuses to make one. */
uint64_t zs_landlock_handled_net(int abi);
uint64_t zs_landlock_scoped(int abi);

/* The rights of a grant. Some exist for directories only and are left out for a file: the kernel refuses them there. */
uint64_t zs_landlock_rights(int abi, enum zs_access access, bool is_directory);

#endif
