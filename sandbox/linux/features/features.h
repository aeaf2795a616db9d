/* Finds out which features this machine has, why one is absent, and whether a policy needs it. */
#ifndef ZS_SANDBOX_LINUX_FEATURES_H
#define ZS_SANDBOX_LINUX_FEATURES_H

#include "zs_sandbox.h"

/* The advice for a system call that is not implemented. The newest that zs needs is Landlock ABI 3, of Linux 6.2. */
#define ZS_NEW_KERNEL "use Linux 6.2 or newer"

/* Docker's profiles refuse unshare(2) and mounts. Docker also covers parts of /proc, so that no other proc may be
 * mounted. */
#define ZS_IN_DOCKER                                                                                                   \
	"in Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt "              \
	"systempaths=unconfined"

/* Works as zs_features_probe(), without the features whose bit 1 << ZS_FEATURE_… is set: they count as absent. */
void zs_features_probe_but(uint32_t skipped, struct zs_feature ret_features[ZS_FEATURE_COUNT]);

/* Describes a feature whose use has failed with this errno, in the words of zs_features_probe(). */
void zs_feature_absent(enum zs_feature_id id, int cause, struct zs_feature *ret_feature);

/* Does this errno mean a passing shortage of memory, processes or descriptors, which says nothing about the feature? */
bool zs_is_shortage(int cause);

/* Replaces detail and fix if a known setting, limit or AppArmor profile forbids the namespace. cause: the errno of the
 * refusal. A feature without a name stands for several namespaces that were asked for at once. */
void zs_namespace_explain(struct zs_feature *feature, int cause);

/* Finds which limits a cgroup can hold here. Fills in ZS_FEATURES_OF_CGROUPS, and ZS_FEATURE_PROCESS_LIMIT if a cgroup
 * can hold it. */
#define ZS_FEATURES_OF_CGROUPS (1u << ZS_FEATURE_RUN_MEMORY | 1u << ZS_FEATURE_RUN_CPU)
void zs_features_limits(struct zs_feature *features);

/* Tries a new root directory in a process of its own, since the attempt changes the process's namespaces. Returns 0 or
 * a negative errno. This and zs_try_pids() must be called in a user namespace of our own: in the machine's, root's
 * mounts would propagate to the machine. */
int zs_try_mounts(void);
/* Tries a pid namespace in the same way. *ret_proc: the result of mounting proc in it, 0 or a negative errno. */
int zs_try_pids(int *ret_proc);

/* Checks a policy as zs_backend_check(), but only these features, bits 1 << ZS_FEATURE_…, none of which decides the
 * tier. A partly confined process cannot probe all of them. */
int zs_check_features(const struct zs_policy *policy, uint32_t which, struct zs_error *error);
/* Checks a policy on a machine that lacks a feature which decides the tier. cause: the errno with which a stage failed
 * for lack of it. 0: the policy waives all promises that need it. */
int zs_check_lacking(const struct zs_policy *policy, enum zs_feature_id lacking, int cause, struct zs_error *error);

#endif
