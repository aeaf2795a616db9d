/* A crash stays inside. A dump would hold the memory of whatever crashed and litter the workspace; and where
 * core_pattern names a program, as it does on most desktops, the kernel starts that outside, as root, on what the
 * command has made of its own memory. A limit of 0 stops the file alone; one of exactly 1 byte stops the program too
 * (fs/coredump.c). The seccomp stage sees to it that it stays. */
#include "linux/base/stage.h"

#include <errno.h>
#include <sys/resource.h>

#include "base/error.h"

enum { NO_DUMP_AT_ALL = 1 };

/* A process with a hard limit of 0 cannot have 1: then there is no file, and the program runs. */
int zs_stage_core_dumps(struct zs_run *run, struct zs_error *error)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY }, now = limit;

	(void)run;
	if (getrlimit(RLIMIT_CORE, &limit) < 0)
		return zs_error_errno(error, "", "getrlimit", errno);
	if (limit.rlim_max > NO_DUMP_AT_ALL)
		limit.rlim_max = NO_DUMP_AT_ALL;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_CORE, &limit) < 0)
		return zs_error_errno(error, "", "setrlimit", errno);
	/* Where a filter of the caller's says that it has, and has not. */
	if (getrlimit(RLIMIT_CORE, &now) < 0 || now.rlim_cur != limit.rlim_cur || now.rlim_max != limit.rlim_max)
		return zs_error_say(error, "", "setrlimit", EPERM, "has no effect");
	return 0;
}
