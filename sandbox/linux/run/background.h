/* Says which processes end with the run because the command left them behind. */
#ifndef ZS_SANDBOX_LINUX_BACKGROUND_H
#define ZS_SANDBOX_LINUX_BACKGROUND_H

#include <sys/types.h>

struct zs_run;

/* The command has ended. If processes of the run are still alive, gives them a moment to end by themselves, and then
 * names them in a line on standard error. Says nothing where the run sees no /proc. parent: in the Landlock tier, whose
 * /proc shows the whole machine, the parent of what is left; 0: all in /proc are the run's. */
void zs_background_tell(const struct zs_run *run, pid_t parent);

#endif
