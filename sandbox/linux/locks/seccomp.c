/* Installs the seccomp filter (man 2 seccomp). It refuses calls that the other stages leave open, and parts of the
 * kernel that no command of an agent needs. seccomp_calls.h and seccomp_filter.c list them, with reasons. */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/base/process_calls.h"
#include "linux/locks/seccomp_filter.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"
#include "policy/tier.h"

#if defined(__x86_64__) && !defined(__ILP32__)
#define OWN_ARCH ZS_SECCOMP_X86_64
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define OWN_ARCH ZS_SECCOMP_AARCH64
#else
#error "seccomp_calls.h has no numbers for this architecture"
#endif

int zs_seccomp_install(struct sock_filter *code, size_t count)
{
	struct sock_fprog program = { (unsigned short)count, code };

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program) != 0 ? -errno : 0;
}

/* In the mount tier the namespaces leave no peers to reach: no other machine, and no process that this run did not
 * start. Without namespaces the filter refuses the calls that reach such peers. Unix sockets bound in a granted tree
 * are beyond namespaces, read-only mounts, and Landlock before ABI 9. In the mount tier the broker tells the run's own
 * apart from others. Where there is no broker, a command without granted sockets cannot make any. */
static struct zs_seccomp_options options_for(const struct zs_run *run, bool broker, bool told)
{
	const struct zs_policy *policy = run->policy;
	bool namespaces = policy->tier == ZS_TIER_MOUNTS;

	return (struct zs_seccomp_options){
		.inet = namespaces || policy->network == ZS_NETWORK_FULL,
		.unix_sockets = !broker && (policy->sockets.count > 0 ||
						   (namespaces && zs_policy_gives_up(policy, ZS_PROMISE_SOCKETS))),
		.own_pids = namespaces,
		/* In a session other runs share the pid namespace. Landlock keeps them from being traced, but not their
		 * limits from being set. */
		.own_processes = namespaces && !run->shared,
		.own_ipc = namespaces,
		.scoped = run->scoped,
		.root_user = policy->root_user,
		.users = policy->users,
		.broker = broker,
		.told = told,
	};
}

/* Is the filter enforced? A seccomp filter of the caller may fake the success of seccomp(2). Our filter refuses this
 * request; without it the kernel answers EBADF for descriptor -1. */
static bool is_installed(bool told)
{
	enum { BTRFS_REQUEST = 0x9400 };

	return syscall(SYS_ioctl, -1, BTRFS_REQUEST, NULL) < 0 && errno == (told ? ENOSYS : EPERM);
}

/* Once the other process has received a notification, only a deadly signal ends the caller's wait: otherwise a signal
 * could make the caller connect twice. */
int zs_seccomp_listen(const struct sock_filter *code, size_t count)
{
	const unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
	struct sock_fprog program = { (unsigned short)count, (struct sock_filter *)(uintptr_t)code };
	long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);

	return listener < 0 ? -errno : (int)listener;
}

/* The init answers. */
static int install_brokered(const struct zs_run *run, struct sock_filter *code, size_t count)
{
	ZS_AUTO_FD int listener = zs_seccomp_listen(code, count);

	return listener < 0 ? listener : zs_result_send(run->init, 0, listener);
}

static int build_and_install(const struct zs_run *run, bool broker, bool told, const char **ret_object)
{
	const struct zs_seccomp_options options = options_for(run, broker, told);
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int r = zs_seccomp_filter(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);

	*ret_object = r < 0 ? "filter" : "";
	if (r < 0)
		return r;
	return broker && !told ? install_brokered(run, code, (size_t)r) : zs_seccomp_install(code, (size_t)r);
}

static bool has_broker(const struct zs_run *run)
{
	return run->policy->tier == ZS_TIER_MOUNTS && !run->shared && zs_policy_has_broker(run->policy);
}

bool zs_observes(const struct zs_run *run)
{
	return run->denials >= 0 && run->policy->tier == ZS_TIER_MOUNTS && !run->shared &&
	       zs_policy_shows_proc(run->policy);
}

int zs_seccomp_refusing(const struct zs_run *run, struct sock_filter *code)
{
	const struct zs_seccomp_options options = options_for(run, false, false);

	return zs_seccomp_filter(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);
}

int zs_seccomp_observing(const struct zs_run *run, struct sock_filter *code)
{
	struct zs_seccomp_options options = options_for(run, false, false);

	options.connections = true;
	return zs_seccomp_observer(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);
}

int zs_stage_seccomp(struct zs_run *run, struct zs_error *error)
{
	bool expected = has_broker(run), broker = expected && zs_may_take_descriptors();
	bool told = zs_observes(run) || run->collects;
	const char *object;
	int r = build_and_install(run, broker, told, &object);

	/* A filter around zs has a listener, and the kernel allows one. Then the command makes no Unix sockets, as
	 * where Yama keeps the broker from taking them. */
	if (r == -EBUSY && broker && run->policy->sockets.count == 0) {
		broker = false;
		r = build_and_install(run, false, told, &object);
	}
	if (r == 0 && expected && !broker && !told)
		r = zs_result_send(run->init, 0, -1);
	if (r == 0 && !is_installed(told))
		return zs_error_say(error, "", "", EPERM, "the filter is not in effect");
	return r < 0 ? zs_error_hint(error, zs_error_errno(error, "", object, -r), "see 'zs doctor'") : 0;
}

/* Installs the observer's filter, and gives the init its listener, behind the program by which the init answers. */
static int install_observer(const struct zs_run *run, bool broker)
{
	const struct zs_seccomp_options options = options_for(run, broker, false);
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int r = zs_seccomp_filter(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);

	if (r >= 0)
		r = zs_fds_send(run->init, code, (size_t)r * sizeof *code, NULL, 0);
	if (r == 0)
		r = zs_seccomp_observer(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);
	return r < 0 ? r : install_brokered(run, code, (size_t)r);
}

/* A second filter, of the command alone: the watch makes these calls even when there is no init any more to answer. The
 * kernel allows one listener, so this one is the broker's as well.
 *
 * A call that seccomp refuses has no errno of the kernel's own then: the first filter leaves it to the listener, and
 * the init refuses it. Where nobody listens, the kernel does, with ENOSYS. */
int zs_stage_observe(struct zs_run *run, struct zs_error *error)
{
	bool may = zs_may_take_descriptors(), broker = has_broker(run) && may;
	const char *object = "";
	int none, r;

	if (!zs_observes(run))
		return 0;
	/* The observer could not read the command's memory either. */
	r = may ? install_observer(run, broker) : -EBUSY;
	/* As in zs_stage_seccomp(). */
	if (r == -EBUSY && (!broker || run->policy->sockets.count == 0)) {
		r = build_and_install(run, false, false, &object);
		if (r == 0)
			r = zs_result_send(run->init, 0, -1);
	}
	if (r == 0)
		r = zs_result_receive(run->init, &none);
	return r < 0 ? zs_error_errno(error, "", object, -r) : 0;
}
