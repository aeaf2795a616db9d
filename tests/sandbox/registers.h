/* Changes the system call of a traced process that is stopped at the call's entry or exit. */
#ifndef ZS_TESTS_SANDBOX_REGISTERS_H
#define ZS_TESTS_SANDBOX_REGISTERS_H

#include <sys/types.h>

/* At the entry: makes the kernel run no call. */
int registers_skip_call(pid_t pid);
/* At the exit: sets the result that the process receives; -errno for an error. */
int registers_set_result(pid_t pid, long result);

#endif
