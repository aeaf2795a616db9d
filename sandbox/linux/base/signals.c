/* Sets the default action for SIGCHLD. A process inherits that its parent ignores this signal, and is then not told
 * that its children end (man 2 sigaction, SA_NOCLDWAIT): supervisor, init and watchdog would wait for ever. The command
 * gets the default action as well, as programs that start others expect. */
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
