/* The namespaces of a run. It always gets a user namespace, in which root has no power over the machine, and an IPC
 * namespace, since System V IPC and POSIX message queues check only the uid. It gets a network namespace when the
 * policy does not grant the network.
 *
 * They are made after the shim's exec: an exec in the new namespace would have dropped the capabilities that setting lo
 * up takes (man 7 user_namespaces, "Capabilities"). */
#include "linux/base/stage.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/features/features.h"
#include "linux/base/namespace_calls.h"
#include "linux/base/users.h"
#include "linux/run/supervisor.h"

/* Ubuntu lets unshare(2) succeed and then forbids the maps. After an unshare, checks by trying would see another
 * machine, so then only a setting that forbids namespaces explains the failure. */
static int namespaces_explain(const struct zs_policy *policy, const char *object, int r, struct zs_error *error)
{
	struct zs_feature feature = { 0 };
	enum zs_tier tier;
	uint32_t lacks;

	zs_namespace_explain(&feature, -r);
	if (policy->untried && (feature.detail[0] || strcmp(object, "unshare") == 0) &&
		zs_backend_check(policy, &tier, &lacks, error) < 0)
		return r;
	if (!feature.detail[0])
		return zs_error_hint(error, zs_error_errno(error, "", object, -r), "see 'zs doctor'");
	zs_error_say(error, "", object, -r, "%s", feature.detail);
	return zs_error_hint(error, r, "%s", feature.fix);
}

/* Making a network namespace takes as long as making all mounts, so a run's supervisor does it while its child makes
 * the mounts. A session parent, which does this once, makes it here. */
int zs_stage_namespaces(struct zs_run *run, struct zs_error *error)
{
	bool network = run->shared && run->policy->network != ZS_NETWORK_FULL;
	int flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (network ? CLONE_NEWNET : 0);
	const char *object;
	int r;

	if (run->policy->users) {
		r = zs_users_enter(flags, &object, error);
		return r < 0 && *object ? namespaces_explain(run->policy, object, r, error) : r;
	}
	r = (run->policy->root_user ? zs_namespaces_enter_as_root : zs_namespaces_enter)(
		flags, geteuid(), getegid(), &object);

	return r < 0 ? namespaces_explain(run->policy, object, r, error) : 0;
}

int zs_stage_network(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (run->policy->network == ZS_NETWORK_FULL)
		return 0;
	if (unshare(CLONE_NEWNET) == 0)
		return 0;
	r = -errno;
	/* The errno decides: after our own namespaces, a check by trying would see another machine. */
	if (run->policy->untried && zs_check_lacking(run->policy, ZS_FEATURE_NETWORK_NAMESPACE, -r, error) < 0)
		return r;
	return zs_error_hint(error, zs_error_errno(error, "", "unshare", -r), "see 'zs doctor'");
}

/* With lo, a command can talk to processes that it has started. */
int zs_stage_loopback(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (run->policy->network == ZS_NETWORK_FULL)
		return 0;
	r = zs_loopback_up();
	return r < 0 ? zs_error_errno(error, "", "lo", -r) : 0;
}

/* Uses the supervisor's pidfd (man 2 setns). The kernel allows this to a process that may trace the supervisor. The
 * namespace must have changed afterwards: a seccomp filter around zs may only pretend that setns(2) or the supervisor's
 * unshare(2) succeeded. */
int zs_network_join(const struct zs_run *run)
{
	uint64_t before, after;
	int r;

	if (run->policy->tier != ZS_TIER_MOUNTS || run->policy->network == ZS_NETWORK_FULL)
		return 0;
	r = zs_network_of(-1, &before);
	if (r < 0)
		return r;
	if (setns(run->supervisor, CLONE_NEWNET) < 0)
		return -errno;
	r = zs_network_of(-1, &after);
	return r == 0 && before == after ? -EPERM : r;
}
