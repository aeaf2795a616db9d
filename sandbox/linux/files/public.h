/* The parts of a tree that everybody may read, as grants. */
#ifndef ZS_SANDBOX_LINUX_PUBLIC_H
#define ZS_SANDBOX_LINUX_PUBLIC_H

#include "policy/policy.h"

/* A part that cannot be granted is left out. */
void zs_policy_add_public(struct zs_policy *policy, const char *tree, enum zs_access access);

/* Closes the mounts that no grant has taken. */
struct zs_public;
void zs_public_end(struct zs_public *public);

#endif
