/* The interface between a policy and the system that enforces it: linux/, darwin/, none/. A backend also defines
 * zs_features_probe(). */
#ifndef ZS_SANDBOX_BACKEND_H
#define ZS_SANDBOX_BACKEND_H

#include "policy/policy.h"

/* Can this machine and this build enforce a resolved policy: every field as written, except for what has been waived?
 * And by which tier? For an untried policy only the tier is decided, since its stages report what else is missing.
 * *ret_lacks has a bit 1 << ZS_PROMISE_… for each promise of the policy that is not kept. */
int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error);

/* Replaces public grants that this machine cannot enforce as they are by lists of files, once and not in each run. */
int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error);

/* Descriptors that a run keeps for itself; -1: none. */
struct zs_run_descriptors {
	int channel; /* of zs_overlay_channel() */
	int report;  /* where the proxy writes its decisions */
	int denials; /* of zs_denials_channel() */
};

/* Becomes the command. Returns only on failure, with the exit status of the run: 126 or 127. The process may share its
 * parent's memory. */
typedef int zs_become(char *const argv[], char *const envp[], struct zs_error *error);

/* Confines the calling process to a resolved policy, for good, and becomes the command. The command's environment is
 * chosen from envp. Returns only on failure; the process is partly confined then, and must exit. */
int zs_backend_confine(struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, zs_become *become, struct zs_error *error);

/* Makes this process the session parent of a session: it is confined once, and starts what its host asks for over
 * `requests`, a socket that speaks session_request.h, until the host closes it or ends. report: for the decisions of
 * all runs. denials: runs may bring a channel of zs_denials_channel(). envp is not used for the runs' environments.
 * Returns only if the confinement fails before the session is ready; the process must exit then. */
int zs_backend_session(struct zs_policy *policy, char *const envp[], int requests, int report, bool denials,
	zs_become *become, struct zs_error *error);

#endif
