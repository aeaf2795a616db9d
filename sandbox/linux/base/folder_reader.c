#include "base/folder_reader.h"

#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

/* struct linux_dirent64 of man 2 getdents. This is used instead of fdopendir(3), which makes two more system calls and
 * allocates. */
struct entry {
	uint64_t inode;
	int64_t next;
	unsigned short size;
	unsigned char type;
	char name[];
};

int zs_folder_open(const char *path)
{
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause)
{
	_Alignas(struct entry) char bytes[4096]; /* small, since a recursive walk has one for each level */
	long len;
	int r = 0, cause;

	while (r == 0 && (len = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0)
		for (long at = 0; r == 0 && at < len;) {
			const struct entry *entry = (const struct entry *)(const void *)(bytes + at);

			if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0)
				r = each(folder, entry->name, entry->type, arg);
			at += entry->size;
		}
	cause = r == 0 && len < 0 ? errno : 0;
	if (!ret_cause)
		return cause ? -cause : r;
	*ret_cause = cause;
	return r;
}

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
