/* Builds the seccomp filter, a program of classic BPF. Pure. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_FILTER_H
#define ZS_SANDBOX_LINUX_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "linux/locks/seccomp_calls.h"

/* The calls that the filter lets pass; false refuses. */
struct zs_seccomp_options {
	bool inet;          /* AF_INET and AF_INET6: the network is the command's own, or it may use the machine's */
	bool unix_sockets;  /* AF_UNIX sockets that can reach other processes; pairs that cannot always pass */
	bool own_pids;      /* tracing: no process outside of the sandbox can be seen */
	bool own_ipc;       /* System V IPC and POSIX message queues: the IPC namespace is the command's own */
	bool own_processes; /* limits, scheduling and memory of other processes: every pid but 1 is this run's */
	bool scoped;        /* signals to the process group: Landlock keeps them from processes outside */
	bool broker;        /* connect(2) and listen(2) ask the broker; AF_UNIX sockets that need them pass */
	bool later;         /* with broker: a second filter asks it, that of zs_seccomp_observer() */
};

/* Writes the program that lets the kernel tell the init of calls before they are made, and refuses none: those of
 * seccomp_observed.h, and with broker connect(2) and listen(2). Returns as above. */
int zs_seccomp_observer(enum zs_seccomp_arch arch, bool broker, struct sock_filter *code, size_t size);

enum { ZS_SECCOMP_FILTER_MAX = 512 };

/* Writes the program for arch into code[size] and returns its length in instructions, or -E2BIG. */
int zs_seccomp_filter(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *options, struct sock_filter *code, size_t size);

#endif
