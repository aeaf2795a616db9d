/* Why a feature is absent. */
#ifndef ZS_SANDBOX_LINUX_FEATURES_H
#define ZS_SANDBOX_LINUX_FEATURES_H

#include "zs_sandbox.h"

/* zs_features_probe() without the features whose bit 1 << ZS_FEATURE_… is set: they count as absent. */
void zs_features_probe_but(uint32_t skipped, struct zs_feature ret_features[ZS_FEATURE_COUNT]);

/* Replaces detail and fix when a known setting forbids user namespaces; else leaves them. */
void zs_userns_explain(struct zs_feature *feature);

/* Which limits a cgroup can hold here: fills in these, and of the limit of processes that one can. */
#define ZS_FEATURES_OF_CGROUPS (1u << ZS_FEATURE_RUN_MEMORY | 1u << ZS_FEATURE_RUN_CPU)
void zs_features_limits(struct zs_feature *features);

#endif
