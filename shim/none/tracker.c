/* No trackers on this system. */
#include "tracker_shim.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

static int tracker_refuse(struct zs_error *error)
{
	return zs_error_say(error, "tracker", "", EOPNOTSUPP, "not available on this system");
}

int zs_tracker_begin(struct zs_tracker *tracker, const char *executable, struct zs_error *error)
{
	(void)tracker;
	(void)executable;
	return tracker_refuse(error);
}

int zs_tracker_end(struct zs_tracker *tracker, char ret_object[ZS_TRACKER_OBJECT])
{
	(void)tracker;
	(void)ret_object;
	return -EOPNOTSUPP;
}

void zs_tracker_dismiss(struct zs_tracker *tracker)
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
