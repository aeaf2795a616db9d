/* Why a feature is absent. */
#ifndef ZS_SANDBOX_LINUX_FEATURES_H
#define ZS_SANDBOX_LINUX_FEATURES_H

#include "zs_sandbox.h"

/* Replaces detail and fix when a known setting forbids user namespaces; else leaves them. */
void zs_userns_explain(struct zs_feature *feature);

#endif
