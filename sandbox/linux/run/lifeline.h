/* How a run ends when its supervisor does. The lifeline is a pipe that only the supervisor can write, in both tiers.
 * The watch or the watchdog at its other end reads end of file when the supervisor has ended, or has closed it to end
 * the run. */
#ifndef ZS_SANDBOX_LINUX_LIFELINE_H
#define ZS_SANDBOX_LINUX_LIFELINE_H

#include <stdbool.h>
#include <sys/types.h>

struct signalfd_siginfo;
struct zs_error;
struct zs_run;

/* In the supervisor, before it forks. */
int zs_lifeline_prepare(struct zs_run *run, struct zs_error *error);

/* In the supervisor: ends the run. */
void zs_lifeline_end(struct zs_run *run);

/* In the supervisor, when the child has ended: in the Landlock tier ends the processes and removes the files that are
 * left. */
void zs_lifeline_finish(struct zs_run *run);

/* In the child. */
void zs_lifeline_pass(struct zs_run *run);
bool zs_lifeline_is_cut(const struct zs_run *run);

/* Makes this process untraceable for the command, and returns a signalfd of all signals, which are blocked; or a
 * negative errno. */
int zs_lifeline_signals(struct zs_error *error);

/* Deals with a signal that this process was sent. False: the run must end. */
typedef bool zs_lifeline_take(struct zs_run *run, const struct signalfd_siginfo *signal, pid_t command);

/* Waits for the end of the command, a child of this process, and reaps other children. Kills the command when the
 * lifeline is cut, the wall limit is over, `take` returns false, or the killer has ended (0: there is none). Returns
 * the command's exit code. *ret_killed: a signal has ended it. */
int zs_lifeline_wait(
	struct zs_run *run, pid_t command, pid_t killer, int signals, zs_lifeline_take *take, bool *ret_killed);

/* Becomes the killer, which kills every process that it may signal when its parent has ended. It is a child of a
 * watchdog or of a session's supervisor, with every signal blocked. ready: a pipe that gets a byte when the killer is
 * ready, or -1. */
_Noreturn void zs_be_killer(pid_t parent, int ready);

#endif
