/* Chooses the parent cgroup in which to make one of ours, by the limits that it can hold there. */
#ifndef ZS_SANDBOX_LINUX_CGROUP_CHOICE_H
#define ZS_SANDBOX_LINUX_CGROUP_CHOICE_H

#include <stdint.h>

#include "linux/limits/cgroup_place.h"
#include "zs_sandbox.h"

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
	int parent;    /* zs_cgroup_open_parent()'s descriptor of the chosen folder */
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
