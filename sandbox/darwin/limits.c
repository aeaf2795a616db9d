/* Sets the policy's limits, as far as setrlimit(2) can hold them on macOS; tier.c says why it cannot hold the others.
 * The supervisor keeps the limit of the wall clock. Core dumps are off: a dump in /cores would hold the memory of the
 * crashed process. */
#include "darwin/mac_stage.h"

#include <errno.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/error.h"

static const struct {
	enum zs_limit limit;
	int resource;
} rows[] = {
	{ ZS_LIMIT_FILES, RLIMIT_NOFILE },
	{ ZS_LIMIT_FILE_SIZE, RLIMIT_FSIZE },
};

/* Lowers a limit: ulimit may have set a lower one already. */
static int limits_lower(int resource, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -errno;
	if (limit.rlim_cur > value)
		limit.rlim_cur = value;
	if (limit.rlim_max > value)
		limit.rlim_max = value;
	return setrlimit(resource, &limit) < 0 ? -errno : 0;
}

int zs_stage_limits(struct zs_run *run, struct zs_error *error)
{
	int r = limits_lower(RLIMIT_CORE, 0);

	if (r < 0)
		return zs_error_errno(error, "", "core dumps", -r);
	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		uint64_t value = zs_policy_limit(run->policy, rows[i].limit);

		r = value ? limits_lower(rows[i].resource, value) : 0;
		if (r < 0)
			return zs_error_errno(error, "", zs_limit_name(rows[i].limit), -r);
	}
	return 0;
}
