/* The state of a run, which its stages hand on. A part that only one room knows is a pointer to that room's struct;
 * stages.c owns all of them. */
#ifndef ZS_SANDBOX_LINUX_RUN_STATE_H
#define ZS_SANDBOX_LINUX_RUN_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "linux/base/children.h"
#include "policy/policy.h"

struct zs_journal;
struct zs_own_tmp;
struct zs_run_calls;
struct zs_standard_files;
struct zs_watch;

/* Mounts for the first of the policy's public grants, in its order, until they are attached; -1: none. */
enum { ZS_PUBLIC_MAX = 4 };

struct zs_public {
	int mounts[ZS_PUBLIC_MAX];
};

/* The stages that a run or a session has other processes of its own pass. */
enum zs_stages {
	ZS_STAGES_OF_NETWORK, /* the supervisor, while its child makes the mounts */
	ZS_STAGES_OF_COMMAND, /* the process that becomes the command, and shares the watch's memory until then */
	ZS_STAGES_OF_INIT,    /* a session's init */
	ZS_STAGES_OF_GUARD,   /* the process that stands in for the init in the Landlock tier */
};

struct zs_run {
	const struct zs_policy *policy;
	const struct zs_run_calls *calls;
	int (*pass)(
		struct zs_run *run, enum zs_stages stages, struct zs_error *error); /* applies them, in their order */
	char *const *argv;                                                          /* the command */
	char *const *envp;                                                          /* as the host passed it on */
	char **env;           /* what the command gets; the environment stage makes it */
	sigset_t signal_mask; /* as it was before the supervisor blocked all */
	bool explained;       /* the stage that has failed has been named */
	/* The feature that the stage of mounts has missed, by this errno; 0: none. */
	struct {
		enum zs_feature_id feature;
		int cause;
	} missed;

	/* The supervisor and its child */
	int supervisor;   /* a pidfd of it */
	int gate;         /* a pipe: the supervisor says that the child may go on */
	int lifeline[2];  /* a pipe of the supervisor's: whoever reads its end of file ends the run */
	int channel;      /* the supervisor's alone, for handing the overlay over; -1: nobody waits for it */
	int report;       /* until the proxy has it; -1: nobody reads one */
	bool alone;       /* the command gets a session of its own */
	uint32_t held;    /* limits that its cgroups hold: ZS_LIMIT_BIT() */
	uint64_t signals; /* that the supervisor was sent: 1 << number */
	bool *killed;     /* shared with the watch, which says that a signal has killed the command; or NULL */
	int init; /* a socket, and the init has the other end: it ends with this one, or in a session when no process of
		   * it is left; in the Landlock tier of a session the guard has it */
	pid_t init_process; /* outside of our Landlock domain; 0: there is none */
	struct {
		pid_t pid;  /* 0: there is none */
		int socket; /* its end is the proxy's */
	} proxy;            /* with network: hosts */

	/* Files */
	int mapped;    /* the workspace as root's own; -1: as it is */
	int overlay;   /* the workspace's mount, until it is attached; -1: none */
	bool overlaid; /* the workspace is one */
	bool terminal; /* it has a name */
	struct zs_public public;
	struct zs_standard_files *standard; /* the supervisor's */
	struct zs_watch *watch;             /* of names that must not appear */
	struct zs_journal *journal;         /* of the same, for a process that looks in its place */

	/* In the Landlock tier */
	struct zs_own_tmp *own_tmp;
	struct zs_strangers strangers;
	bool scoped; /* no signal of the command's, nor of what keeps it, reaches other processes */

	/* In a session */
	bool shared;              /* processes of other runs can be seen */
	int processes;            /* the init's own /proc */
	int session_parent, host; /* pidfds: with either the session ends */
};

#endif
