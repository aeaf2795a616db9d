/* Refuses a process that has started a thread. A fork copies only the calling thread, and locks that the other threads
 * held (such as malloc's) stay locked in the child. */
#include "darwin/mac_stage.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "base/error.h"

int zs_stage_threads(struct zs_run *run, struct zs_error *error)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };

	(void)run;
	if (pthread_is_threaded_np()) {
		zs_error_say(error, "", "", EBUSY, "threads have been started");
		return zs_error_hint(error, -EBUSY, "call zs_exec_shim() first in main, or link zs_shim_constructor.o");
	}
	/* A child inherits that its parent ignores SIGCHLD, and is then not told that its own children end (man 2
	 * sigaction, SA_NOCLDWAIT). */
	return sigaction(SIGCHLD, &action, NULL) < 0 ? zs_error_errno(error, "", "sigaction", errno) : 0;
}
