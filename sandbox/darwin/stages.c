/* The order in which a process is confined. */
#include "darwin/mac_stage.h"

#include <errno.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "policy/environment.h"
#include "base/error.h"

static const struct {
	const char *name;
	int (*apply)(struct zs_run *run, struct zs_error *error);
} stages[] = {
	{ "policy", zs_stage_policy }, { "threads", zs_stage_threads }, /* early: a fork copies one thread only */
	{ "descriptors", zs_stage_descriptors },                        /* before any stage opens a descriptor */
	{ "fingerprint", zs_stage_fingerprint },                        /* before the profile, which names its files */
	{ "tmp", zs_stage_own_tmp },                                    /* before the profile, which names the folder */
	{ "proxy", zs_stage_proxy },                                    /* before the profile, which names its port */
	{ "profile", zs_stage_profile }, { "environment", zs_stage_environment },
	{ "supervisor", zs_stage_supervisor },                            /* forks; the child becomes the command */
	{ "limits", zs_stage_limits }, { "seatbelt", zs_stage_seatbelt }, /* the last stages that change anything */
	{ "gate", zs_stage_gate }, /* the supervisor checks that the child has the fingerprint */
};

/* A host may have made the policy without zs_sandbox_new(). */
int zs_stage_policy(struct zs_run *run, struct zs_error *error)
{
	enum zs_tier tier;
	uint32_t lacks;

	int r = zs_backend_check(run->policy, &tier, &lacks, error);

	if (r == 0)
		zs_policy_share_caches(run->policy);
	return r;
}

int zs_stage_fingerprint(struct zs_run *run, struct zs_error *error)
{
	return zs_fingerprint_make(&run->fingerprint, error);
}

int zs_stage_environment(struct zs_run *run, struct zs_error *error)
{
	int r = zs_env_filter(run->policy, run->envp, &run->env);

	if (r < 0)
		return zs_error_errno(error, "", "", -r);
	zs_own_tmp_name(&run->own_tmp, run->env);
	r = run->proxy.pid ? zs_proxy_variables_move(run->env, run->proxy.port) : 0;
	return r < 0 ? zs_error_errno(error, "", "", -r) : 0;
}

void zs_run_remove(const struct zs_run *run)
{
	zs_own_tmp_remove(&run->own_tmp);
	if (run->fingerprint.folder[0])
		zs_fingerprint_remove(&run->fingerprint);
}

int zs_backend_confine(struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, zs_become *become, struct zs_error *error)
{
	struct zs_run run = { .policy = policy, .argv = argv, .envp = envp, .report = own->report, .gate = { -1, -1 } };
	pid_t self = getpid();
	int status;

	/* A caller waits for the changes of an overlay, and there are none. */
	if (own->channel >= 0)
		return zs_error_say(error, "overlay", "", EOPNOTSUPP, "macOS has no overlays");
	for (size_t i = 0; i < ZS_COUNT(stages); i++) {
		int r = stages[i].apply(&run, error);

		if (r == 0)
			continue;
		if (error && !error->step[0])
			error->step = stages[i].name;
		/* After the fork the supervisor does this. */
		if (getpid() == self)
			zs_run_remove(&run);
		return r;
	}
	zs_seatbelt_profile_free(&run.profile);
	status = become(argv, run.env, error);
	zs_error_write_last(STDERR_FILENO, error);
	_exit(status);
}

int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error)
{
	(void)resolved;
	(void)error;
	return 0;
}

int zs_backend_session(struct zs_policy *policy, char *const envp[], int requests, int report, bool denials,
	zs_become *become, struct zs_error *error)
{
	(void)denials;
	(void)policy;
	(void)envp;
	(void)requests;
	(void)report;
	(void)become;
	return zs_error_say(error, "session", "", EOPNOTSUPP, "there are none on macOS: use runs of their own");
}
