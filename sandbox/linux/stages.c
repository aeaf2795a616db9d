/* The order in which a process is confined. */
#include "stage.h"

#include <stdlib.h>

#include "backend.h"
#include "cleanup.h"
#include "layer_channel.h"

enum { MOUNTS = 1 << ZS_TIER_MOUNTS, LANDLOCK = 1 << ZS_TIER_LANDLOCK, BOTH = MOUNTS | LANDLOCK };

static const struct {
	const char *name;
	int (*apply)(struct zs_run *run, struct zs_error *error);
	unsigned tiers;
} stages[] = {
	{ "policy", zs_stage_policy, BOTH },
	{ "threads", zs_stage_threads, BOTH },         /* early: every other stage is about one thread */
	{ "descriptors", zs_stage_descriptors, BOTH }, /* before any stage opens one */
	{ "namespaces", zs_stage_namespaces, MOUNTS }, /* before capabilities: its maps and lo need them */
	{ "loopback", zs_stage_loopback, MOUNTS },     /* in the new network, while its capabilities last */
	{ "overlay", zs_stage_overlay, BOTH },         /* before the supervisor, which knows when it is complete */
	{ "tmp", zs_stage_own_tmp, LANDLOCK },         /* the supervisor removes it */
	{ "supervisor", zs_stage_supervisor, BOTH },   /* what follows is pid 1 of the new pid namespace */
	{ "mounts", zs_stage_mounts, MOUNTS },         /* there, since proc shows the namespace of who mounts it */
	{ "keyring", zs_stage_keyring, BOTH },         /* after namespaces: it is charged to the new user */
	{ "environment", zs_stage_environment, BOTH },
	{ "capabilities", zs_stage_capabilities, BOTH }, /* before no_new_privs, which it does not need */
	{ "no_new_privs", zs_stage_no_new_privs, BOTH }, /* before landlock, which requires it */
	{ "landlock", zs_stage_landlock, BOTH }, /* behind mounts: it forbids mount(2); man 2 landlock_restrict_self */
	{ "core dumps", zs_stage_core_dumps, BOTH }, /* before seccomp, which keeps it as it is */
	{ "seccomp", zs_stage_seccomp, BOTH },       /* it forbids what the stages before it do */
	{ "init", zs_stage_init, MOUNTS },           /* what follows is the command */
	{ "keeper", zs_stage_keeper, LANDLOCK },     /* the same */
	{ "limits", zs_stage_limits, BOTH },         /* last: no stage of ours is to reach one */
};

int zs_backend_confine(
	const struct zs_policy *policy, char *const envp[], int channel, char ***ret_envp, struct zs_error *error)
{
	struct zs_run run = {
		.policy = policy,
		.envp = envp,
		.channel = channel,
		.overlay = -1,
		.own_tmp = { .parent = -1, .folder = -1 },
		.lifeline = { -1, -1 },
	};

	for (size_t i = 0; i < ZS_COUNT(stages); i++) {
		int r = stages[i].tiers >> policy->tier & 1 ? stages[i].apply(&run, error) : 0;

		if (r < 0) {
			if (error)
				error->step = stages[i].name;
			if (run.channel >= 0)
				zs_channel_cancel(run.channel);
			zs_own_tmp_remove(&run.own_tmp);
			free(run.env);
			return r;
		}
	}
	*ret_envp = run.env;
	return 0;
}
