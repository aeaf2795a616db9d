/* Runs a command confined in this process. */
#include "exec_command.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "enforce/backend.h"
#include "policy/policy.h"
#include "zs_shim.h"

_Noreturn void zs_exec_confined(
	struct zs_policy *policy, char *const argv[], char *const envp[], const struct zs_run_descriptors *own)
{
	struct zs_error error;

	zs_backend_confine(policy, argv, envp, own, zs_exec_become, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

int zs_exec(const struct zs_policy *policy, char *const argv[], char *const envp[], struct zs_error *error)
{
	return zs_exec_reporting(policy, argv, envp, -1, -1, error);
}

int zs_exec_reporting(const struct zs_policy *policy, char *const argv[], char *const envp[], int report, int denials,
	struct zs_error *error)
{
	const struct zs_run_descriptors own = { -1, report, denials };
	struct zs_policy *resolved;
	uint32_t lacks;
	int r;

	if (!argv[0])
		return zs_error_say(error, "exec", "", EINVAL, "no command");
	r = zs_policy_resolve(policy, &resolved, error);
	if (r < 0)
		return r;
	/* A stage that fails says which feature is missing. Where nothing is waived, there is one tier. A refusal of
	 * sockets names at once whatever else the other tier would lack. */
	resolved->untried = !resolved->limits.processes;
	resolved->tier = ZS_TIER_MOUNTS;
	if (resolved->without || resolved->sockets.count || !resolved->untried)
		r = zs_backend_check(resolved, &resolved->tier, &lacks, error);
	if (r == 0) {
		zs_policy_find_left_out(policy, argv, envp, resolved);
		zs_exec_confined(resolved, argv, envp, &own);
	}
	zs_policy_free(resolved);
	return r;
}
