/* A policy that has been checked against this machine, ready to be handed to shims. */
#include "zs_sandbox.h"

#include <errno.h>
#include <stdlib.h>

#include "enforce/backend.h"
#include "base/error.h"
#include "policy/policy.h"

struct zs_sandbox {
	char *json;
	enum zs_tier tier;
	uint32_t lacks; /* a bit 1 << ZS_PROMISE_… for each promise that is not kept */
};

static int check_and_print(const struct zs_policy *policy, struct zs_sandbox *sandbox, struct zs_error *error)
{
	struct zs_policy *resolved;
	int r = zs_policy_resolve(policy, &resolved, error);

	if (r < 0)
		return r;
	r = zs_backend_check(resolved, &sandbox->tier, &sandbox->lacks, error);
	/* The shim uses the tier that was decided here, and does not choose one by itself. */
	resolved->tier = sandbox->tier;
	if (r == 0)
		r = zs_backend_list_public(resolved, error);
	if (r == 0)
		r = zs_policy_to_json(resolved, false, &sandbox->json, NULL, error);
	zs_policy_free(resolved);
	return r;
}

int zs_sandbox_new(const struct zs_policy *policy, struct zs_sandbox **ret_sandbox, struct zs_error *error)
{
	struct zs_sandbox *sandbox = calloc(1, sizeof *sandbox);
	int r;

	if (!sandbox)
		return zs_error_errno(error, "sandbox", NULL, ENOMEM);
	r = check_and_print(policy, sandbox, error);
	if (r < 0) {
		free(sandbox);
		return r;
	}
	*ret_sandbox = sandbox;
	return 0;
}

void zs_sandbox_free(struct zs_sandbox *sandbox)
{
	if (!sandbox)
		return;
	free(sandbox->json);
	free(sandbox);
}

const char *zs_sandbox_json(const struct zs_sandbox *sandbox)
{
	return sandbox->json;
}

enum zs_tier zs_sandbox_tier(const struct zs_sandbox *sandbox)
{
	return sandbox->tier;
}

bool zs_sandbox_keeps(const struct zs_sandbox *sandbox, enum zs_promise promise)
{
	return !(sandbox->lacks >> promise & 1);
}
