/* Makes a cgroup, writes to it, empties it and removes it (man 7 cgroups). */
#ifndef ZS_SANDBOX_LINUX_CGROUP_H
#define ZS_SANDBOX_LINUX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "linux/limits/cgroup_place.h"
#include "zs_sandbox.h"

struct zs_cgroup {
	int parent;    /* a descriptor of the parent's folder; -1: there is no cgroup */
	int fd;        /* of its own folder; -1: there is no cgroup */
	char name[24]; /* in the parent */
};

#define ZS_CGROUP_NONE ((struct zs_cgroup){ -1, -1, "" })

/* Makes a cgroup in a folder from zs_cgroup_choose(); *ret_cgroup owns that descriptor then. The cgroup is locked
 * (flock(2)) to show that it is in use. -ENOENT: this process may not. */
int zs_cgroup_make(int parent, struct zs_cgroup *ret_cgroup);

int zs_cgroup_write(const struct zs_cgroup *cgroup, const char *file, const char *text);

/* Reads the number that a file holds, or with a key the number behind that ("usage_usec 7"). -ENOENT: there is none. */
int zs_cgroup_number(const struct zs_cgroup *cgroup, const char *file, const char *key, uint64_t *ret_number);

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

/* Chooses the parent cgroup in which to make one of ours, by the limits that it can hold there. */

#define ZS_LIMIT_BIT(limit) (UINT32_C(1) << (limit))

/* The limits that any cgroup can hold. */
extern const uint32_t zs_cgroup_limits;

/* The texts of /proc/self/mountinfo and /proc/self/cgroup, malloc'ed. */
struct zs_cgroup_self {
	char *mountinfo, *membership;
};

/* *ret_object: the file that could not be read. */
int zs_cgroup_self_read(struct zs_cgroup_self *ret_self, const char **ret_object);
void zs_cgroup_self_free(struct zs_cgroup_self *self);

struct zs_cgroup_choice {
	int parent;    /* a descriptor of the chosen folder, for zs_cgroup_make() */
	uint32_t held; /* the wanted limits that a cgroup there can hold: ZS_LIMIT_BIT() */
};

/* wanted: ZS_LIMIT_BIT() of the limits to hold; 0 chooses the process's own cgroup. -ENOENT: no cgroup can be made, or
 * it could hold none of the wanted limits. */
int zs_cgroup_choose(const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy, uint32_t wanted,
	struct zs_cgroup_choice *ret_choice);

/* Finds which wanted limits a cgroup could hold on this machine. ret_how[limit]: by which file, such as "pids.max
 * (cgroup 2)", or NULL. */
int zs_cgroup_limits_probe(uint32_t wanted, const char *ret_how[ZS_LIMIT_COUNT]);

#endif
