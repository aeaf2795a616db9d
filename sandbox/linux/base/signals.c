/* A child of a program that ignores SIGCHLD ignores it too, and is not told of its children's ends (man 2 sigaction,
 * SA_NOCLDWAIT): supervisor, init and watchdog would wait for ever. The command has the default as well, which is what
 * programs that start others expect. */
#include "linux/base/stage.h"

#include <errno.h>
#include <signal.h>

#include "base/error.h"

int zs_stage_signals(struct zs_run *run, struct zs_error *error)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };

	(void)run;
	return sigaction(SIGCHLD, &action, NULL) < 0 ? zs_error_errno(error, "", "sigaction", errno) : 0;
}
