/* The stages that confine a process. Each is a file with one apply function; stages.c has the table with their order. A
 * stage returns 0, or a negative errno with the error filled in; the error's step is the stage's name. */
#ifndef ZS_SANDBOX_DARWIN_STAGE_H
#define ZS_SANDBOX_DARWIN_STAGE_H

#include <signal.h>

#include "darwin/mac_proxy.h"
#include "darwin/fingerprint.h"
#include "darwin/mac_tmp.h"
#include "policy/policy.h"
#include "seatbelt/profile.h"

/* The pipes between a supervisor and the process that becomes the command. */
struct zs_gate {
	int ready; /* the process says that it is confined */
	int go;    /* the supervisor says that it has seen the fingerprint */
};

struct zs_run {
	struct zs_policy *policy; /* zs_stage_policy() may share its caches */
	char *const *argv;        /* the command */
	char *const *envp;        /* the host's environment */
	char **env;               /* the command's environment */
	int report;               /* where the proxy writes its decisions; -1: nowhere */
	struct zs_run_proxy proxy;
	struct zs_fingerprint fingerprint;
	struct zs_own_tmp own_tmp;
	struct zs_seatbelt_profile profile;
	sigset_t signal_mask; /* the caller's, before the supervisor blocked all signals */
	struct zs_gate gate;  /* used in the process that becomes the command */
};

int zs_stage_policy(struct zs_run *run, struct zs_error *error);
int zs_stage_threads(struct zs_run *run, struct zs_error *error);
int zs_stage_descriptors(struct zs_run *run, struct zs_error *error);
int zs_stage_fingerprint(struct zs_run *run, struct zs_error *error);
int zs_stage_own_tmp(struct zs_run *run, struct zs_error *error);
int zs_stage_proxy(struct zs_run *run, struct zs_error *error);
int zs_stage_profile(struct zs_run *run, struct zs_error *error);
int zs_stage_environment(struct zs_run *run, struct zs_error *error);
int zs_stage_supervisor(struct zs_run *run, struct zs_error *error);
int zs_stage_limits(struct zs_run *run, struct zs_error *error);
int zs_stage_seatbelt(struct zs_run *run, struct zs_error *error);
int zs_stage_gate(struct zs_run *run, struct zs_error *error);

/* Removes what a run has made: its temporary folder and its fingerprint. No process of the run may be left. */
void zs_run_remove(const struct zs_run *run);

/* Closes all descriptors but the standard ones and these; -1: none. */
int zs_close_others(const int *kept, size_t count);

/* Starts a process beside the supervisor. If the supervisor is killed, it does the supervisor's last work; if the
 * supervisor is stopped, it continues it when the time limit is reached. Returns the descriptor that tells the watchdog
 * that the supervisor lives, or a negative errno. No process that the supervisor starts may inherit it. wall_ms: 0,
 * there is no limit. */
int zs_watchdog_start(const struct zs_run *run, int64_t wall_ms);
/* Ends the watchdog, whose work is done. */
void zs_watchdog_dismiss(int lifeline);

/* Applies a profile to this process. */
int zs_seatbelt_apply(const struct zs_seatbelt_profile *profile, struct zs_error *error);

#endif
