/* The cgroups of one run: they hold limits of the run as a whole, where the machine lets us have one. The supervisor
 * stays outside; every process of the run is inside. Where a limit is held by none, limits.c sets it process by
 * process. */
#ifndef ZS_SANDBOX_LINUX_RUN_CGROUPS_H
#define ZS_SANDBOX_LINUX_RUN_CGROUPS_H

#include <sys/types.h>

#include "linux/limits/cgroup.h"
#include "linux/limits/cgroup_choice.h"
#include "policy/policy.h"

struct zs_run_cgroups {
	struct zs_cgroup cgroups[ZS_HIERARCHY_COUNT];
	uint32_t holds[ZS_HIERARCHY_COUNT]; /* ZS_LIMIT_BIT() for each limit that one holds */
	uint32_t held;                      /* by all of them */
	/* The capabilities that removing them takes, as bits 1 << CAP_…: the topmost cgroup of a hierarchy has a mode
	 * that lets nobody write it, and root does so by CAP_DAC_OVERRIDE. In our user namespace that is good for
	 * root's own files, and nothing else. */
	uint32_t capabilities;
	int usage; /* zs_cgroup_open_usage(), where a limit of processor time is held; else -1 */
	bool usage_v2;
	bool forked_into; /* the child has started in that of version 2 */
};

struct zs_run_cgroups zs_run_cgroups_none(void);

/* None for a policy that has no such limit. */
int zs_run_cgroups_make(const struct zs_policy *policy, struct zs_run_cgroups *ret_cgroups, struct zs_error *error);

/* fork(2), and in the child the second: puts it in. The child has no descriptor of them afterwards. */
pid_t zs_run_cgroups_fork(struct zs_run_cgroups *cgroups);
int zs_run_cgroups_join(struct zs_run_cgroups *cgroups, struct zs_error *error);

/* Has the run been refused more of it? */
bool zs_run_cgroups_reached(const struct zs_run_cgroups *cgroups, const struct zs_policy *policy, enum zs_limit limit);

/* Kills all that is in one of version 2, at once. */
void zs_run_cgroups_kill(const struct zs_run_cgroups *cgroups);

/* The run has ended. */
void zs_run_cgroups_end(struct zs_run_cgroups *cgroups);

#endif
