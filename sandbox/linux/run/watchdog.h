/* How a run ends when its supervisor does: the lifeline, the watchdog and the killer. */
#ifndef ZS_SANDBOX_LINUX_WATCHDOG_H
#define ZS_SANDBOX_LINUX_WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

struct zs_error;
struct zs_run;

/* The lifeline is a pipe that only the supervisor can write, in both tiers. The child reads its end of file when the
 * supervisor has ended or has closed it to end the run. */

/* Before the supervisor forks. */
int zs_lifeline_prepare(struct zs_run *run, struct zs_error *error);
/* In the child. */
void zs_lifeline_pass(struct zs_run *run);
bool zs_lifeline_is_cut(const struct zs_run *run);
/* In the supervisor: ends the run. */
void zs_lifeline_end(struct zs_run *run);
/* In the supervisor, when the child has ended: in the Landlock tier ends the processes and removes the files that are
 * left. */
void zs_lifeline_finish(struct zs_run *run);

/* Becomes the killer, which kills every process that it may signal when its parent has ended. It is a child of a
 * watchdog or of a session's supervisor, with every signal blocked. ready: a pipe that gets a byte when the killer is
 * ready, or -1. */
_Noreturn void zs_be_killer(pid_t parent, int ready);

#endif
