/* The order in which a process is confined. */
#include "stage.h"

#include <stdlib.h>

#include "backend.h"
#include "cleanup.h"
#include "layer_channel.h"

static const struct {
	const char *name;
	int (*apply)(struct zs_run *run, struct zs_error *error);
} stages[] = {
	{ "policy", zs_stage_policy },
	{ "threads", zs_stage_threads },         /* early: every other stage is about one thread */
	{ "descriptors", zs_stage_descriptors }, /* before any stage opens one */
	{ "namespaces", zs_stage_namespaces },   /* before capabilities: its maps and lo need them */
	{ "loopback", zs_stage_loopback },       /* in the new network, while its capabilities last */
	{ "overlay", zs_stage_overlay },         /* before the supervisor, which knows when the layer is complete */
	{ "supervisor", zs_stage_supervisor },   /* what follows is pid 1 of the new pid namespace */
	{ "mounts", zs_stage_mounts },           /* there, since proc shows the namespace of who mounts it */
	{ "keyring", zs_stage_keyring },         /* after namespaces: it is charged to the new user */
	{ "environment", zs_stage_environment },
	{ "capabilities", zs_stage_capabilities }, /* before no_new_privs, which it does not need */
	{ "no_new_privs", zs_stage_no_new_privs }, /* before landlock, which requires it */
	{ "landlock", zs_stage_landlock }, /* behind mounts: it forbids mount(2); man 2 landlock_restrict_self */
	{ "seccomp", zs_stage_seccomp },   /* it forbids what the stages before it do */
	{ "init", zs_stage_init },         /* what follows is the command */
	{ "limits", zs_stage_limits },     /* last: no stage of ours is to reach one */
};

int zs_backend_confine(
	const struct zs_policy *policy, char *const envp[], int channel, char ***ret_envp, struct zs_error *error)
{
	struct zs_run run = { .policy = policy, .envp = envp, .channel = channel, .overlay = -1 };

	for (size_t i = 0; i < ZS_COUNT(stages); i++) {
		int r = stages[i].apply(&run, error);

		if (r < 0) {
			if (error)
				error->step = stages[i].name;
			if (run.channel >= 0)
				zs_channel_cancel(run.channel);
			free(run.env);
			return r;
		}
	}
	*ret_envp = run.env;
	return 0;
}
