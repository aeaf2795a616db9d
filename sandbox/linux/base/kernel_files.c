#include "base/kernel_files.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdint.h>
#include <sys/vfs.h>

#include "base/cleanup.h"

int zs_has_kernel_files(int folder)
{
	/* bpf and configfs are missing on purpose: users can make symbolic links there. */
	static const uint32_t systems[] = { PROC_SUPER_MAGIC, SYSFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
		DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC };
	struct statfs fs;

	if (fstatfs(folder, &fs) < 0)
		return -errno;
	for (size_t i = 0; i < ZS_COUNT(systems); i++)
		if ((uint32_t)fs.f_type == systems[i])
			return 1;
	return 0;
}
