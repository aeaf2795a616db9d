#include "linux/base/landlock_rights.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_RIGHTS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

/* No grant contains the rights to make device nodes. No build needs one, and a device node in the workspace would be a
 * way out once a privileged process opens it. */
#define WRITE_RIGHTS                                                                                                   \
	(READ_RIGHTS | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |    \
		LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |           \
		LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |            \
		LANDLOCK_ACCESS_FS_REFER | LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_IOCTL_DEV)

/* The rights that the kernel looks for when a file is opened for reading. */
#define CHECKED_WHEN_READING (READ_RIGHTS | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_TRUNCATE)

/* The rights that apply to a file. The kernel refuses a rule for a file that has others with EINVAL (man 2
 * landlock_add_rule). */
#define FILE_RIGHTS                                                                                                    \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |                   \
		LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_IOCTL_DEV)

/* The rights that each ABI knows: man 7 landlock, "VERSIONS". ABI 1 has the thirteen rights up to MAKE_SYM. */
#define FS_1 ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)
#define FS_2 (FS_1 | LANDLOCK_ACCESS_FS_REFER)
#define FS_3 (FS_2 | LANDLOCK_ACCESS_FS_TRUNCATE)
#define FS_5 (FS_3 | LANDLOCK_ACCESS_FS_IOCTL_DEV)
#define FS_9 (FS_5 | ZS_LANDLOCK_RESOLVE_UNIX)
#define SCOPE_6 (LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL)

#define NET_4 (LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP)

static const struct {
	uint64_t fs, net, scoped;
} abis[ZS_LANDLOCK_ABI_KNOWN + 1] = {
	[1] = { FS_1, 0, 0 },
	[2] = { FS_2, 0, 0 },
	[3] = { FS_3, 0, 0 },
	[4] = { FS_3, NET_4, 0 },
	[5] = { FS_5, NET_4, 0 },
	[6] = { FS_5, NET_4, SCOPE_6 },
	[7] = { FS_5, NET_4, SCOPE_6 },
	[8] = { FS_5, NET_4, SCOPE_6 },
	[9] = { FS_9, NET_4, SCOPE_6 },
	[10] = { FS_9, NET_4 | ZS_LANDLOCK_UDP, SCOPE_6 },
};

static int known(int abi)
{
	if (abi < 0)
		return 0;
	return abi > ZS_LANDLOCK_ABI_KNOWN ? ZS_LANDLOCK_ABI_KNOWN : abi;
}

uint64_t zs_landlock_handled_fs(int abi, enum zs_tier tier)
{
	return abis[known(abi)].fs & (tier == ZS_TIER_MOUNTS ? ~(uint64_t)CHECKED_WHEN_READING : ~UINT64_C(0));
}

uint64_t zs_landlock_handled_net(int abi)
{
	return abis[known(abi)].net;
}

uint64_t zs_landlock_scoped(int abi)
{
	return abis[known(abi)].scoped;
}

uint64_t zs_landlock_rights(int abi, enum zs_access access, bool is_directory)
{
	static const uint64_t rights[ZS_ACCESS_COUNT] = {
		[ZS_ACCESS_HIDE] = 0,
		[ZS_ACCESS_PROTECT] = 0,
		[ZS_ACCESS_READ] = READ_RIGHTS,
		[ZS_ACCESS_EXEC] = READ_RIGHTS | LANDLOCK_ACCESS_FS_EXECUTE,
		[ZS_ACCESS_LAYER] = READ_RIGHTS | LANDLOCK_ACCESS_FS_EXECUTE, /* without its layer */
		[ZS_ACCESS_WRITE] = WRITE_RIGHTS,
	};
	uint64_t granted = (unsigned)access < ZS_ACCESS_COUNT ? rights[access] : 0;

	return granted & abis[known(abi)].fs & (is_directory ? ~UINT64_C(0) : FILE_RIGHTS);
}

int zs_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return abi < 0 ? -errno : (int)abi;
}
