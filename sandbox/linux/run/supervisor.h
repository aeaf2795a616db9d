/* The supervisor of a run: the process that the caller has started. Each run of a session has one, too. */
#ifndef ZS_SANDBOX_LINUX_SUPERVISOR_H
#define ZS_SANDBOX_LINUX_SUPERVISOR_H

#include <sys/types.h>

struct rusage;
struct zs_run;
struct zs_run_limits;

/* Waits for the child with every signal blocked, and reaps other children as they end. Passes on the signals that the
 * signalfd reports. Ends the run when `parent`, a pidfd or -1, has ended or when a limit is reached. */
int zs_supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits,
	int *ret_status, struct rusage *ret_usage);

/* Joins the network namespace that the supervisor has made, which takes capabilities in it (namespaces.c). 0 or a
 * negative errno. */
int zs_network_join(const struct zs_run *run);

#endif
