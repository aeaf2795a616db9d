/* The supervisor of a run: the process that the caller knows. A run of a session has one, too. */
#ifndef ZS_SANDBOX_LINUX_SUPERVISOR_H
#define ZS_SANDBOX_LINUX_SUPERVISOR_H

#include <sys/types.h>

struct rusage;
struct zs_run;
struct zs_run_limits;

/* Waits for the child, with every signal blocked: passes the signals of a signalfd on, and ends the run when `parent`
 * has ended (a pidfd, or -1) or a limit says so. Other children are reaped as they end. */
int zs_supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits,
	int *ret_status, struct rusage *ret_usage);

/* The child's way into the network that the supervisor has made, which takes capabilities. namespaces.c */
int zs_network_join(const struct zs_run *run);

#endif
