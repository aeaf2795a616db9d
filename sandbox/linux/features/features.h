/* The features of this machine: why one is absent, and which of them a policy needs. */
#ifndef ZS_SANDBOX_LINUX_FEATURES_H
#define ZS_SANDBOX_LINUX_FEATURES_H

#include "zs_sandbox.h"

/* The cure for a system call that is not implemented. Linux 6.2 has all that zs needs: Landlock ABI 3 is the newest. */
#define ZS_NEW_KERNEL "use Linux 6.2 or newer"

/* Docker's own profiles refuse unshare(2) and mounts, and it covers parts of /proc, so that no other may be mounted. */
#define ZS_IN_DOCKER                                                                                                   \
	"in Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt "              \
	"systempaths=unconfined"

/* zs_features_probe() without the features whose bit 1 << ZS_FEATURE_… is set: they count as absent. */
void zs_features_probe_but(uint32_t skipped, struct zs_feature ret_features[ZS_FEATURE_COUNT]);

/* The words of zs_features_probe() for a feature whose try ends with this errno. */
void zs_feature_absent(enum zs_feature_id id, int cause, struct zs_feature *ret_feature);

/* Is this errno one of this process or machine, for now? It says nothing about the feature. */
bool zs_is_shortage(int cause);

/* Replaces detail and fix when a known setting, limit or AppArmor profile forbids the namespace; else leaves them.
 * cause: the errno of the refusal. A feature without a name stands for several namespaces that were asked for at once.
 */
void zs_namespace_explain(struct zs_feature *feature, int cause);

/* Which limits a cgroup can hold here: fills in these, and of the limit of processes that one can. */
#define ZS_FEATURES_OF_CGROUPS (1u << ZS_FEATURE_RUN_MEMORY | 1u << ZS_FEATURE_RUN_CPU)
void zs_features_limits(struct zs_feature *features);

/* Tries of features, in processes of their own since each changes the namespace it is in. 0 or a negative errno. Only
 * in an own user namespace: in the machine's, root's mounts would be the machine's too, by propagation. */
int zs_try_mounts(void);
/* The pid namespace; *ret_proc: what came of a new /proc in it. */
int zs_try_pids(int *ret_proc);

/* zs_backend_check() of these features alone, bits 1 << ZS_FEATURE_…: a process that is confined by halves cannot try
 * them all. None of them decides the tier. */
int zs_check_features(const struct zs_policy *policy, uint32_t which, struct zs_error *error);
/* The same of a feature that decides the tier, which a stage has missed, with this errno. 0: all has been waived. */
int zs_check_lacking(const struct zs_policy *policy, enum zs_feature_id lacking, int cause, struct zs_error *error);
/* Refuses sockets that this kernel's Landlock cannot tell apart, unless the promise has been waived. *ret_lacks has a
 * bit 1 << ZS_PROMISE_… for each promise of the policy that is not kept then. */
int zs_check_mounts_tier(const struct zs_policy *policy, uint32_t *ret_lacks, struct zs_error *error);

#endif
