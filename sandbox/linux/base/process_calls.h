/* Calls with which our own processes begin. zs_fork() is fork(2) as the kernel has it, for a process of one thread.
 *
 * The library's fork() blocks all signals around it, and does not ask whether it could: where a filter around zs
 * refuses that, it puts in force a mask that it has never read, and who waits for SIGCHLD with all signals blocked
 * waits for ever. It also runs what a host has given to pthread_atfork(3). */
#ifndef ZS_SANDBOX_LINUX_PROCESS_CALLS_H
#define ZS_SANDBOX_LINUX_PROCESS_CALLS_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* 0 in the child, which has a stack of its own; `flags` are CLONE_…, of which ret_pidfd is for CLONE_PIDFD. A negative
 * errno. The order of the first three arguments is that of x86_64 and aarch64. */
static inline pid_t zs_fork(uint64_t flags, int *ret_pidfd)
{
	long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, ret_pidfd, NULL, NULL);

	return pid < 0 ? -errno : (pid_t)pid;
}

/* Closes all descriptors but the standard ones and these two; -1: none. */
int zs_close_others(int one, int other);

#endif
