/* The order in which a process is confined. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/features/features.h"
#include "linux/overlay/overlay_channel.h"
#include "linux/session/session.h"
#include "linux/files/standard_files.h"
#include "linux/watch/journal.h"
#include "linux/files/own_tmp.h"

/* The processes that pass a stage: a run, by its tier; or a session's session parent and its init, which do once what
 * all runs have in common. session_run.c has the rest. */
enum {
	MOUNTS = 1 << ZS_TIER_MOUNTS,
	LANDLOCK = 1 << ZS_TIER_LANDLOCK,
	BOTH = MOUNTS | LANDLOCK,
	SESSION_PARENT_MOUNTS = MOUNTS << 2,
	SESSION_PARENT_LANDLOCK = LANDLOCK << 2,
	SESSION_PARENT = SESSION_PARENT_MOUNTS | SESSION_PARENT_LANDLOCK,
	SPACES = MOUNTS | SESSION_PARENT_MOUNTS, /* whoever makes namespaces */
	INIT = LANDLOCK << 3,
	GUARD = LANDLOCK << 4,   /* what stands in for the init in the Landlock tier */
	NETWORK = LANDLOCK << 5, /* the supervisor of a run of the mount tier, while its child passes other stages */
	COMMAND = LANDLOCK << 6, /* what the watch of a run starts */
	ALL = BOTH | SESSION_PARENT | INIT,
};

static const struct {
	const char *name;
	int (*apply)(struct zs_run *run, struct zs_error *error);
	unsigned who;
} stages[] = {
	{ "policy", zs_stage_policy, BOTH | SESSION_PARENT },
	{ "threads", zs_stage_threads, BOTH | SESSION_PARENT }, /* early: every other stage is about one thread */
	{ "signals", zs_stage_signals, BOTH | SESSION_PARENT }, /* before any stage waits for a child */
	{ "descriptors", zs_stage_descriptors, BOTH | SESSION_PARENT }, /* before any stage opens one */
	{ "journal", zs_stage_journal, BOTH | SESSION_PARENT },         /* by the machine's own names and rights */
	{ "public", zs_stage_public, BOTH | SESSION_PARENT }, /* the same; or by lists, of what that root sees */
	{ "owner", zs_stage_owner, SPACES },                  /* before namespaces, in which root is nobody */
	{ "proxy", zs_stage_proxy, SPACES },                  /* it stays in this network */
	{ "namespaces", zs_stage_namespaces, SPACES },        /* before capabilities: its maps and lo need them */
	{ "network", zs_stage_network, NETWORK },             /* in that user namespace */
	{ "loopback", zs_stage_loopback,
		NETWORK | SESSION_PARENT_MOUNTS }, /* in the new network, while its capabilities last */
	{ "listeners", zs_stage_listeners, NETWORK | SESSION_PARENT_MOUNTS }, /* the same, for ports below 1024 */
	{ "overlay", zs_stage_overlay, BOTH }, /* before the supervisor, which knows when it is complete */
	{ "tmp", zs_stage_own_tmp, LANDLOCK | SESSION_PARENT_LANDLOCK }, /* the supervisor removes it, or the guard */
	{ "supervisor", zs_stage_supervisor, BOTH },                     /* forks: does not return in the parent */
	{ "init", zs_stage_init, MOUNTS },                               /* before mounts: proc is of who mounts it */
	{ "session", zs_stage_session_init, SESSION_PARENT_MOUNTS },     /* becomes the init of the session */
	{ "processes", zs_stage_processes, INIT },    /* before mounts: what hides a part of /proc forbids another */
	{ "mounts", zs_stage_mounts, MOUNTS | INIT }, /* there, since proc shows the namespace of who mounts it */
	{ "watch", zs_stage_watch, SPACES },          /* in the places that mounts has made */
	{ "keyring", zs_stage_keyring, BOTH | SESSION_PARENT }, /* after namespaces: it is charged to the new user */
	{ "environment", zs_stage_environment, BOTH },
	{ "gate", zs_stage_gate, BOTH },                /* as late as possible; into the network, with capabilities */
	{ "capabilities", zs_stage_capabilities, ALL }, /* before no_new_privs, which it does not need */
	{ "no_new_privs", zs_stage_no_new_privs, ALL }, /* before landlock, which requires it */
	/* It is in a ruleset of Landlock's too, and not confined by the next. */
	{ "session", zs_stage_session_guard, SESSION_PARENT_LANDLOCK },
	/* Behind mounts: it forbids mount(2); man 2 landlock_restrict_self. Not the init: in a domain of its own it
	 * could not signal the runs, which are in the session parent's. */
	{ "landlock", zs_stage_landlock, BOTH | SESSION_PARENT },
	{ "core dumps", zs_stage_core_dumps, ALL | GUARD }, /* before seccomp, which keeps it as it is */
	{ "seccomp", zs_stage_seccomp, ALL | GUARD },       /* it forbids what the stages before it do */
	{ "command", zs_stage_command, MOUNTS },            /* starts the command, and stays: the watch */
	{ "watchdog", zs_stage_watchdog, LANDLOCK },        /* forks: the watchdog does not return */
	{ "limits", zs_stage_limits, LANDLOCK | COMMAND },  /* last: no stage of ours is to reach one */
};

