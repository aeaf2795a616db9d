/* An own user namespace, always, so that root loses its powers over the machine; own System V IPC and POSIX message
 * queues, always, since both ask for no more than the same uid; and an own network when the policy grants none. Made
 * here, after the shim's exec: a process exec'ed into the namespace would have lost the capabilities that raising lo
 * takes (man 7 user_namespaces, "Capabilities"). */
#include "linux/base/stage.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/features/features.h"
#include "linux/base/namespace_calls.h"
#include "linux/run/supervisor.h"

/* Ubuntu lets unshare(2) succeed and then forbids the maps; but behind an unshare a probe finds another machine, so
 * then only a setting that says so counts. */
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

/* To make a network takes as long as all the mounts, so the supervisor makes it while the child makes those. A
 * session's session parent has time. */
int zs_stage_namespaces(struct zs_run *run, struct zs_error *error)
{
	bool network = run->shared && run->policy->network != ZS_NETWORK_FULL;
	int flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (network ? CLONE_NEWNET : 0);
	const char *object;
	int r = zs_namespaces_enter(flags, geteuid(), getegid(), &object);

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
	/* Not by trying: behind our own namespaces a probe finds another machine. */
	if (run->policy->untried && zs_check_lacking(run->policy, ZS_FEATURE_NETWORK_NAMESPACE, -r, error) < 0)
		return r;
	return zs_error_hint(error, zs_error_errno(error, "", "unshare", -r), "see 'zs doctor'");
}

/* So that a command can talk to itself. */
int zs_stage_loopback(struct zs_run *run, struct zs_error *error)
{
	int r;

	if (run->policy->network == ZS_NETWORK_FULL)
		return 0;
	r = zs_loopback_up();
	return r < 0 ? zs_error_errno(error, "", "lo", -r) : 0;
}

/* Linux 5.14 (net/core/sock.c); not in musl's headers. */
#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

/* Without a path: the command's mounts may have no /proc. */
static int get_network(uint64_t *ret_cookie)
{
	ZS_AUTO_FD int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof *ret_cookie;

	*ret_cookie = 0;
	return fd < 0 || getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, ret_cookie, &size) < 0 ? -errno : 0;
}

/* man 2 setns: by a pidfd, which the kernel lets a process of the same user do that may trace the other. It is another
 * network afterwards, or setns(2) or the supervisor's unshare(2) has only been said to succeed. */
int zs_network_join(const struct zs_run *run)
{
	uint64_t before, after;
	int r;

	if (run->policy->tier != ZS_TIER_MOUNTS || run->policy->network == ZS_NETWORK_FULL)
		return 0;
	r = get_network(&before);
	if (r < 0)
		return r;
	if (setns(run->supervisor, CLONE_NEWNET) < 0)
		return -errno;
	r = get_network(&after);
	return r == 0 && before == after ? -EPERM : r;
}
