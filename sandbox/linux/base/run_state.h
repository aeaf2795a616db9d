/* The state of a run, which its stages read and fill in. A part that only one room knows is a pointer to that room's
 * struct; stages.c owns all of these. Each process that a stage forks goes on with its own copy. */
#ifndef ZS_SANDBOX_LINUX_RUN_STATE_H
#define ZS_SANDBOX_LINUX_RUN_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "enforce/backend.h"
#include "linux/base/children.h"
#include "policy/policy.h"

struct zs_cache_layers;
struct zs_journal;
struct zs_own_tmp;
struct zs_proxy_denials;
struct zs_standard_files;
struct zs_watch;

/* Detached mounts for the first of the policy's public grants, in their order. */
enum { ZS_PUBLIC_MAX = 16 };

struct zs_public {
	int mounts[ZS_PUBLIC_MAX];
	size_t count;
};

/* The other processes of a run or a session that pass stages. */
enum zs_stages {
	ZS_STAGES_OF_NETWORK, /* the supervisor, while its child makes the mounts */
	ZS_STAGES_OF_COMMAND, /* the process that becomes the command; until its exec it shares the watch's memory */
	ZS_STAGES_OF_INIT,    /* a session's init */
	ZS_STAGES_OF_GUARD,   /* a session's guard, which replaces the init in the Landlock tier */
};

struct zs_run {
	struct zs_policy *policy; /* zs_stage_public() may replace grants in it */
	zs_become *become;
	/* Applies these stages in their order. */
	int (*pass)(struct zs_run *run, enum zs_stages stages, struct zs_error *error);
	char *const *argv;    /* the command */
	char *const *envp;    /* the host's environment */
	char **env;           /* the command's, which the environment stage makes */
	sigset_t signal_mask; /* the caller's, before the supervisor blocked all signals */
	bool explained;       /* the error names the stage that failed */
	/* The feature that the mounts stage lacked, and the errno that showed it; 0: none. */
	struct {
		enum zs_feature_id feature;
		int cause;
	} missed;

	/* The supervisor and its child */
	int supervisor;   /* a pidfd of it */
	int gate;         /* a pipe by which the supervisor tells the child to go on */
	int lifeline[2];  /* a pipe that only the supervisor can write: its end of file ends the run */
	int channel;      /* the supervisor's socket for the changes of an overlay; -1: no process waits for them */
	int report;       /* the proxy's report, until the proxy has it; -1: none is asked for */
	int denials;      /* the supervisor's and the init's channel (denial_channel.h); -1: nobody collects */
	bool alone;       /* the command leads a session (setsid(2)) of its own */
	uint32_t held;    /* the limits that the run's cgroups hold: ZS_LIMIT_BIT() */
	uint64_t signals; /* the signals that the supervisor was sent: 1 << (number - 1) */
	bool *killed;     /* shared with the watch, which sets it when a signal has killed the command; or NULL */
	/* A socket to the init, or to a session's guard. The init ends when it is closed. A session's init closes its
	 * end when no process of the session is left. */
	int init;
	pid_t init_process; /* it is not in our Landlock domain; 0: there is none */
	struct {
		pid_t pid;  /* 0: there is none */
		int socket; /* the proxy ends when it is closed */
		int names;  /* without a network: the resolver's listener, until its process starts; or -1 */
		struct zs_proxy_denials *denials; /* shared with the proxy; NULL: there is none, or in a session */
	} proxy;

	/* Files */
	int mapped;                     /* a detached mount that shows the workspace's files as root's own; -1: none */
	int overlay;                    /* a detached mount of the workspace's overlay; -1: none */
	bool overlaid;                  /* the workspace is an overlay */
	int root;                       /* a detached mount of another root directory's overlay; -1: none */
	struct zs_cache_layers *caches; /* the private layers of caches */
	bool terminal;                  /* the caller's terminal has a path inside */
	struct zs_public public;
	struct zs_standard_files *standard; /* descriptors 0 to 2, which the supervisor restores */
	struct zs_watch *watch;             /* the names that must not appear or change */
	struct zs_journal *journal;         /* the same names, for another process when the watch was killed */

	/* In the Landlock tier */
	struct zs_own_tmp *own_tmp;
	struct zs_strangers strangers;
	bool scoped; /* the domain lets no signal of the command or of the watchdog reach other processes */

	/* In a session */
	bool shared;              /* this is a session or one of its runs */
	int processes;            /* the root directory of a proc that only the init has */
	int session_parent, host; /* pidfds: the session ends with either */
	bool collects;            /* runs may have denials */
	int observer, observed;   /* a pair of sockets: to the observer, and its own end; -1 */
};

#endif
