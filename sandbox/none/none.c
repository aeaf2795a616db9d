/* No enforcement on this system, so every policy is refused: running unconfined is never the fallback. */
#include <errno.h>
#include <string.h>

#include "enforce/backend.h"
#include "base/error.h"

static const char why[] = "not available on this system";

#define NAME_FEATURE(id, name, needed_by)                                                                              \
	[ZS_FEATURE_##id] = { name, needed_by, false, EOPNOTSUPP, "not available on this system", "use Linux" },
static const struct zs_feature absent[ZS_FEATURE_COUNT] = { ZS_FEATURES(NAME_FEATURE) };

void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	memcpy(ret_features, absent, sizeof absent);
}

static int none_refuse(struct zs_error *error)
{
	return zs_error_hint(error, zs_error_say(error, "sandbox", "", EOPNOTSUPP, "%s", why), "use Linux");
}

int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error)
{
	(void)policy;
	(void)ret_tier;
	(void)ret_lacks;
	return none_refuse(error);
}

int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error)
{
	(void)resolved;
	(void)error;
	return 0;
}

int zs_backend_confine(const struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, const struct zs_run_calls *calls, struct zs_error *error)
{
	(void)policy;
	(void)argv;
	(void)envp;
	(void)own;
	(void)calls;
	return none_refuse(error);
}

int zs_backend_session(const struct zs_policy *policy, char *const envp[], int requests, int report,
	const struct zs_run_calls *calls, struct zs_error *error)
{
	(void)policy;
	(void)requests;
	(void)report;
	(void)calls;
	return none_refuse(error);
}