#define BIT(feature) (1u << ZS_FEATURE_##feature)

/* The feature that a failed stage may have lacked, looked for in behalf of a caller that has not asked before. The
 * stages of namespaces and mounts, which decide the tier, do it themselves. */
static const struct {
	int (*stage)(struct zs_run *run, struct zs_error *error);
	uint32_t features;
} lacks[] = {
	{ zs_stage_threads, BIT(PROC) },
	/* An old kernel has neither the calls of mounts nor Landlock, and its mounts come first. */
	{ zs_stage_mounts, BIT(LANDLOCK) },
	{ zs_stage_descriptors, BIT(CLOSE_RANGE) },
	{ zs_stage_no_new_privs, BIT(NO_NEW_PRIVS) },
	{ zs_stage_landlock, BIT(LANDLOCK) | BIT(LANDLOCK_SCOPES) },
	{ zs_stage_seccomp, BIT(SECCOMP) },
};

/* Before the namespaces, and with one of its own: whether any can be had decides the tier, so all that it lacks is
 * named. */
static bool makes_namespace(size_t stage)
{
	return stages[stage].apply == zs_stage_owner || stages[stage].apply == zs_stage_public;
}

/* Not by trying: behind the stages that have been passed a probe finds another machine. */
static bool explain_missed(const struct zs_run *run, struct zs_error *ret_error)
{
	return run->policy->untried && run->missed.cause &&
	       zs_check_lacking(run->policy, run->missed.feature, run->missed.cause, ret_error) < 0;
}

static void stages_explain(struct zs_run *run, size_t stage, struct zs_error *error)
{
	struct zs_policy all = *run->policy;
	struct zs_error better;
	enum zs_tier tier;
	uint32_t promises;

	if (!error || run->explained)
		return;
	run->explained = true;
	if (explain_missed(run, &better))
		*error = better;
	/* A caller that has looked already says "sandbox", as zs_sandbox_new() would have. */
	if (!run->policy->untried || !error->step[0])
		error->step = stages[stage].name;
	for (size_t i = 0; i < ZS_COUNT(lacks) && run->policy->untried; i++)
		if (lacks[i].stage == stages[stage].apply &&
			zs_check_features(run->policy, lacks[i].features, &better) < 0)
			*error = better;
	all.untried = false;
	if (run->policy->untried && makes_namespace(stage) && zs_backend_check(&all, &tier, &promises, &better) < 0)
		*error = better;
	if (error->cause == ENOSYS && !error->hint[0])
		zs_error_hint(error, 0, ZS_NEW_KERNEL);
}

static int apply(struct zs_run *run, unsigned who, struct zs_error *error)
{
	for (size_t i = 0; i < ZS_COUNT(stages); i++) {
		int r = stages[i].who & who ? stages[i].apply(run, error) : 0;

		if (r < 0) {
			stages_explain(run, i, error);
			return r;
		}
	}
	return 0;
}

