/* The processes that a proc file system shows: man 5 proc. */
#ifndef ZS_SANDBOX_LINUX_PROC_H
#define ZS_SANDBOX_LINUX_PROC_H

#include <stdint.h>
#include <sys/types.h>

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
