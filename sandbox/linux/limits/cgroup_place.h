/* Finds a process's cgroups in the file system by its mounts (man 5 proc_pid_mountinfo) and its memberships (man 7
 * cgroups). Pure: reads text only. */
#ifndef ZS_SANDBOX_LINUX_CGROUP_PLACE_H
#define ZS_SANDBOX_LINUX_CGROUP_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Cgroup version 2 is one hierarchy. In version 1 each controller has its own. A machine may have both ("hybrid"). */
enum zs_hierarchy {
	ZS_HIERARCHY_V2,
	ZS_HIERARCHY_MEMORY,
	ZS_HIERARCHY_PIDS,
	ZS_HIERARCHY_CPUACCT,
	ZS_HIERARCHY_COUNT,
};

struct zs_mount_line {
	char point[PATH_MAX]; /* the mount point */
	char root[PATH_MAX];  /* the folder of the file system that is mounted there */
	const char *type;     /* of the file system; points into the text */
	size_t type_len;
	bool v2; /* the file system is cgroup version 2 */
	bool read_only;
	const char *options; /* of the file system, with version 1's controllers; points into the text */
	size_t options_len;
};

/* Reads the next line of /proc/self/mountinfo and advances *text, which begins at the file's start. False: the end is
 * reached. Malformed lines are skipped. */
bool zs_mount_next(const char **text, struct zs_mount_line *ret_mount);

bool zs_mount_is(const struct zs_mount_line *mount, const char *type);

struct zs_cgroup_place {
	char path[PATH_MAX]; /* the folder of the process's cgroup */
	bool is_top;         /* the cgroup is the mount's root: no parent can be reached */
};

/* mountinfo, membership: the texts of /proc/self/mountinfo and /proc/self/cgroup. -ENOENT: the cgroup is not mounted,
 * or only read-only. */
int zs_cgroup_find(
	const char *mountinfo, const char *membership, enum zs_hierarchy hierarchy, struct zs_cgroup_place *ret_place);

/* Is `word` one of the words of text, which ends at a NUL or a newline? */
bool zs_has_word(const char *text, size_t len, char separator, const char *word);

#endif
