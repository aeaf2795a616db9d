/* Fields that a policy can hold, and that no machine enforces yet since the stage is not written. */
#include "stage.h"

#include <errno.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "tier.h"

static bool asks_hosts(const struct zs_policy *policy)
{
	return policy->network == ZS_NETWORK_HOSTS;
}

static const struct {
	const char *field;
	bool (*asked)(const struct zs_policy *policy);
	const char *need;
} unwritten[] = {
	{ "network: hosts", asks_hosts, "needs a filtering proxy, which this version does not have" },
};

int zs_check_written(const struct zs_policy *policy, struct zs_error *error)
{
	for (size_t i = 0; i < ZS_COUNT(unwritten); i++)
		if (unwritten[i].asked(policy))
			return zs_error_say(error, "sandbox", unwritten[i].field, EOPNOTSUPP, "%s", unwritten[i].need);
	return 0;
}

/* A host may have made the policy without zs_sandbox_new(). */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	int r = zs_check_written(run->policy, error);

	if (r < 0 || run->policy->tier == ZS_TIER_MOUNTS)
		return r;
	/* Whether a cgroup holds a limit of processes is seen when there is one. */
	return zs_tier_check(
		run->policy, geteuid() == 0, true, "not kept by Landlock alone, and not given up", "", error);
}
