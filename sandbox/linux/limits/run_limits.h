/* The supervisor's part in its run's limits. It ends the run at the limit of the wall clock, and of processor time
 * where a cgroup counts that, and reports each limit that was reached. */
#ifndef ZS_SANDBOX_LINUX_RUN_LIMITS_H
#define ZS_SANDBOX_LINUX_RUN_LIMITS_H

#include <sys/resource.h>

#include "linux/limits/cgroup.h"
#include "policy/policy.h"

/* The cgroups of one run hold limits of the run as a whole, where the machine lets us make one. Every process of the
 * run is inside, the supervisor stays outside. A limit that no cgroup holds is set for each process by limits.c. */
struct zs_run_cgroups {
	struct zs_cgroup cgroups[ZS_HIERARCHY_COUNT];
	uint32_t holds[ZS_HIERARCHY_COUNT]; /* the limits that each cgroup holds: ZS_LIMIT_BIT() */
	uint32_t held;                      /* the limits that any of them holds */
	/* The capabilities that the supervisor needs for removing the cgroups, as bits 1 << CAP_…. The root cgroup of a
	 * hierarchy has a mode without write permission, which root overrides with CAP_DAC_OVERRIDE. In our user
	 * namespace that capability covers root's own files only. */
	uint32_t capabilities;
	bool forked_into; /* the child was started in the cgroup of version 2 */
};

struct zs_run_cgroups zs_run_cgroups_none(void);

/* Makes no cgroup for a policy without such limits. */
int zs_run_cgroups_make(const struct zs_policy *policy, struct zs_run_cgroups *ret_cgroups, struct zs_error *error);

/* Forks. The child then calls zs_run_cgroups_join(), which moves it into the cgroups and closes its descriptors of
 * them. */
pid_t zs_run_cgroups_fork(struct zs_run_cgroups *cgroups);
int zs_run_cgroups_join(struct zs_run_cgroups *cgroups, struct zs_error *error);

/* Kills all processes in the cgroup of version 2, if there is one. */
void zs_run_cgroups_kill(const struct zs_run_cgroups *cgroups);

/* Removes the cgroups when the run has ended. */
void zs_run_cgroups_end(struct zs_run_cgroups *cgroups);

struct zs_run_limits {
	const struct zs_policy *policy;
	struct zs_run_cgroups cgroups;
	int64_t deadline;  /* of the wall clock, in ms of CLOCK_MONOTONIC; INT64_MAX: none */
	int64_t cpu_check; /* when to read the processor time next, in ms; INT64_MAX: never */
	uint32_t said;     /* limits that were reported: ZS_LIMIT_BIT() */
};

void zs_run_limits_begin(
	struct zs_run_limits *limits, const struct zs_policy *policy, const struct zs_run_cgroups *cgroups);

/* The time at which the limits must be looked at next, in ms of CLOCK_MONOTONIC; INT64_MAX: never. */
int64_t zs_run_limits_next(const struct zs_run_limits *limits);

/* The milliseconds until then, as poll(2) takes them; -1: never. */
int zs_ms_until(int64_t deadline);

/* Has a limit been reached, so that the run must be ended? Reports the limit, and returns true for it only once. */
bool zs_run_limits_exceeded(struct zs_run_limits *limits);

/* Stops this process, as a shell expects after ^Z. A timer continues it at the limit of the wall clock. */
void zs_run_limits_stop(const struct zs_run_limits *limits);

/* Reports the other limits that a run with this end has reached, and removes its cgroups. status: as waitpid(2) has
 * it. */
void zs_run_limits_end(struct zs_run_limits *limits, int status, const struct rusage *usage);

/* A second deadline of the wall clock, a little later than the supervisor's. The watch, the watchdog and a session's
 * runner use it, since the supervisor is in the caller's session, where the command can keep it from running.
 * INT64_MAX: there is none. */
int64_t zs_run_backstop(const struct zs_policy *policy);

/* Probes whether RLIMIT_NPROC binds this process. -EOPNOTSUPP: it does not, because the kernel exempts the machine's
 * root in every user namespace (kernel/fork.c, copy_process(): INIT_USER). The user namespace must hold one process
 * only. */
int zs_process_limit_try(void);

#endif
