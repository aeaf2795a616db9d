/* The stages that confine a process. Each stage is one function; the table in stages.c has their order. A stage returns
 * 0, or a negative errno with the error filled in; the table adds the stage's name as the error's step. */
#ifndef ZS_SANDBOX_LINUX_STAGE_H
#define ZS_SANDBOX_LINUX_STAGE_H

#include "linux/base/run_state.h"

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
int zs_stage_root(struct zs_run *run, struct zs_error *error);
int zs_stage_caches(struct zs_run *run, struct zs_error *error);
int zs_stage_own_tmp(struct zs_run *run, struct zs_error *error);
int zs_stage_disk_tmp(struct zs_run *run, struct zs_error *error);
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
int zs_stage_observe(struct zs_run *run, struct zs_error *error);

/* A session's session parent, and its init or guard. */
int zs_stage_session_init(struct zs_run *run, struct zs_error *error);
int zs_stage_session_guard(struct zs_run *run, struct zs_error *error);
int zs_stage_observer(struct zs_run *run, struct zs_error *error);
int zs_stage_processes(struct zs_run *run, struct zs_error *error);

#endif
