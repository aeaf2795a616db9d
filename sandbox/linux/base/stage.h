/* The stages that confine a process. Each is a file with one apply function; stages.c has the table and with it the
 * order. A stage returns 0, or a negative errno with the error filled in, its step being the stage's name. */
#ifndef ZS_SANDBOX_LINUX_STAGE_H
#define ZS_SANDBOX_LINUX_STAGE_H

#include <linux/filter.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "linux/watch/journal.h"
#include "linux/files/own_tmp.h"
#include "policy/policy.h"
#include "linux/files/standard_files.h"
#include "linux/watch/watch.h"

struct rusage;
struct zs_run_calls;
struct zs_run_limits;

/* Children that the supervisor's process has had before it was one: a shell that becomes zs by exec leaves it those
 * that it has started in the background. They are not the run's. */
struct zs_strangers {
	pid_t *pids;
	size_t count;
};

/* Mounts for the first of the policy's public grants, in its order, until they are attached; -1: none. */
enum { ZS_PUBLIC_MAX = 4 };

struct zs_public {
	int mounts[ZS_PUBLIC_MAX];
};

struct zs_run {
	const struct zs_policy *policy;
	const struct zs_run_calls *calls;
	char *const *argv;         /* the command */
	char *const *envp;         /* as the host passed it on */
	char **env;                /* what the command gets; the environment stage makes it */
	sigset_t signal_mask;      /* as it was before the supervisor blocked all */
	int supervisor;            /* a pidfd of it */
	int gate;                  /* a pipe: the supervisor says that the child may go on */
	bool explained;            /* the stage that has failed has been named */
	int channel;               /* the supervisor's alone, for handing the overlay over; -1: nobody waits for it */
	int report;                /* until the proxy has it; -1: nobody reads one */
	int mapped;                /* the workspace as root's own; -1: as it is */
	int overlay;               /* the workspace's mount, until it is attached; -1: none */
	bool overlaid;             /* the workspace is one */
	bool terminal;             /* it has a name */
	bool alone;                /* the command gets a session of its own */
	uint32_t held;             /* limits that its cgroups hold: ZS_LIMIT_BIT() */
	struct zs_watch watch;     /* of names that must not appear */
	struct zs_journal journal; /* of the same, for a process that looks in its place */
	uint64_t signals;          /* that the supervisor was sent: 1 << number */
	bool *killed;              /* shared with the watch, which says that a signal has killed the command; or NULL */
	struct zs_public public;
	int init; /* a socket, and the init has the other end: it ends with this one, or in a session when no process of
		   * it is left; in the Landlock tier of a session the guard has it */
	pid_t init_process;                /* outside of our Landlock domain; 0: there is none */
	int lifeline[2];                   /* a pipe of the supervisor's: whoever reads its end of file ends the run */
	struct zs_standard_files standard; /* the supervisor's */
	/* Of the proxy, with network: hosts */
	struct {
		pid_t pid;  /* 0: there is none */
		int socket; /* its end is the proxy's */
	} proxy;
	/* In the Landlock tier */
	struct zs_own_tmp own_tmp;
	struct zs_strangers strangers;
	bool scoped; /* no signal of the command's, nor of what keeps it, reaches other processes */
	/* Of a session */
	bool shared;              /* processes of other runs can be seen */
	int processes;            /* the init's own /proc */
	int session_parent, host; /* pidfds: with either the session ends */
};

int zs_stage_policy(struct zs_run *run, struct zs_error *error);
int zs_stage_threads(struct zs_run *run, struct zs_error *error);
int zs_stage_signals(struct zs_run *run, struct zs_error *error);
int zs_stage_descriptors(struct zs_run *run, struct zs_error *error);
int zs_stage_journal(struct zs_run *run, struct zs_error *error);
int zs_stage_proxy(struct zs_run *run, struct zs_error *error);
int zs_stage_namespaces(struct zs_run *run, struct zs_error *error);
int zs_stage_network(struct zs_run *run, struct zs_error *error);
int zs_stage_loopback(struct zs_run *run, struct zs_error *error);
int zs_stage_listeners(struct zs_run *run, struct zs_error *error);
int zs_stage_public(struct zs_run *run, struct zs_error *error);
int zs_stage_owner(struct zs_run *run, struct zs_error *error);
int zs_stage_overlay(struct zs_run *run, struct zs_error *error);
int zs_stage_own_tmp(struct zs_run *run, struct zs_error *error);
int zs_stage_supervisor(struct zs_run *run, struct zs_error *error);
int zs_stage_init(struct zs_run *run, struct zs_error *error);
int zs_stage_mounts(struct zs_run *run, struct zs_error *error);
int zs_stage_watch(struct zs_run *run, struct zs_error *error);
int zs_stage_keyring(struct zs_run *run, struct zs_error *error);
int zs_stage_gate(struct zs_run *run, struct zs_error *error);
int zs_stage_environment(struct zs_run *run, struct zs_error *error);
int zs_stage_capabilities(struct zs_run *run, struct zs_error *error);
int zs_stage_no_new_privs(struct zs_run *run, struct zs_error *error);
int zs_stage_landlock(struct zs_run *run, struct zs_error *error);
int zs_stage_command(struct zs_run *run, struct zs_error *error);
int zs_stage_watchdog(struct zs_run *run, struct zs_error *error);
int zs_stage_core_dumps(struct zs_run *run, struct zs_error *error);
int zs_stage_limits(struct zs_run *run, struct zs_error *error);
int zs_stage_seccomp(struct zs_run *run, struct zs_error *error);

