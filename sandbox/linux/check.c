/* Which field of a policy needs which feature, and whether it is here. */
#include <errno.h>

#include "backend.h"
#include "cleanup.h"
#include "error.h"
#include "features.h"
#include "overlay.h"
#include "stage.h"

static bool asks_own_network(const struct zs_policy *policy)
{
	return policy->network != ZS_NETWORK_FULL;
}

static bool asks_process_limit(const struct zs_policy *policy)
{
	return policy->limits.processes > 0;
}

static bool asks_overlay(const struct zs_policy *policy)
{
	return zs_overlay_asked(policy) && !zs_policy_gives_up(policy, ZS_PROMISE_OVERLAY);
}

static bool always(const struct zs_policy *policy)
{
	(void)policy;
	return true;
}

/* The field whose promise fails without the feature. */
static const struct {
	const char *field;
	bool (*asked)(const struct zs_policy *policy);
	enum zs_feature_id feature;
} needs[] = {
	{ "shim", always, ZS_FEATURE_PROC },
	{ "descriptors", always, ZS_FEATURE_CLOSE_RANGE },
	{ "paths", always, ZS_FEATURE_LANDLOCK },
	{ "signals", always, ZS_FEATURE_LANDLOCK_SCOPES },
	{ "privileges", always, ZS_FEATURE_NO_NEW_PRIVS },
	{ "privileges", always, ZS_FEATURE_USER_NAMESPACE },
	{ "system calls", always, ZS_FEATURE_SECCOMP },
	{ "processes", always, ZS_FEATURE_IPC_NAMESPACE },
	{ "network: none", asks_own_network, ZS_FEATURE_NETWORK_NAMESPACE },
	{ "network: none", asks_own_network, ZS_FEATURE_LOOPBACK },
	{ "limits: processes", asks_process_limit, ZS_FEATURE_PROCESS_LIMIT },
	{ "workspace: overlay", asks_overlay, ZS_FEATURE_OVERLAY },
};

int zs_backend_check(const struct zs_policy *policy, struct zs_error *error)
{
	struct zs_feature features[ZS_FEATURE_COUNT];

	int r = zs_check_written(policy, error);

	if (r < 0)
		return r;
	zs_features_probe_but((asks_overlay(policy) ? 0 : 1u << ZS_FEATURE_OVERLAY) | ZS_FEATURES_OF_CGROUPS, features);
	if (asks_process_limit(policy) && !features[ZS_FEATURE_PROCESS_LIMIT].present)
		zs_features_limits(features);
	for (size_t i = 0; i < ZS_COUNT(needs); i++) {
		const struct zs_feature *feature = &features[needs[i].feature];

		if (feature->present || !needs[i].asked(policy))
			continue;
		zs_error_say(
			error, "sandbox", needs[i].field, EOPNOTSUPP, "needs %s: %s", feature->name, feature->detail);
		return zs_error_hint(error, -EOPNOTSUPP, "%s", feature->fix);
	}
	return 0;
}
