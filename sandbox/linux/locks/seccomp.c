/* Installs the seccomp filter (man 2 seccomp). It refuses calls that the other stages leave open, and parts of the
 * kernel that no command of an agent needs. seccomp_calls.h and seccomp_filter.c list them, with reasons. */
#include <errno.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/locks/seccomp_filter.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"

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
 * are beyond namespaces, read-only mounts, and Landlock before ABI 9, so a command without granted sockets cannot make
 * any in either tier. If the promise is waived, it can in the mount tier: tmux, postgres, Python's managers and gpg's
 * agent talk to themselves by such sockets. */
static struct zs_seccomp_options options_for(const struct zs_run *run)
{
	const struct zs_policy *policy = run->policy;
	bool namespaces = policy->tier == ZS_TIER_MOUNTS;

	return (struct zs_seccomp_options){
		.inet = namespaces || policy->network == ZS_NETWORK_FULL,
		.unix_sockets = policy->sockets.count > 0 || (namespaces && policy->without >> ZS_PROMISE_SOCKETS & 1),
		.own_pids = namespaces,
		/* In a session other runs share the pid namespace. Landlock keeps them from being traced, but not their
		 * limits from being set. */
		.own_processes = namespaces && !run->shared,
		.own_ipc = namespaces,
		.scoped = run->scoped,
	};
}

/* Is the filter enforced? A seccomp filter of the caller may fake the success of seccomp(2). Our filter answers EPERM
 * to this request; without it the kernel answers EBADF for descriptor -1. */
static bool is_installed(void)
{
	enum { BTRFS_REQUEST = 0x9400 };

	return syscall(SYS_ioctl, -1, BTRFS_REQUEST, NULL) < 0 && errno == EPERM;
}

int zs_stage_seccomp(struct zs_run *run, struct zs_error *error)
{
	const struct zs_seccomp_options options = options_for(run);
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int r = zs_seccomp_filter(OWN_ARCH, &options, code, ZS_SECCOMP_FILTER_MAX);

	if (r < 0)
		return zs_error_errno(error, "", "filter", -r);
	r = zs_seccomp_install(code, (size_t)r);
	if (r == 0 && !is_installed())
		return zs_error_say(error, "", "", EPERM, "the filter is not in effect");
	return r < 0 ? zs_error_hint(error, zs_error_errno(error, "", "", -r), "see 'zs doctor'") : 0;
}
