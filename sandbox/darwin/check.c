/* Finds which promises Seatbelt can keep, and whether it is available, as far as one call can tell. Both of its
 * functions exist, or dyld would have ended this process (seatbelt_calls.h). */
#include <errno.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/error.h"
#include "darwin/seatbelt_calls.h"
#include "policy/tier.h"

/* A public grant grants only files that everybody may read. On macOS nothing keeps root from reading the files that it
 * owns. */
static int check_public(const struct zs_policy *policy, struct zs_error *error)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		if (!policy->grants[i].public || geteuid() != 0)
			continue;
		zs_error_say(error, "sandbox", policy->grants[i].path, EOPNOTSUPP,
			"is granted as far as everybody may read it, and root may read all of it");
		return zs_error_hint(error, -EOPNOTSUPP, "run it as an ordinary user");
	}
	return 0;
}

/* A process that is in a sandbox cannot enter another one: every run would end with 125. */
static int check_seatbelt(struct zs_error *error)
{
	int r;

	errno = 0;
	r = sandbox_check(getpid(), NULL, ZS_SANDBOX_FILTER_NONE | SANDBOX_CHECK_NO_REPORT);
	if (r == 0)
		return 0;
	if (r != 1)
		return zs_error_errno(error, "sandbox", "fingerprint: sandbox_check", errno ? errno : EIO);
	zs_error_say(error, "sandbox", "seatbelt", EPERM, "this process is in a sandbox already");
	return zs_error_hint(error, -EPERM,
		"run it outside of any sandbox: not from an application that has one itself; see 'zs doctor'");
}

int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error)
{
	bool root = geteuid() == 0;
	int r = zs_tier_check(&zs_seatbelt_means, policy, root, "not kept by Seatbelt", "", error);

	if (r == 0)
		r = check_public(policy, error);
	if (r == 0)
		r = check_seatbelt(error);
	if (r < 0)
		return r;
	*ret_tier = ZS_TIER_SEATBELT;
	*ret_lacks = zs_tier_lacks(&zs_seatbelt_means, policy, root);
	return 0;
}
