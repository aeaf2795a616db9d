/* Fields that a policy can hold, and that no machine enforces yet since the stage is not written. */
#include "stage.h"

#include <errno.h>

#include "cleanup.h"
#include "error.h"

static bool grants(const struct zs_policy *policy, enum zs_access access)
{
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == access)
			return true;
	return false;
}

static bool asks_hide(const struct zs_policy *policy)
{
	return grants(policy, ZS_ACCESS_HIDE);
}

static bool asks_protect(const struct zs_policy *policy)
{
	return grants(policy, ZS_ACCESS_PROTECT);
}

static bool asks_overlay(const struct zs_policy *policy)
{
	return policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY;
}

static bool asks_hosts(const struct zs_policy *policy)
{
	return policy->network == ZS_NETWORK_HOSTS;
}

static bool asks_sockets(const struct zs_policy *policy)
{
	return policy->sockets.count > 0;
}

static bool asks_wall(const struct zs_policy *policy)
{
	return policy->limits.wall_seconds > 0;
}

static const struct {
	const char *field;
	bool (*asked)(const struct zs_policy *policy);
	const char *need;
} unwritten[] = {
	{ "paths: hide", asks_hide, "needs a mount namespace, which this version does not make" },
	{ "paths: protect", asks_protect, "needs a mount namespace, which this version does not make" },
	{ "workspace: overlay", asks_overlay,
		"needs overlayfs in a mount namespace, which this version does not make" },
	{ "network: hosts", asks_hosts, "needs a filtering proxy, which this version does not have" },
	{ "unix_sockets", asks_sockets, "needs a mount namespace, which this version does not make" },
	{ "limits: wall", asks_wall, "needs a supervisor, which this version does not have" },
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
	return zs_check_written(run->policy, error);
}
