/* Refuses a process that has more than one thread. Confinement applies to the calling thread, and the others would stay
 * free until the exec ends them. */
#include "linux/base/stage.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/error.h"

int zs_stage_threads(struct zs_run *run, struct zs_error *error)
{
	static const char tasks[] = "/proc/self/task";
	struct stat st;

	(void)run;
	/* One link for each thread beside "." and "..": proc_task_getattr() in fs/proc/base.c. */
	if (stat(tasks, &st) < 0) {
		int r = zs_error_errno(error, "", tasks, errno);

		return zs_error_hint(error, r, "mount proc on /proc");
	}
	if (st.st_nlink == 3)
		return 0;
	zs_error_say(error, "", "", EBUSY, "%lu threads are running", (unsigned long)st.st_nlink - 2);
	return zs_error_hint(error, -EBUSY, "call zs_exec_shim() first in main, or link zs_shim_constructor.o");
}
