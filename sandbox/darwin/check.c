/* What Seatbelt can hold a policy to. Nothing is tried out: it is in every macOS, and where it cannot be had its stage
 * says so. */
#include <errno.h>
#include <unistd.h>

#include "backend.h"
#include "error.h"
#include "tier.h"

/* Of a public grant everybody's part is granted only. Root owns the rest, and here nothing but its uid keeps a process
 * from reading what it owns. */
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

int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error)
{
	bool root = geteuid() == 0;
	int r = zs_tier_check(&zs_seatbelt_means, policy, root, "not kept by Seatbelt", "", error);

	if (r == 0)
		r = check_public(policy, error);
	if (r < 0)
		return r;
	*ret_tier = ZS_TIER_SEATBELT;
	*ret_lacks = zs_tier_lacks(&zs_seatbelt_means, policy, root);
	return 0;
}
