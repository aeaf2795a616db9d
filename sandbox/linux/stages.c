/* The stages that confine a process, in their order, and which process passes each. */
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
#include "linux/files/cache_layers.h"

/* The processes that pass a stage. A run passes the stages of its tier. In a session, the session parent and the init
 * (or the guard) pass once the stages that all runs share; session_run.c does the rest for each run. */
enum {
	MOUNTS = 1 << ZS_TIER_MOUNTS,
	LANDLOCK = 1 << ZS_TIER_LANDLOCK,
	BOTH = MOUNTS | LANDLOCK,
	SESSION_PARENT_MOUNTS = MOUNTS << 2,
	SESSION_PARENT_LANDLOCK = LANDLOCK << 2,
	SESSION_PARENT = SESSION_PARENT_MOUNTS | SESSION_PARENT_LANDLOCK,
	SPACES = MOUNTS | SESSION_PARENT_MOUNTS, /* the processes that make namespaces */
	INIT = LANDLOCK << 3,                    /* a session's init, in the mount tier */
	GUARD = LANDLOCK << 4,                   /* a session's guard, which replaces the init in the Landlock tier */
	NETWORK = LANDLOCK << 5, /* a run's supervisor in the mount tier, while its child passes other stages */
	COMMAND = LANDLOCK << 6, /* the process that becomes the command in the mount tier */
	ALL = BOTH | SESSION_PARENT | INIT,
};

static const struct {
	const char *name;
	int (*apply)(struct zs_run *run, struct zs_error *error);
	unsigned who;
} stages[] = {
	{ "policy", zs_stage_policy, BOTH | SESSION_PARENT },
	/* Confinement applies to one thread, so there must be no other. */
	{ "threads", zs_stage_threads, BOTH | SESSION_PARENT },
	/* Before any stage waits for a child. */
	{ "signals", zs_stage_signals, BOTH | SESSION_PARENT },
	/* Before any stage opens a descriptor. */
	{ "descriptors", zs_stage_descriptors, BOTH | SESSION_PARENT },
	/* These two use the machine's own paths and the caller's rights. */
	{ "journal", zs_stage_journal, BOTH | SESSION_PARENT },
	{ "public", zs_stage_public, BOTH | SESSION_PARENT },
	{ "disk", zs_stage_disk_tmp, MOUNTS },
	/* Before namespaces: root has no power over the machine's files in there. */
	{ "owner", zs_stage_owner, SPACES },
	/* The proxy stays in the machine's network. */
	{ "proxy", zs_stage_proxy, SPACES },
	{ "namespaces", zs_stage_namespaces, SPACES },
	/* In the new user namespace. */
	{ "network", zs_stage_network, NETWORK },
	/* In the new network, while this process has capabilities there: for lo, and for ports below 1024. */
	{ "loopback", zs_stage_loopback, NETWORK | SESSION_PARENT_MOUNTS },
	{ "listeners", zs_stage_listeners, NETWORK | SESSION_PARENT_MOUNTS },
	/* Before the supervisor, which says when the overlay is complete. */
	{ "overlay", zs_stage_overlay, BOTH },
	{ "root", zs_stage_root, MOUNTS },
	/* Before all processes that are to hold the lock of the layers. */
	{ "caches", zs_stage_caches, SPACES },
	/* The supervisor or the guard removes this folder, so it is made before them. */
	{ "tmp", zs_stage_own_tmp, LANDLOCK | SESSION_PARENT_LANDLOCK },
	/* Forks. The parent becomes the supervisor and does not return. */
	{ "supervisor", zs_stage_supervisor, BOTH },
	/* Before mounts: the init mounts proc, which shows the pid namespace of the process that mounts it. */
	{ "init", zs_stage_init, MOUNTS },
	/* Forks. The child becomes the session's init, and passes the next two. */
	{ "session", zs_stage_session_init, SESSION_PARENT_MOUNTS },
	/* Before mounts: where a part of one proc is hidden, the kernel mounts no second one (mount_too_revealing() in
	 * fs/namespace.c). */
	{ "processes", zs_stage_processes, INIT },
	/* While the init has its capabilities and no filter. */
	{ "observer", zs_stage_observer, INIT },
	{ "mounts", zs_stage_mounts, MOUNTS | INIT },
	/* Watches the paths that the mounts stage has made. */
	{ "watch", zs_stage_watch, SPACES },
	/* After namespaces: the keyring counts against the new user's quota. */
	{ "keyring", zs_stage_keyring, BOTH | SESSION_PARENT },
	{ "environment", zs_stage_environment, BOTH },
	/* As late as possible, to wait little. It joins the new network, which takes capabilities. */
	{ "gate", zs_stage_gate, BOTH },
	{ "capabilities", zs_stage_capabilities, ALL },
	/* Before landlock, which requires it. */
	{ "no_new_privs", zs_stage_no_new_privs, ALL },
	/* The guard gets a Landlock domain of its own here, and not that of the next stage. */
	{ "session", zs_stage_session_guard, SESSION_PARENT_LANDLOCK },
	/* After mounts: a Landlock domain forbids mount(2) (man 2 landlock_restrict_self). The init does not pass it:
	 * in a domain of its own it could not signal the runs, which are in the session parent's. */
	{ "landlock", zs_stage_landlock, BOTH | SESSION_PARENT },
	/* Before seccomp, which forbids changing this limit. */
	{ "core dumps", zs_stage_core_dumps, ALL | GUARD },
	/* Forbids system calls that the stages before it use. */
	{ "seccomp", zs_stage_seccomp, ALL | GUARD },
	/* Starts the command and does not return: this process is the watch. */
	{ "command", zs_stage_command, MOUNTS },
	/* Forks. The parent becomes the watchdog and does not return. */
	{ "watchdog", zs_stage_watchdog, LANDLOCK },
	/* Before limits: it takes a descriptor. */
	{ "denials", zs_stage_observe, COMMAND },
	/* Last: no limit counts for what zs itself does. */
	{ "limits", zs_stage_limits, LANDLOCK | COMMAND },
};

