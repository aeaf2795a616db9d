/* The end of a run, by whoever is left. */
#ifndef ZS_SANDBOX_LINUX_WATCHDOG_H
#define ZS_SANDBOX_LINUX_WATCHDOG_H

#include <stdbool.h>
#include <sys/types.h>

struct zs_error;
struct zs_run;

/* The lifeline is a pipe whose writing end the supervisor alone holds, in both tiers. Its steps: before the supervisor
 * forks; in the child; to end the run; and when the child has ended, before the supervisor leaves. The child asks
 * whether the lifeline is cut: the supervisor has gone, or wants the run's end. */
int zs_lifeline_prepare(struct zs_run *run, struct zs_error *error);
void zs_lifeline_pass(struct zs_run *run);
void zs_lifeline_end(struct zs_run *run);
bool zs_lifeline_is_cut(const struct zs_run *run);
void zs_lifeline_finish(struct zs_run *run);

/* In a child of a process that ends a run, with every signal blocked: does it when that one has ended, by the signals
 * that the two may send. ready: a pipe, which is told when the killer is; or -1. */
_Noreturn void zs_be_killer(pid_t parent, int ready);

#endif
