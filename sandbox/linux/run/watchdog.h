/* The watchdog of a run in the Landlock tier, and the killer, which ends a run when its parent is killed. */
#ifndef ZS_SANDBOX_LINUX_WATCHDOG_H
#define ZS_SANDBOX_LINUX_WATCHDOG_H

#include <sys/types.h>

/* Becomes the killer, which kills every process that it may signal when its parent has ended. It is a child of a
 * watchdog or of a session's supervisor, with every signal blocked. ready: a pipe that gets a byte when the killer is
 * ready, or -1. */
_Noreturn void zs_be_killer(pid_t parent, int ready);

#endif
