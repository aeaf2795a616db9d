/* No trackers on this system. */
#include "tracker_shim.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

static int tracker_refuse(struct zs_error *error)
{
	return zs_error_say(error, "tracker", "", EOPNOTSUPP, "not available on this system");
}

int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error)
{
	(void)options;
	(void)ret_tracker;
	return tracker_refuse(error);
}

enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker)
{
	(void)tracker;
	return ZS_TRACKER_SUBREAPER;
}

const char *zs_tracker_value(const struct zs_tracker *tracker)
{
	(void)tracker;
	return "";
}

int zs_tracker_cgroup(const struct zs_tracker *tracker)
{
	(void)tracker;
	return -1;
}

int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error)
{
	(void)tracker;
	return tracker_refuse(error);
}

void zs_tracker_free(struct zs_tracker *tracker)
{
	(void)tracker;
}

_Noreturn void zs_tracker_keep(void)
{
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

int zs_tracker_join(char **envp, struct zs_error *error)
{
	(void)envp;
	return tracker_refuse(error);
}
