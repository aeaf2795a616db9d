/* Whether the tier that the policy is to be enforced by can keep it. */
#include "stage.h"

#include <errno.h>
#include <unistd.h>

#include "error.h"
#include "tier.h"

/* A host may have made the policy without zs_sandbox_new(). */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	if (run->policy->tier == ZS_TIER_MOUNTS)
		return 0;
	/* Whether a cgroup holds a limit of processes is seen when there is one. */
	return zs_tier_check(
		run->policy, geteuid() == 0, true, "not kept by Landlock alone, and not given up", "", error);
}
