/* Where a process's cgroups are in the file system, from what the kernel says of its mounts and of itself
 * (man 5 proc_pid_mountinfo, man 7 cgroups). Pure: it reads text. */
#ifndef ZS_SANDBOX_LINUX_CGROUP_PLACE_H
#define ZS_SANDBOX_LINUX_CGROUP_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Version 2 is one hierarchy; of version 1 each controller has its own. A machine may have both ("hybrid"). */
enum zs_hierarchy {
	ZS_HIERARCHY_V2,
	ZS_HIERARCHY_MEMORY,
	ZS_HIERARCHY_PIDS,
	ZS_HIERARCHY_CPUACCT,
	ZS_HIERARCHY_COUNT,
};

struct zs_mount_line {
	char point[PATH_MAX]; /* where it is mounted */
	char root[PATH_MAX];  /* which part of the file system that is */
	const char *type;     /* of the file system, in the text */
	size_t type_len;
	bool v2; /* it is version 2 of cgroups */
	bool read_only;
	const char *options; /* of the file system, in the text; version 1: its controllers are among them */
	size_t options_len;
};

/* The next mount of /proc/self/mountinfo; false at the end. Begin with *text at its start. Text that does not read as a
 * line of it is passed over. */
bool zs_mount_next(const char **text, struct zs_mount_line *ret_mount);

bool zs_mount_is(const struct zs_mount_line *mount, const char *type);

struct zs_cgroup_place {
	char path[PATH_MAX]; /* the folder of the cgroup that the process is in */
	bool is_top;         /* its parent is not mounted there */
};

/* membership: /proc/self/cgroup. -ENOENT when it cannot be reached, or only be read. */
int zs_cgroup_find(
	const char *mountinfo, const char *membership, enum zs_hierarchy hierarchy, struct zs_cgroup_place *ret_place);

/* Is `word` one of the words of text, which ends at a NUL or a newline? */
bool zs_has_word(const char *text, size_t len, char separator, const char *word);

#endif
