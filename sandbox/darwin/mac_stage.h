/* The stages that confine a process. Each is a file with one apply function; stages.c has the table and with it the
 * order. A stage returns 0, or a negative errno with the error filled in, its step being the stage's name. */
#ifndef ZS_SANDBOX_DARWIN_STAGE_H
#define ZS_SANDBOX_DARWIN_STAGE_H

#include <signal.h>

#include "darwin/mac_proxy.h"
#include "darwin/fingerprint.h"
#include "darwin/mac_tmp.h"
#include "policy/policy.h"
#include "seatbelt/profile.h"

/* Between a supervisor and the process that it lets become the command. */
struct zs_gate {
	int ready; /* one says that it is confined */
	int go;    /* the other, that its fingerprint has been seen */
};

struct zs_run {
	const struct zs_policy *policy;
	char *const *envp; /* as the host passed it on */
	char **env;        /* what the command gets */
	int report;        /* where decisions about the network are written; -1: nowhere */
	struct zs_run_proxy proxy;
	struct zs_fingerprint fingerprint;
	struct zs_own_tmp own_tmp;
	struct zs_seatbelt_profile profile;
	sigset_t signal_mask; /* as it was before the supervisor blocked all */
	struct zs_gate gate;  /* in the process that becomes the command */
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

/* Removes what a run has made: its temporary folder and its fingerprint. No process of it is left. */
void zs_run_remove(const struct zs_run *run);

/* Closes all descriptors but the standard ones and these; -1: none. */
int zs_close_others(const int *kept, size_t count);

/* A process beside the supervisor that does the supervisor's last work should that be killed, and wakes it at the end
 * of its time should that have been stopped. Returns the descriptor by which it knows that the supervisor is there, or
 * a negative errno; none that the supervisor starts may have it. wall_ms: 0, there is no end. */
int zs_watchdog_start(const struct zs_run *run, int64_t wall_ms);
/* Its work is done. */
void zs_watchdog_dismiss(int lifeline);

/* Applies a profile to this process. */
int zs_seatbelt_apply(const struct zs_seatbelt_profile *profile, struct zs_error *error);

#endif
