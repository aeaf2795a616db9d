/* The cgroups of one run hold limits of the run as a whole, where the machine lets us make one. Every process of the
 * run is inside, the supervisor stays outside. A limit that no cgroup holds is set for each process by limits.c. */
#ifndef ZS_SANDBOX_LINUX_RUN_CGROUPS_H
#define ZS_SANDBOX_LINUX_RUN_CGROUPS_H

#include <sys/types.h>

#include "linux/limits/cgroup.h"
#include "linux/limits/cgroup_choice.h"
#include "policy/policy.h"

struct zs_run_cgroups {
	struct zs_cgroup cgroups[ZS_HIERARCHY_COUNT];
	uint32_t holds[ZS_HIERARCHY_COUNT]; /* the limits that each cgroup holds: ZS_LIMIT_BIT() */
	uint32_t held;                      /* the limits that any of them holds */
	/* The capabilities that the supervisor needs for removing the cgroups, as bits 1 << CAP_…. The root cgroup of a
	 * hierarchy has a mode without write permission, which root overrides with CAP_DAC_OVERRIDE. In our user
	 * namespace that capability covers root's own files only. */
	uint32_t capabilities;
	int usage;        /* zs_cgroup_open_usage()'s descriptor; -1: no cgroup holds a limit of processor time */
	bool usage_v2;    /* that cgroup is of version 2 */
	bool forked_into; /* the child was started in the cgroup of version 2 */
};

struct zs_run_cgroups zs_run_cgroups_none(void);

/* Makes no cgroup for a policy without such limits. */
int zs_run_cgroups_make(const struct zs_policy *policy, struct zs_run_cgroups *ret_cgroups, struct zs_error *error);

/* Forks. The child then calls zs_run_cgroups_join(), which moves it into the cgroups and closes its descriptors of
 * them. */
pid_t zs_run_cgroups_fork(struct zs_run_cgroups *cgroups);
int zs_run_cgroups_join(struct zs_run_cgroups *cgroups, struct zs_error *error);

/* Has the kernel refused the run something because of this limit? */
bool zs_run_cgroups_reached(const struct zs_run_cgroups *cgroups, const struct zs_policy *policy, enum zs_limit limit);

/* Kills all processes in the cgroup of version 2, if there is one. */
void zs_run_cgroups_kill(const struct zs_run_cgroups *cgroups);

/* Removes the cgroups when the run has ended. */
void zs_run_cgroups_end(struct zs_run_cgroups *cgroups);

#endif
