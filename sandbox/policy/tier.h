/* The means of each tier: mounts; Landlock and seccomp alone; Seatbelt. Pure. */
#ifndef ZS_SANDBOX_TIER_H
#define ZS_SANDBOX_TIER_H

#include "policy/policy.h"

/* The promises, limits and networks that a tier has the means to keep. */
struct zs_tier_means {
	uint32_t promises; /* bits 1 << ZS_PROMISE_… */
	uint32_t limits;   /* bits 1 << ZS_LIMIT_… */
	bool hosts;
	bool root; /* another root directory */
};

/* sockets: does Landlock tell Unix sockets with a path apart? A limit of processes is possible as well where a cgroup
 * holds it; the caller adds that. */
struct zs_tier_means zs_landlock_means(bool sockets);
/* Mounts keep all promises but one: every socket in a granted tree is visible, and only Landlock or the broker tells
 * sockets apart. */
struct zs_tier_means zs_mounts_means(bool sockets);

/* Does a run of the mount tier show /proc? */
bool zs_policy_shows_proc(const struct zs_policy *policy);

/* Does a run of the mount tier have a broker, which lets the command reach its own and the granted Unix sockets and no
 * others (linux/run/broker.c)? The broker knows the run's own sockets by their network, and needs /proc. A session's
 * runs have none. */
bool zs_policy_has_broker(const struct zs_policy *policy);
extern const struct zs_tier_means zs_seatbelt_means;

/* Returns a bit 1 << ZS_PROMISE_… for each promise of this policy that the tier does not keep. root: is the caller the
 * machine's root? */
uint32_t zs_tier_lacks(const struct zs_tier_means *means, const struct zs_policy *policy, bool root);

/* Refuses the tier unless the policy waives all promises that it does not keep. The error names those that are not
 * waived. why: why the other tier is not available; fix: the way to get it, or "". */
int zs_tier_check(const struct zs_tier_means *means, const struct zs_policy *policy, bool root, const char *why,
	const char *fix, struct zs_error *error);

#endif
