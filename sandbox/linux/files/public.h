/* Public grants: the files of a tree that every user may read. */
#ifndef ZS_SANDBOX_LINUX_PUBLIC_H
#define ZS_SANDBOX_LINUX_PUBLIC_H

#include "policy/policy.h"

/* Adds a grant for each part of tree that every user may read (public_parts.c). A part that cannot be granted is left
 * out. */
void zs_policy_add_public(struct zs_policy *policy, const char *tree, enum zs_access access);

/* Closes the mounts that zs_stage_public() has made. */
struct zs_public;
void zs_public_end(struct zs_public *public);

#endif
