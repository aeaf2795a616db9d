/* Changing the system call of a traced process that stands at its entry or exit. */
#ifndef ZS_TESTS_SANDBOX_REGISTERS_H
#define ZS_TESTS_SANDBOX_REGISTERS_H

#include <sys/types.h>

/* At its entry: the kernel then runs none. */
int registers_skip_call(pid_t pid);
/* At its exit: what the process receives, -errno for an error. */
int registers_set_result(pid_t pid, long result);

#endif