/* A stage's own call of this is not explained twice: run->explained. */
static int pass(struct zs_run *run, enum zs_stages which, struct zs_error *error)
{
	static const unsigned who[] = {
		[ZS_STAGES_OF_NETWORK] = NETWORK,
		[ZS_STAGES_OF_COMMAND] = COMMAND,
		[ZS_STAGES_OF_INIT] = INIT,
		[ZS_STAGES_OF_GUARD] = GUARD,
	};

	return apply(run, who[which], error);
}

/* The parts of a run's state that belong to one room each. */
struct parts {
	struct zs_own_tmp own_tmp;
	struct zs_standard_files standard;
	struct zs_watch watch;
	struct zs_journal journal;
};

/* *ret_parts lives as long as the run. */
static struct zs_run make_run(const struct zs_policy *policy, struct parts *ret_parts)
{
	*ret_parts = (struct parts){
		.own_tmp = { .parent = -1, .folder = -1 },
		.journal = ZS_JOURNAL_NONE,
	};
	return (struct zs_run){
		.policy = policy,
		.pass = pass,
		.own_tmp = &ret_parts->own_tmp,
		.standard = &ret_parts->standard,
		.watch = &ret_parts->watch,
		.journal = &ret_parts->journal,
		.channel = -1,
		.report = -1,
		.public.mounts = { -1, -1, -1, -1 },
		.mapped = -1,
		.overlay = -1,
		.lifeline = { -1, -1 },
		.init = -1,
		.session_parent = -1,
		.host = -1,
	};
}

int zs_backend_confine(const struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, const struct zs_run_calls *calls, struct zs_error *error)
{
	struct parts parts;
	struct zs_run run = make_run(policy, &parts);
	int r;

	run.calls = calls;
	run.argv = argv;
	run.envp = envp;
	run.channel = own->channel;
	run.report = own->report;
	r = apply(&run, 1u << policy->tier, error);
	if (r == 0) {
		int status = calls->become(argv, run.env, error);

		calls->say(STDERR_FILENO, error);
		_exit(status);
	}
	if (run.channel >= 0)
		zs_channel_cancel(run.channel);
	zs_journal_end(&parts.journal);
	zs_own_tmp_remove(&parts.own_tmp);
	free(run.env);
	return r;
}

/* Until here the standard error leads nowhere: why there is no session is said over the socket. Now it is where the
 * host has its own, which came in place of the standard output. */
static int take_complaints(struct zs_error *error)
{
	int nowhere = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), r = nowhere < 0 ? -errno : 0;

	if (r == 0 && (dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0))
		r = -errno;
	if (nowhere >= 0)
		close(nowhere);
	return r < 0 ? zs_error_errno(error, "session", "standard error", -r) : 0;
}

int zs_backend_session(const struct zs_policy *policy, char *const envp[], int requests, int report,
	const struct zs_run_calls *calls, struct zs_error *error)
{
	struct parts parts;
	struct zs_run run = make_run(policy, &parts);
	int r = zs_session_check(policy, error);

	if (r == 0)
		r = take_complaints(error);
	run.envp = envp;
	run.report = report;
	run.shared = true;
	if (r == 0)
		r = apply(&run, policy->tier == ZS_TIER_LANDLOCK ? SESSION_PARENT_LANDLOCK : SESSION_PARENT_MOUNTS,
			error);
	if (r == 0)
		r = zs_session_parent(&run, requests, calls, error);
	/* The init looks once more, and removes the journal. In the Landlock tier there is none, and what stands in for
	 * the init would kill this process before it has said why there is no session. */
	if (policy->tier == ZS_TIER_MOUNTS && run.init >= 0 && parts.journal.watch > 0) {
		close(run.init);
		waitpid(parts.journal.watch, NULL, 0);
	}
	zs_journal_end(&parts.journal);
	zs_own_tmp_remove(&parts.own_tmp);
	return r;
}
