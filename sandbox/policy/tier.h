/* The means of each tier: mounts, Landlock and seccomp alone, Seatbelt. Pure. */
#ifndef ZS_SANDBOX_TIER_H
#define ZS_SANDBOX_TIER_H

#include "policy/policy.h"

/* The promises, limits and networks that a tier has the means to keep. */
struct zs_tier_means {
	uint32_t promises; /* bits 1 << ZS_PROMISE_… */
	uint32_t limits;   /* bits 1 << ZS_LIMIT_… */
	bool hosts;
};

/* sockets: does Landlock tell unix sockets with a path apart? Where a cgroup holds it, a limit of processes can be had
 * as well. */
struct zs_tier_means zs_landlock_means(bool sockets);
/* Mounts keep all, but a granted tree shows every socket in it: only Landlock tells these apart. */
struct zs_tier_means zs_mounts_means(bool sockets);
extern const struct zs_tier_means zs_seatbelt_means;

/* A bit 1 << ZS_PROMISE_… for each promise of this policy that the tier does not keep. root: is it the machine's? */
uint32_t zs_tier_lacks(const struct zs_tier_means *means, const struct zs_policy *policy, bool root);

/* Refuses the tier unless all that it lacks has been waived, and names all that has not, and what would have to be
 * left out. why: what keeps the other tier from being had; fix: how to get it, or "". */
int zs_tier_check(const struct zs_tier_means *means, const struct zs_policy *policy, bool root, const char *why,
	const char *fix, struct zs_error *error);

#endif
