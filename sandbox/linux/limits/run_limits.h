/* The supervisor's part in the limits of its run: it ends the run at the wall clock's, and at the processor time's
 * where a cgroup counts it, and says of each that was reached that it was. */
#ifndef ZS_SANDBOX_LINUX_RUN_LIMITS_H
#define ZS_SANDBOX_LINUX_RUN_LIMITS_H

#include <sys/resource.h>

#include "linux/limits/run_cgroups.h"

struct zs_run_limits {
	const struct zs_policy *policy;
	struct zs_run_cgroups cgroups;
	int64_t deadline;  /* of the wall clock; INT64_MAX: none */
	int64_t cpu_check; /* when to look at the processor time next; INT64_MAX: never */
	uint32_t said;     /* ZS_LIMIT_BIT() of each */
};

void zs_run_limits_begin(
	struct zs_run_limits *limits, const struct zs_policy *policy, const struct zs_run_cgroups *cgroups);

/* poll(2)'s timeout until the next look; -1: for ever. */
int zs_run_limits_timeout(const struct zs_run_limits *limits);

/* True once: a limit has been reached, which has been said, and the run must be ended. */
bool zs_run_limits_exceeded(struct zs_run_limits *limits);

/* Stops this process, as a shell wants it at ^Z; the wall clock's limit continues it. */
void zs_run_limits_stop(const struct zs_run_limits *limits);

/* The run has ended like this: says which other limits were reached, notes them, and removes its cgroups. */
void zs_run_limits_end(struct zs_run_limits *limits, int status, const struct rusage *usage);

/* The wall limit once more, for whoever keeps the run: the supervisor is in the caller's session, in which the command
 * can keep it from a processor. */
struct zs_run_backstop {
	int64_t deadline;
};

void zs_run_backstop_begin(struct zs_run_backstop *backstop, const struct zs_policy *policy);
/* For poll(2). 0: the run is to be ended. */
int zs_run_backstop_timeout(const struct zs_run_backstop *backstop);

/* Does RLIMIT_NPROC bind this process? -EOPNOTSUPP when it does not: the kernel exempts the machine's root, whatever
 * the user namespace (kernel/fork.c, copy_process(): INIT_USER). Call it in a user namespace that has one process. */
int zs_process_limit_try(void);

#endif
