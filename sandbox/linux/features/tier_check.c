/* Checks that the policy's tier can enforce it. */
#include "linux/base/stage.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/base/landlock_rights.h"
#include "policy/tier.h"
#include "linux/features/features.h"

int zs_check_mounts_tier(const struct zs_policy *policy, uint32_t *ret_lacks, struct zs_error *error)
{
	struct zs_tier_means means = zs_mounts_means(false);
	uint32_t lacks = zs_tier_lacks(&means, policy, geteuid() == 0);
	/* Only a policy with sockets needs the kernel's Landlock ABI. */
	int abi = lacks ? zs_landlock_abi() : 0;

	if (abi >= ZS_LANDLOCK_ABI_SOCKETS)
		lacks = 0;
	if (lacks & ~policy->without) {
		zs_error_say(error, "sandbox", zs_promise_name(ZS_PROMISE_SOCKETS), EOPNOTSUPP,
			"Landlock ABI %d cannot tell one unix socket from another in a granted tree",
			abi < 0 ? 0 : abi);
		return zs_error_hint(error, -EOPNOTSUPP,
			"run without: --without %s (every unix socket in a granted tree can be reached then); "
			"or: use Linux 7.1 (Landlock ABI %d)",
			zs_promise_name(ZS_PROMISE_SOCKETS), ZS_LANDLOCK_ABI_SOCKETS);
	}
	*ret_lacks = lacks;
	return 0;
}

/* Checks again what zs_sandbox_new() checks: a host may have made the policy without it. */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	struct zs_tier_means means;
	uint32_t lacks;

	if (run->policy->tier == ZS_TIER_MOUNTS)
		return zs_check_mounts_tier(run->policy, &lacks, error);
	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return zs_error_say(
			error, "", "tier", EOPNOTSUPP, "'%s' is another system's", zs_tier_name(run->policy->tier));
	means = zs_landlock_means(run->policy->sockets.count > 0 && zs_landlock_abi() >= ZS_LANDLOCK_ABI_SOCKETS);
	/* Counts on a cgroup for a limit of processes: the limits stage fails if there is none. */
	means.limits |= 1u << ZS_LIMIT_PROCESSES;
	return zs_tier_check(
		&means, run->policy, geteuid() == 0, "not kept by Landlock alone, and not waived", "", error);
}
