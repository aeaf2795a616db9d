/* Checks that this machine has the features that a policy needs, and chooses the tier. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/features/features.h"
#include "linux/base/landlock_rights.h"
#include "linux/base/process_calls.h"
#include "linux/base/stage.h"
#include "linux/files/overlay_mount.h"
#include "policy/tier.h"

static bool asks_overlay(const struct zs_policy *policy)
{
	return zs_overlay_asked(policy) && !zs_policy_gives_up(policy, ZS_PROMISE_OVERLAY);
}

static bool asks_own_network(const struct zs_policy *policy)
{
	return policy->network != ZS_NETWORK_FULL;
}

static bool asks_machines_network(const struct zs_policy *policy)
{
	return policy->network == ZS_NETWORK_FULL;
}

static bool asks_process_limit(const struct zs_policy *policy)
{
	return policy->limits.processes > 0;
}

enum when {
	BOTH_TIERS,
	DECIDES,    /* decides the tier: without the feature the Landlock tier is tried */
	MOUNT_TIER, /* also needed in the mount tier */
};

static const struct need {
	enum when when;
	const char *field;                             /* the policy's field that cannot be kept without it */
	bool (*asked)(const struct zs_policy *policy); /* NULL: always */
	enum zs_feature_id feature;
} needs[] = {
	{ BOTH_TIERS, "shim", NULL, ZS_FEATURE_PROC },
	{ BOTH_TIERS, "descriptors", NULL, ZS_FEATURE_CLOSE_RANGE },
	{ BOTH_TIERS, "paths", NULL, ZS_FEATURE_LANDLOCK },
	{ BOTH_TIERS, "privileges", NULL, ZS_FEATURE_NO_NEW_PRIVS },
	{ BOTH_TIERS, "system calls", NULL, ZS_FEATURE_SECCOMP },
	{ DECIDES, "", NULL, ZS_FEATURE_USER_NAMESPACE },
	{ DECIDES, "", NULL, ZS_FEATURE_MOUNT_NAMESPACE },
	{ DECIDES, "", NULL, ZS_FEATURE_PID_NAMESPACE },
	{ DECIDES, "", NULL, ZS_FEATURE_PROC_MOUNT },
	{ DECIDES, "", NULL, ZS_FEATURE_IPC_NAMESPACE },
	{ DECIDES, "", asks_own_network, ZS_FEATURE_NETWORK_NAMESPACE },
	{ DECIDES, "", asks_own_network, ZS_FEATURE_LOOPBACK },
	{ MOUNT_TIER, "network: full", asks_machines_network, ZS_FEATURE_LANDLOCK_SCOPES }, /* abstract sockets */
	{ MOUNT_TIER, "limits: processes", asks_process_limit, ZS_FEATURE_PROCESS_LIMIT },
	{ MOUNT_TIER, "workspace: overlay", asks_overlay, ZS_FEATURE_OVERLAY },
};

/* Finds the first need of this kind that is not met. NULL: all are met. */
static const struct need *find_unmet(
	enum when when, const struct zs_policy *policy, const struct zs_feature features[ZS_FEATURE_COUNT])
{
	for (size_t i = 0; i < ZS_COUNT(needs); i++)
		if (needs[i].when == when && !features[needs[i].feature].present &&
			(!needs[i].asked || needs[i].asked(policy)))
			return &needs[i];
	return NULL;
}

static int check_refuse(const struct need *need, const struct zs_feature *feature, struct zs_error *error)
{
	zs_error_say(error, "sandbox", need->field, EOPNOTSUPP, "needs %s: %s", feature->name, feature->detail);
	return zs_error_hint(error, -EOPNOTSUPP, "%s", feature->fix);
}

static struct zs_tier_means landlock_means(void)
{
	return zs_landlock_means(zs_landlock_abi() >= ZS_LANDLOCK_ABI_SOCKETS);
}

static int check_landlock_tier(const struct zs_policy *policy, const struct zs_feature *feature,
	struct zs_feature features[ZS_FEATURE_COUNT], struct zs_error *error)
{
	struct zs_feature *limit = &features[ZS_FEATURE_PROCESS_LIMIT];
	struct zs_tier_means means = landlock_means();
	char why[256];

	/* A shortage may be over when the next run starts. If zs fell back to a weaker tier, a user could cause a
	 * shortage to get that tier. */
	if (zs_is_shortage(feature->cause))
		return check_refuse(&(struct need){ .field = "" }, feature, error);
	/* RLIMIT_NPROC would count all of the user's processes. */
	limit->present = false;
	if (asks_process_limit(policy))
		zs_features_limits(features);
	snprintf(why, sizeof why, "needs %s: %s", feature->name, feature->detail);
	means.limits |= limit->present ? 1u << ZS_LIMIT_PROCESSES : 0;
	return zs_tier_check(&means, policy, geteuid() == 0, why, feature->fix, error);
}

/* Refuses a policy with sockets when neither a broker nor the kernel's Landlock can tell Unix sockets apart, unless the
 * promise has been waived. shared: in a session. *ret_lacks: the promises that are waived and not kept, bits
 * 1 << ZS_PROMISE_…. */