#define BIT(feature) (1u << ZS_FEATURE_##feature)

/* The features whose lack makes a stage fail. They are checked when it has failed, for a caller that has not called
 * zs_sandbox_check() before. The namespaces and mounts stages explain their own failures. */
static const struct {
	int (*stage)(struct zs_run *run, struct zs_error *error);
	uint32_t features;
} lacks[] = {
	{ zs_stage_threads, BIT(PROC) },
	/* A kernel without the mount API (before Linux 5.12) lacks Landlock, too, and fails in this stage first. */
	{ zs_stage_mounts, BIT(LANDLOCK) },
	{ zs_stage_descriptors, BIT(CLOSE_RANGE) },
	{ zs_stage_no_new_privs, BIT(NO_NEW_PRIVS) },
	{ zs_stage_landlock, BIT(LANDLOCK) | BIT(LANDLOCK_SCOPES) },
	{ zs_stage_seccomp, BIT(SECCOMP) },
};

/* These stages make a user namespace before the namespaces stage does. When none can be made, the tier is not
 * available, so the error names all features that the machine lacks for it. */
static bool makes_namespace(size_t stage)
{
	return stages[stage].apply == zs_stage_owner || stages[stage].apply == zs_stage_public;
}

/* Explains the errno that the stage noted. Another probe would not help: after the stages that have been passed, this
 * process sees another machine. */
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
	/* A caller that has checked before gets errors of the step "sandbox", as from zs_sandbox_new(). */
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

/* A stage may call this, and fail because of it: run->explained prevents that both explain the failure. */
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

/* The parts of a run's state, each of which only one room knows. */
struct parts {
	struct zs_own_tmp own_tmp;
	struct zs_cache_layers caches;
	struct zs_standard_files standard;
	struct zs_watch watch;
	struct zs_journal journal;
};

/* *ret_parts lives as long as the run. */
static struct zs_run make_run(struct zs_policy *policy, struct parts *ret_parts)
{
	*ret_parts = (struct parts){
		.own_tmp = { .parent = -1, .folder = -1 },
		.caches = { .lock = -1 },
		.journal = ZS_JOURNAL_NONE,
	};
	return (struct zs_run){
		.policy = policy,
		.pass = pass,
		.own_tmp = &ret_parts->own_tmp,
		.caches = &ret_parts->caches,
		.standard = &ret_parts->standard,
		.watch = &ret_parts->watch,
		.journal = &ret_parts->journal,
		.channel = -1,
		.report = -1,
		.denials = -1,
		.proxy.names = -1,
		.mapped = -1,
		.overlay = -1,
		.root = -1,
		.lifeline = { -1, -1 },
		.init = -1,
		.session_parent = -1,
		.observer = -1,
		.observed = -1,
		.host = -1,
	};
}

int zs_backend_confine(struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, zs_become *become, struct zs_error *error)
{
	struct parts parts;
	struct zs_run run = make_run(policy, &parts);
	int r;

	run.become = become;
	run.argv = argv;
	run.envp = envp;
	run.channel = own->channel;
	run.report = own->report;
	run.denials = own->denials;
	r = apply(&run, 1u << policy->tier, error);
	if (r == 0) {
		int status = become(argv, run.env, error);

		zs_error_write_last(STDERR_FILENO, error);
		_exit(status);
	}
	if (run.channel >= 0)
		zs_channel_cancel(run.channel);
	zs_journal_end(&parts.journal);
	zs_own_tmp_remove(&parts.own_tmp);
	free(run.env);
	return r;
}

/* The host passes its own standard error as our standard output, and nothing as our standard error: while the session
 * is opened, errors go over the socket. This exchanges the two, for the warnings of a session that is open. */
static int take_complaints(struct zs_error *error)
{
	int nowhere = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), r = nowhere < 0 ? -errno : 0;

	if (r == 0 && (dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0))
		r = -errno;
	if (nowhere >= 0)
		close(nowhere);
	return r < 0 ? zs_error_errno(error, "session", "standard error", -r) : 0;
}

int zs_backend_session(struct zs_policy *policy, char *const envp[], int requests, int report, bool denials,
	zs_become *become, struct zs_error *error)
{
	struct parts parts;
	struct zs_run run = make_run(policy, &parts);
	int r = zs_session_check(policy, error);

	if (r == 0)
		r = take_complaints(error);
	run.envp = envp;
	run.report = report;
	run.shared = true;
	run.collects = denials && policy->tier == ZS_TIER_MOUNTS;
	if (r == 0)
		r = apply(&run, policy->tier == ZS_TIER_LANDLOCK ? SESSION_PARENT_LANDLOCK : SESSION_PARENT_MOUNTS,
			error);
	if (r == 0)
		r = zs_session_parent(&run, requests, become, error);
	/* The session could not be opened. In the mount tier the init looks once more and removes the journal. In the
	 * Landlock tier there is no journal, and the guard would kill this process before it has sent its error. */
	if (policy->tier == ZS_TIER_MOUNTS && run.init >= 0 && parts.journal.watch > 0) {
		close(run.init);
		waitpid(parts.journal.watch, NULL, 0);
	}
	zs_journal_end(&parts.journal);
	zs_own_tmp_remove(&parts.own_tmp);
	return r;
}
