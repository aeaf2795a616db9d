/* Landlock's rights, by ABI and by access. (The name landlock.h would hide the kernel's <linux/landlock.h>.) */
#ifndef ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H
#define ZS_SANDBOX_LINUX_LANDLOCK_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "zs_sandbox.h"

enum {
	ZS_LANDLOCK_ABI_TRUNCATE = 3, /* Linux 6.2: below it, truncate(2) empties files that are only readable */
	ZS_LANDLOCK_ABI_SCOPES = 6,   /* Linux 6.12: below it, outside processes can be signalled */
	ZS_LANDLOCK_ABI_SOCKETS = 9,  /* Linux 7.1: below it, no rule can name a unix socket by its path */
	ZS_LANDLOCK_ABI_UDP = 10,     /* Linux 7.2: below it, no ruleset concerns UDP */
	/* The newest whose rights zs knows; a newer kernel is used as if it had this one. Rights aside, ABI 7 and 10
	 * bring audit records, 8 a ruleset for all threads of a process, and 11 no_new_privs in the same call (the
	 * kernel's include/uapi/linux/landlock.h). zs needs none: its process has one thread and sets no_new_privs
	 * before, and a command would fill the machine's audit log. */
	ZS_LANDLOCK_ABI_KNOWN = 10,
};

/* The kernel's ABI, at least 1, or a negative errno: -ENOSYS: Landlock is not built in; -EOPNOTSUPP: it is built in and
 * not enabled (lsm=). */
int zs_landlock_abi(void);

/* LANDLOCK_ACCESS_FS_RESOLVE_UNIX of ABI 9 (Linux 7.1), which older headers lack: the right to connect or send to a
 * unix socket that has a path. A socket that was made in the same domain needs no rule. */
#define ZS_LANDLOCK_RESOLVE_UNIX (UINT64_C(1) << 16)

/* The rights that a ruleset handles: it denies them unless a rule grants them.
 *
 * In the Landlock tier these are all that the ABI knows. In the mount tier the mounts decide what can be read and
 * truncated, so the ruleset leaves out the rights that the kernel looks for when a file is opened for reading
 * (hook_file_open() in security/landlock/fs.c). The right to truncate is one of those, and by itself made each open a
 * tenth slower. */
uint64_t zs_landlock_handled_fs(int abi, enum zs_tier tier);

/* LANDLOCK_ACCESS_NET_BIND_UDP and _CONNECT_SEND_UDP of ABI 10 (Linux 7.2). */
#define ZS_LANDLOCK_UDP (UINT64_C(3) << 2)

/* The rights to connect, to bind and, from ABI 10 on, to send by UDP. They are no boundary, since MSG_FASTOPEN and
 * MPTCP go around them. They concern inherited sockets where seccomp refuses to make new ones. */
uint64_t zs_landlock_handled_net(int abi);
uint64_t zs_landlock_scoped(int abi);

/* The rights of a grant. For a file, rights that exist for directories only are left out. */
uint64_t zs_landlock_rights(int abi, enum zs_access access, bool is_directory);

#endif
