/* Sets no_new_privs: no exec grants more rights than its caller has, so set-user-ID, set-group-ID and file capabilities
 * have no effect (man 2 PR_SET_NO_NEW_PRIVS). */
#include "linux/base/stage.h"

#include <errno.h>
#include <sys/prctl.h>

#include "base/error.h"
#include "linux/locks/locks.h"

int zs_no_new_privs_set(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : -EPERM;
}

int zs_stage_no_new_privs(struct zs_run *run, struct zs_error *error)
{
	int r = zs_no_new_privs_set();

	(void)run;
	return r < 0 ? zs_error_errno(error, "", "prctl", -r) : 0;
}
