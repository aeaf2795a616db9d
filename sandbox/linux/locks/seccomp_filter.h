/* Builds the seccomp filter, a program of classic BPF. Pure. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_FILTER_H
#define ZS_SANDBOX_LINUX_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	/* A second filter, zs_seccomp_observer(), has the listener. The kernel tells it of calls that this one refuses;
	 * without it they fail with ENOSYS. */
	bool told;
	bool root_user;   /* calls that change owners or users, or make devices, do nothing and seem to succeed */
	bool users;       /* those that change owners or users pass in spite of it */
	bool connections; /* the listener is told of connect(2), though there is no broker */
};

enum { ZS_SECCOMP_FILTER_MAX = 512 };

/* Writes the program for arch into code[size] and returns its length in instructions, or -E2BIG. */
int zs_seccomp_filter(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *options, struct sock_filter *code, size_t size);

/* Writes the program that lets the kernel tell the init of calls before they are made: those of seccomp_observed.h,
 * with broker connect(2) and listen(2), and those that the filter `refusing` refuses. Returns as above. */
int zs_seccomp_observer(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *refusing, struct sock_filter *code, size_t size);

struct seccomp_data;

/* Answers as the kernel does that runs the program: an action of man 2 seccomp. SECCOMP_RET_KILL_PROCESS: it holds an
 * instruction that the programs above do not. */
uint32_t zs_seccomp_judge(const struct sock_filter *code, size_t count, const struct seccomp_data *data);

#endif