/* Of a session's session parent, and its init or what stands in for that. */
int zs_stage_session_init(struct zs_run *run, struct zs_error *error);
int zs_stage_session_guard(struct zs_run *run, struct zs_error *error);
int zs_stage_processes(struct zs_run *run, struct zs_error *error);

/* zs_backend_check() of these features alone, bits 1 << ZS_FEATURE_…: a process that is confined by halves cannot try
 * them all. Those that decide the tier are none of them. */
int zs_check_features(const struct zs_policy *policy, uint32_t which, struct zs_error *error);
/* The same of a feature that decides the tier, which a stage has missed, with this errno. 0: all has been waived. */
int zs_check_lacking(const struct zs_policy *policy, enum zs_feature_id lacking, int cause, struct zs_error *error);
/* Refuses sockets that this kernel's Landlock cannot tell apart, unless the promise has been waived. *ret_lacks has a
 * bit 1 << ZS_PROMISE_… for each promise of the policy that is not kept then. */
int zs_check_mounts_tier(const struct zs_policy *policy, uint32_t *ret_lacks, struct zs_error *error);

/* The stages of a run's network, which the supervisor passes while its child makes the mounts; and the child's way into
 * it, which takes capabilities. */
int zs_confine_network(struct zs_run *run, struct zs_error *error);
int zs_network_join(const struct zs_run *run);

/* The stages of the process that becomes the command, which shares its memory with the init until then. */
int zs_confine_command(struct zs_run *run, struct zs_error *error);

void zs_public_end(struct zs_public *public);

/* Is a standard descriptor a way out: a directory, a socket that reaches others? */
int zs_standard_check(const struct zs_policy *policy, struct zs_error *error);

/* Closes all descriptors but the standard ones and these two; -1: none. */
int zs_close_others(int one, int other);

/* What a stage and the probe of its feature both do. They return 0 or a negative errno. */

int zs_loopback_up(void);
/* A proc of this process's pid namespace, attached nowhere yet: a descriptor, or a negative errno. */
int zs_proc_new(void);
int zs_no_new_privs_set(void);
/* Every capability but these, bits 1 << CAP_…. */
int zs_capabilities_keep(uint32_t bits);
/* All of them, and every way to one. sure: it is in a user namespace of its own, and has them. */
int zs_capabilities_end(bool sure, const char **ret_object);

/* Does RLIMIT_NPROC bind this process? -EOPNOTSUPP when it does not: the kernel exempts the machine's root, whatever
 * the user namespace (kernel/fork.c, copy_process(): INIT_USER). Call it in a user namespace that has one process. */
int zs_process_limit_try(void);
int zs_seccomp_install(struct sock_filter *code, size_t count);
/* Once more: from now on, signals reach only what this process starts. As one call, and as two: a descriptor, which
 * may be used for several processes. */
int zs_landlock_scope_signals(void);
int zs_landlock_signal_ruleset(void);
int zs_landlock_restrict(int ruleset);

/* Waits for the child, with every signal blocked: passes the signals of a signalfd on, and ends the run when `parent`
 * has ended (a pidfd, or -1) or a limit says so. Other children are reaped as they end. */
int zs_supervise(struct zs_run *run, pid_t child, int parent, int signals, struct zs_run_limits *limits,
	int *ret_status, struct rusage *ret_usage);
/* Its own, or 128 and the signal. */
int zs_exit_code(int status);

/* The two messages of a run's init: its zs_proc_new(); and that it is ready. */
int zs_init_take_proc(const struct zs_run *run);
int zs_init_await(const struct zs_run *run);

/* The steps of a supervisor: before it forks; in the child; to end the run; and when the child has ended, before it
 * leaves itself. The child asks whether the supervisor has gone, or has the run ended. watchdog.c */
int zs_watchdog_prepare(struct zs_run *run, struct zs_error *error);
void zs_watchdog_start(struct zs_run *run);
void zs_watchdog_end(struct zs_run *run);
bool zs_watchdog_is_alone(const struct zs_run *run);
void zs_watchdog_finish(struct zs_run *run);

/* In a child of a process that ends a run, with every signal blocked: does it when that one has ended, by the signals
 * that the two may send. ready: a pipe, which is told when the killer is; or -1. */
_Noreturn void zs_be_killer(pid_t parent, int ready);

/* free() ret_strangers->pids. */
int zs_children_find(struct zs_strangers *ret_strangers);

/* Ends and reaps all other children of this process, and theirs, as they become its own: it is their subreaper. For so
 * many milliseconds it only waits for somebody else to end them. -ETIMEDOUT when some are left after a while. */
int zs_children_end(struct zs_strangers *strangers, int patience);

#endif
