/* Turns core dumps off. A dump file would litter the workspace with the memory of the crashed process. Where
 * core_pattern names a program, as on most desktops, the kernel starts that program outside of the sandbox, as root,
 * and feeds it memory that the command controls. A limit of 0 stops only the file; a limit of exactly 1 byte stops the
 * program, too (fs/coredump.c). The seccomp stage keeps the command from changing the limit. */
#include "linux/base/stage.h"

#include <errno.h>
#include <sys/resource.h>

#include "base/error.h"

enum { NO_DUMP_AT_ALL = 1 };

/* A process with a hard limit of 0 cannot raise it to 1: then no file is written, but the program runs. */
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
	/* A seccomp filter of the caller may fake the success. */
	if (getrlimit(RLIMIT_CORE, &now) < 0 || now.rlim_cur != limit.rlim_cur || now.rlim_max != limit.rlim_max)
		return zs_error_say(error, "", "setrlimit", EPERM, "has no effect");
	return 0;
}
