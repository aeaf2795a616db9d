/* What the Landlock tier cannot do: Landlock and seccomp without any namespace. Pure. */
#ifndef ZS_SANDBOX_LINUX_TIER_H
#define ZS_SANDBOX_LINUX_TIER_H

#include "policy.h"

/* A bit 1 << ZS_PROMISE_… for each promise of this policy that the Landlock tier does not keep. root: is it the
 * machine's? */
uint32_t zs_tier_lacks(const struct zs_policy *policy, bool root);

/* Refuses the Landlock tier unless all that it lacks has been given up, and names all that has not, and what would have
 * to be left out. counts: a cgroup can hold a limit of processes; why: what keeps the other tier from being had; fix:
 * how to get it, or "". */
int zs_tier_check(const struct zs_policy *policy, bool root, bool counts, const char *why, const char *fix,
	struct zs_error *error);

#endif
