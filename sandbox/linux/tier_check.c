/* Whether the tier that the policy is to be enforced by can keep it. */
#include "stage.h"

#include <errno.h>
#include <unistd.h>

#include "error.h"
#include "landlock_abi.h"
#include "landlock_rights.h"
#include "tier.h"

/* A host may have made the policy without zs_sandbox_new(). */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	struct zs_tier_means means = zs_landlock_means(zs_landlock_abi() >= ZS_LANDLOCK_ABI_SOCKETS);

	if (run->policy->tier == ZS_TIER_MOUNTS)
		return 0;
	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return zs_error_say(
			error, "", "tier", EOPNOTSUPP, "'%s' is another system's", zs_tier_name(run->policy->tier));
	/* Whether a cgroup holds a limit of processes is seen when there is one. */
	means.limits |= 1u << ZS_LIMIT_PROCESSES;
	return zs_tier_check(
		&means, run->policy, geteuid() == 0, "not kept by Landlock alone, and not given up", "", error);
}
