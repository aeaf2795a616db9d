/* The policy as a value. Only policy.c changes one; the backends read it. */
#ifndef ZS_SANDBOX_POLICY_H
#define ZS_SANDBOX_POLICY_H

#include "zs_sandbox.h"

struct zs_strings {
	char **items;
	size_t count;
};

struct zs_grant {
	char *path;
	enum zs_access access;
	bool judged; /* path was real when it was checked, so it must not have become a link by the time it resolves */
};

struct zs_policy {
	char *home; /* what "~" stands for; NULL without HOME */
	char *workspace;
	enum zs_workspace workspace_access;
	struct zs_grant *grants;
	size_t grant_count;
	enum zs_network network;
	struct zs_strings hosts;
	struct zs_strings env_pass; /* names and prefixes */
	struct zs_strings env_set;  /* NAME=value, each name once */
	size_t env_bytes;
};

/* What the workspace is granted as. */
enum zs_access zs_policy_workspace_grant(const struct zs_policy *policy);

/* Adds a grant of a real path whose content has been checked. */
int zs_policy_add_judged(struct zs_policy *policy, const char *path, enum zs_access access, struct zs_error *error);

/* A copy in which every path is where it really is, without what does not exist and without repetition. */
int zs_policy_resolve(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error);

#endif
