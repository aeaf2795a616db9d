/* Makes a cgroup, writes to it, empties it and removes it (man 7 cgroups). */
#ifndef ZS_SANDBOX_LINUX_CGROUP_H
#define ZS_SANDBOX_LINUX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct zs_cgroup {
	int parent;    /* a descriptor of the parent's folder; -1: there is no cgroup */
	int fd;        /* of its own folder; -1: there is no cgroup */
	char name[24]; /* in the parent */
};

#define ZS_CGROUP_NONE ((struct zs_cgroup){ -1, -1, "" })

/* Opens a folder in which this process may make cgroups and move processes into them. v2: of cgroup version 2, else of
 * version 1. Returns a descriptor or a negative errno; -ENOENT: the folder is not a cgroup, or this process may not. */
int zs_cgroup_open_parent(const char *path, bool v2);

/* Makes a cgroup in a folder from zs_cgroup_open_parent(); *ret_cgroup owns that descriptor then. The cgroup is locked
 * (flock(2)) to show that it is in use. -ENOENT as above. */
int zs_cgroup_make(int parent, struct zs_cgroup *ret_cgroup);

int zs_cgroup_write(const struct zs_cgroup *cgroup, const char *file, const char *text);

/* Reads the number that a file holds, or with a key the number behind that ("usage_usec 7"). -ENOENT: there is none. */
int zs_cgroup_number(const struct zs_cgroup *cgroup, const char *file, const char *key, uint64_t *ret_number);

/* Does a file of this folder list the word? 1, 0 or a negative errno. */
int zs_cgroup_lists(int folder, const char *file, const char *word);

/* Version 2: forks, and the child starts in the cgroup. -ENOSYS: clone3(2) is not available. */
pid_t zs_cgroup_fork(const struct zs_cgroup *cgroup);

/* Version 2: kills every process in the cgroup, also those that are being forked, and waits until all have ended.
 * -ETIMEDOUT: they have not. */
int zs_cgroup_kill(const struct zs_cgroup *cgroup);

/* Removes the cgroup and the cgroups below it. Its processes must have ended; in version 2 those left are killed. Then
 * removes cgroups of ours beside it that are empty and unlocked, which killed supervisors have left. */
int zs_cgroup_remove(struct zs_cgroup *cgroup);

/* Closes the descriptors. */
void zs_cgroup_close(struct zs_cgroup *cgroup);

#endif
