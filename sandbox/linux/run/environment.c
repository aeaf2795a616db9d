/* Makes the command's environment: the variables that the policy passes on, and those that it sets. */
#include "policy/environment.h"

#include "base/error.h"
#include "linux/base/stage.h"
#include "linux/files/own_tmp.h"

int zs_stage_environment(struct zs_run *run, struct zs_error *error)
{
	int r = zs_env_filter(run->policy, run->envp, &run->env);

	if (r < 0)
		return zs_error_errno(error, "", "", -r);
	zs_own_tmp_name(run->own_tmp, run->env);
	return 0;
}