static int check_mounts_tier(const struct zs_policy *policy, bool shared, uint32_t *ret_lacks, struct zs_error *error)
{
	bool may = zs_may_take_descriptors();
	struct zs_tier_means means = zs_mounts_means(!shared && may && zs_policy_has_broker(policy));
	uint32_t lacks = zs_tier_lacks(&means, policy, geteuid() == 0);
	/* Only a policy with sockets needs the kernel's Landlock ABI. */
	int abi = lacks ? zs_landlock_abi() : 0;

	if (abi >= ZS_LANDLOCK_ABI_SOCKETS)
		lacks = 0;
	if (lacks & ~policy->without) {
		zs_error_say(error, "sandbox", zs_promise_name(ZS_PROMISE_SOCKETS), EOPNOTSUPP,
			"Landlock ABI %d cannot tell one unix socket from another in a granted tree",
			abi < 0 ? 0 : abi);
		if (!may)
			return zs_error_hint(error, -EOPNOTSUPP,
				"restart with " ZS_YAMA_SCOPE " below 3, or run without: --without %s (every unix "
				"socket in a granted tree can be reached then)",
				zs_promise_name(ZS_PROMISE_SOCKETS));
		return zs_error_hint(error, -EOPNOTSUPP,
			"run without: --without %s (every unix socket in a granted tree can be reached then); "
			"or: use Linux 7.1 (Landlock ABI %d)",
			zs_promise_name(ZS_PROMISE_SOCKETS), ZS_LANDLOCK_ABI_SOCKETS);
	}
	*ret_lacks = lacks;
	return 0;
}

static uint32_t deciding_features(void)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < ZS_COUNT(needs); i++)
		bits |= needs[i].when == DECIDES ? 1u << needs[i].feature : 0;
	return bits;
}

int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error)
{
	uint32_t skipped = (asks_overlay(policy) ? 0 : 1u << ZS_FEATURE_OVERLAY) | ZS_FEATURES_OF_CGROUPS;
	struct zs_feature features[ZS_FEATURE_COUNT];
	struct zs_tier_means means;
	const struct need *unmet;
	int r;

	if (policy->untried)
		skipped = ~deciding_features();
	zs_features_probe_but(skipped, features);
	unmet = policy->untried ? NULL : find_unmet(BOTH_TIERS, policy, features);
	if (unmet)
		return check_refuse(unmet, &features[unmet->feature], error);
	unmet = find_unmet(DECIDES, policy, features);
	if (unmet) {
		r = check_landlock_tier(policy, &features[unmet->feature], features, error);
		if (r < 0)
			return r;
		*ret_tier = ZS_TIER_LANDLOCK;
		means = landlock_means();
		*ret_lacks = zs_tier_lacks(&means, policy, geteuid() == 0);
		return 0;
	}
	if (asks_process_limit(policy) && !features[ZS_FEATURE_PROCESS_LIMIT].present)
		zs_features_limits(features);
	unmet = policy->untried ? NULL : find_unmet(MOUNT_TIER, policy, features);
	if (unmet)
		return check_refuse(unmet, &features[unmet->feature], error);
	r = check_mounts_tier(policy, false, ret_lacks, error);
	if (r < 0)
		return r;
	*ret_tier = ZS_TIER_MOUNTS;
	return 0;
}

int zs_check_lacking(const struct zs_policy *policy, enum zs_feature_id lacking, int cause, struct zs_error *error)
{
	struct zs_feature features[ZS_FEATURE_COUNT] = { 0 };

	zs_feature_absent(lacking, cause, &features[lacking]);
	return check_landlock_tier(policy, &features[lacking], features, error);
}

int zs_check_features(const struct zs_policy *policy, uint32_t which, struct zs_error *error)
{
	struct zs_feature features[ZS_FEATURE_COUNT];
	const struct need *unmet;

	zs_features_probe_but(1u << ZS_FEATURE_OVERLAY | ZS_FEATURES_OF_CGROUPS, features);
	for (size_t i = 0; i < ZS_FEATURE_COUNT; i++)
		features[i].present |= !(which >> i & 1);
	unmet = find_unmet(BOTH_TIERS, policy, features);
	if (!unmet && policy->tier == ZS_TIER_MOUNTS)
		unmet = find_unmet(MOUNT_TIER, policy, features);
	return unmet ? check_refuse(unmet, &features[unmet->feature], error) : 0;
}

/* Checks again what zs_sandbox_new() checks: a host may have made the policy without it. */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	struct zs_tier_means means;
	uint32_t lacks;
	int r;

	if (run->policy->tier == ZS_TIER_MOUNTS)
		return check_mounts_tier(run->policy, run->shared, &lacks, error);
	if (run->policy->tier != ZS_TIER_LANDLOCK)
		return zs_error_say(
			error, "", "tier", EOPNOTSUPP, "'%s' is another system's", zs_tier_name(run->policy->tier));
	means = zs_landlock_means(run->policy->sockets.count > 0 && zs_landlock_abi() >= ZS_LANDLOCK_ABI_SOCKETS);
	/* Counts on a cgroup for a limit of processes: the limits stage fails if there is none. */
	means.limits |= 1u << ZS_LIMIT_PROCESSES;
	r = zs_tier_check(&means, run->policy, geteuid() == 0, "not kept by Landlock alone, and not waived", "", error);
	if (r == 0)
		zs_policy_share_caches(run->policy);
	return r;
}
