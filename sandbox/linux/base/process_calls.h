/* How zs starts processes of its own and waits for their end. */
#ifndef ZS_SANDBOX_LINUX_PROCESS_CALLS_H
#define ZS_SANDBOX_LINUX_PROCESS_CALLS_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The kernel's fork(2), for a process of one thread. Returns the child's pid; 0 in the child, which has a copy of the
 * stack; or a negative errno. flags: CLONE_… of man 2 clone. ret_pidfd: for CLONE_PIDFD, else NULL. The first three
 * arguments of the system call have this order on x86_64 and aarch64.
 *
 * The C library's fork() is not used for two reasons. It blocks all signals around the call and does not check that the
 * kernel did so: where a seccomp filter around zs refuses rt_sigprocmask(2), musl restores a mask that it never read,
 * and a process that waits for SIGCHLD with all signals blocked waits for ever. It also runs the handlers that the host
 * has given to pthread_atfork(3). */
static inline pid_t zs_fork(uint64_t flags, int *ret_pidfd)
{
	long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, ret_pidfd, NULL, NULL);

	return pid < 0 ? -errno : (pid_t)pid;
}

/* Closes all descriptors but the standard ones and these, each of which may be -1. 0 or a negative errno; -EPERM: the
 * call succeeded and closed nothing. */
int zs_close_others(const int *kept, size_t count);

/* The same without the check, which takes three more system calls. */
int zs_close_range_but(const int *kept, size_t count);

/* A pidfd of a process (man 2 pidfd_open), or a negative errno; -ESRCH: there is no such process. */
int zs_pidfd_open(pid_t pid);

/* May a process take descriptors of another one (man 2 pidfd_getfd)? Yama can forbid it to all processes until the
 * machine restarts: Documentation/admin-guide/LSM/Yama.rst, ptrace_scope 3. */
#define ZS_YAMA_SCOPE "/proc/sys/kernel/yama/ptrace_scope"
bool zs_may_take_descriptors(void);

/* Waits until the descriptor can be read. A pidfd can when its process has ended, a socket when its peer has. */
void zs_await_readable(int fd);

/* Whether this process's session has a controlling terminal (man 4 tty). */
bool zs_has_terminal(void);

/* The exit code of a status of wait4(2), as shells form it: the command's own, or 128 plus the signal's number. */
enum { ZS_EXIT_SIGNALED = 128 };
int zs_exit_code(int status);

/* The processes that a proc file system shows: man 5 proc. */

/* Calls visit for each process. proc: a descriptor of a proc's root directory. A visit that does not return 0 ends the
 * reading, and its value is returned; else 0, or a negative errno when the directory cannot be read. */
int zs_proc_each(int proc, int (*visit)(pid_t pid, void *arg), void *arg);

/* Fields of /proc/PID/stat, by the numbers of man 5 proc_pid_stat. */
enum zs_proc_field {
	ZS_PROC_PARENT = 4,
	ZS_PROC_START = 22, /* in clock ticks after the machine's start */
};

/* Reads a field as /proc shows it. -ESRCH: there is no such process. */
int zs_proc_stat(pid_t pid, enum zs_proc_field field, uint64_t *ret_value);

#endif
