/* The seccomp filter as a program of classic BPF. Pure. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_FILTER_H
#define ZS_SANDBOX_LINUX_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "linux/locks/seccomp_calls.h"

/* Zero refuses. */
struct zs_seccomp_options {
	bool inet; /* AF_INET and AF_INET6: where the network is the command's own, or it may use the machine's */
	bool unix_sockets;  /* AF_UNIX that can reach others; pairs that cannot always pass */
	bool own_pids;      /* tracing: where no process outside can be seen */
	bool own_ipc;       /* System V IPC and POSIX message queues: where they are the command's own */
	bool own_processes; /* limits, scheduling and memory of other processes: where all are this run's, but pid 1 */
	bool scoped;        /* signals to the process group: where no process outside gets them */
};

enum { ZS_SECCOMP_FILTER_MAX = 512 };

/* Writes the program for arch into code[size] and returns its length, or -E2BIG. */
int zs_seccomp_filter(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *options, struct sock_filter *code, size_t size);

#endif
