/* In which cgroup one of ours can be made, and which limits it can hold there. */
#ifndef ZS_SANDBOX_LINUX_CGROUP_CHOICE_H
#define ZS_SANDBOX_LINUX_CGROUP_CHOICE_H

#include <stdint.h>

#include "linux/limits/cgroup_place.h"
#include "zs_sandbox.h"

#define ZS_LIMIT_BIT(limit) (UINT32_C(1) << (limit))

/* The limits that any cgroup can hold. */
extern const uint32_t zs_cgroup_limits;

/* The kernel's facts about this process; its texts are malloc'ed. */
struct zs_cgroup_self {
	char *mountinfo, *membership;
};

/* *ret_object: the file at fault. */
int zs_cgroup_self_read(struct zs_cgroup_self *ret_self, const char **ret_object);
void zs_cgroup_self_free(struct zs_cgroup_self *self);

struct zs_cgroup_choice {
	int parent;    /* the folder in which to make it: zs_cgroup_open_parent() */
	uint32_t held; /* of the wanted limits: ZS_LIMIT_BIT() */
};

/* -ENOENT: none is to be had, or it would hold none of the wanted limits; without any wanted, the process's own cgroup
 * is chosen. */
int zs_cgroup_choose(const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy, uint32_t wanted,
	struct zs_cgroup_choice *ret_choice);

/* Which of the wanted limits some cgroup could hold here. ret_how[limit]: how, "pids.max (cgroup 2)", or NULL. */
int zs_cgroup_limits_probe(uint32_t wanted, const char *ret_how[ZS_LIMIT_COUNT]);

#endif
