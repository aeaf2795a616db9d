/* Finds which features this machine has by using each of them in a child process, which reports through shared
 * memory. */
#include "zs_sandbox.h"

#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/features/features.h"
#include "linux/base/landlock_rights.h"
#include "linux/files/overlay_mount.h"
#include "linux/base/namespace_calls.h"
#include "linux/base/process_calls.h"
#include "linux/base/users.h"
#include "linux/limits/run_limits.h"
#include "linux/locks/locks.h"

#define ALLOW_USERNS "allow unprivileged user namespaces; " ZS_IN_DOCKER

/* Either plain() or attempt() tries the feature, and returns 0 or a negative errno. attempt() may write feature->detail
 * and feature->fix. The child runs the attempts in the order of the table; each builds on the changes that earlier ones
 * have made to the child, such as its namespaces. */
struct probe {
	int (*plain)(void);
	int (*attempt)(struct zs_feature *feature);
	const char *fix;          /* advice, unless the attempt writes feature->fix */
	enum zs_feature_id needs; /* the namespace in which this is tried; 0: none */
	const char *fix_needs;    /* advice when that is missing; NULL: fix */
	bool explained;           /* a namespace: zs_namespace_explain() says why it was refused */
};

static void detail(struct zs_feature *feature, const char *text)
{
	snprintf(feature->detail, sizeof feature->detail, "%s", text);
}

static void fix(struct zs_feature *feature, const char *text)
{
	snprintf(feature->fix, sizeof feature->fix, "%s", text);
}

bool zs_is_shortage(int cause)
{
	return cause == EMFILE || cause == ENFILE || cause == ENOMEM || cause == EAGAIN;
}

static int try_proc(void)
{
	char target[PATH_MAX];

	return readlink("/proc/self/exe", target, sizeof target) < 0 ? -errno : 0;
}

static int try_close_range(void)
{
	return syscall(SYS_close_range, UINT_MAX, UINT_MAX, 0u) < 0 ? -errno : 0;
}

/* Has the kernel at least this ABI of Landlock? */
static int try_landlock_abi(struct zs_feature *feature, int needed)
{
	int abi = zs_landlock_abi();

	if (abi == -EOPNOTSUPP) {
		detail(feature, "switched off when this kernel was booted");
		fix(feature, "add landlock to the kernel parameter lsm=");
	}
	if (abi < 0)
		return abi;
	snprintf(feature->detail, sizeof feature->detail, "ABI %d%s", abi,
		abi < ZS_LANDLOCK_ABI_SOCKETS ? "; ABI 9 tells unix sockets apart by path"
		: abi < ZS_LANDLOCK_ABI_UDP   ? "; without namespaces, ABI 10 holds inherited UDP sockets too"
					      : "");
	if (abi >= needed)
		return 0;
	snprintf(feature->detail, sizeof feature->detail, "this kernel has Landlock ABI %d, and ABI %d is needed", abi,
		needed);
	return -EOPNOTSUPP;
}

static int try_landlock(struct zs_feature *feature)
{
	return try_landlock_abi(feature, ZS_LANDLOCK_ABI_TRUNCATE);
}

static int try_scopes(struct zs_feature *feature)
{
	return try_landlock_abi(feature, ZS_LANDLOCK_ABI_SCOPES);
}

/* Also installs a filter, since a container's filter may forbid that. It lets all calls pass, so that the next probes
 * work. Installing it needs no_new_privs, which the probe before has set. */
static int try_seccomp(void)
{
	static const uint32_t actions[] = { SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS };
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

	for (size_t i = 0; i < ZS_COUNT(actions); i++)
		if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &actions[i]) != 0)
			return -errno;
	return zs_seccomp_install(&allow, 1);
}

static int try_user_namespace(struct zs_feature *feature)
{
	const char *object;
	int r = zs_namespaces_enter(CLONE_NEWUSER, geteuid(), getegid(), &object);

	if (r < 0)
		snprintf(feature->detail, sizeof feature->detail, "%s: %s", object, strerror(-r));
	return r;
}

static int try_ipc_namespace(struct zs_feature *feature)
{
	int r = unshare(CLONE_NEWIPC) < 0 ? -errno : 0;

	if (r == -EPERM) /* the usual advice is another kernel, which would not help here */
		fix(feature, ALLOW_USERNS);
	return r;
}

static int try_network_namespace(void)
{
	return unshare(CLONE_NEWNET) < 0 ? -errno : 0;
}

static int try_process_limit(struct zs_feature *feature)
{
	int r = zs_process_limit_try();

	if (r == -EOPNOTSUPP) {
		detail(feature, "the kernel exempts uid 0");
		fix(feature, "run it as an ordinary user");
	}
	return r;
}

/* Tries a pid namespace and a proc mount in it at once. try_proc_mount() returns the second result. */
static int try_pid_namespace(struct zs_feature *feature)
{
	return zs_try_pids(&feature[ZS_FEATURE_PROC_MOUNT - ZS_FEATURE_PID_NAMESPACE].cause);
}

static int try_proc_mount(struct zs_feature *feature)
{
	return feature->cause;
}

/* A process limit is tried in a user namespace: outside, the user's other processes count, and capabilities exempt from
 * it. Loopback is tried in a new network: in the machine's, lo is up already, and raising it would prove nothing. The
 * features without a row are found by zs_features_limits(), outside of the child. */
static const struct probe probes[ZS_FEATURE_COUNT] = {
	[ZS_FEATURE_PROC] = { .plain = try_proc, .fix = "mount proc on /proc" },
	[ZS_FEATURE_CLOSE_RANGE] = { .plain = try_close_range, .fix = ZS_NEW_KERNEL },
	[ZS_FEATURE_LANDLOCK] = { .attempt = try_landlock, .fix = ZS_NEW_KERNEL " with CONFIG_SECURITY_LANDLOCK=y" },
	[ZS_FEATURE_LANDLOCK_SCOPES] = { .attempt = try_scopes,
		.fix = "use Linux 6.12 or newer with CONFIG_SECURITY_LANDLOCK=y" },
	[ZS_FEATURE_NO_NEW_PRIVS] = { .plain = zs_no_new_privs_set, .fix = ZS_NEW_KERNEL },
	[ZS_FEATURE_SECCOMP] = { .plain = try_seccomp, .fix = ZS_NEW_KERNEL " with CONFIG_SECCOMP_FILTER=y" },
	[ZS_FEATURE_USER_NAMESPACE] = { .attempt = try_user_namespace, .fix = ALLOW_USERNS, .explained = true },
	[ZS_FEATURE_IPC_NAMESPACE] = { .attempt = try_ipc_namespace,
		.fix = ZS_NEW_KERNEL " with CONFIG_IPC_NS=y",
		.explained = true },
	[ZS_FEATURE_NETWORK_NAMESPACE] = { .plain = try_network_namespace, .fix = ALLOW_USERNS, .explained = true },
	[ZS_FEATURE_LOOPBACK] = { .plain = zs_loopback_up,
		.fix = "get a user and a network namespace first",
		.needs = ZS_FEATURE_NETWORK_NAMESPACE },
	[ZS_FEATURE_PROCESS_LIMIT] = { .attempt = try_process_limit,
		.fix = "get a user namespace first",
		.needs = ZS_FEATURE_USER_NAMESPACE },
	[ZS_FEATURE_OVERLAY] = { .plain = zs_overlay_try,
		.fix = "use a kernel with CONFIG_OVERLAY_FS and CONFIG_TMPFS_XATTR, and allow mounts in user "
		       "namespaces; or do without it: --without overlay",
		.needs = ZS_FEATURE_USER_NAMESPACE },
	[ZS_FEATURE_MOUNT_NAMESPACE] = { .plain = zs_try_mounts,
		.fix = ALLOW_USERNS,
		.needs = ZS_FEATURE_USER_NAMESPACE,
		.explained = true },
	[ZS_FEATURE_PID_NAMESPACE] = { .attempt = try_pid_namespace,
		.fix = ALLOW_USERNS,
		.needs = ZS_FEATURE_USER_NAMESPACE,
		.explained = true },
	[ZS_FEATURE_PROC_MOUNT] = { .attempt = try_proc_mount,
		.fix = "uncover the machine's /proc; " ZS_IN_DOCKER,
		.needs = ZS_FEATURE_PID_NAMESPACE,
		.fix_needs = "get a pid namespace first" },
};

static const struct {
	const char *name, *needed_by;
} names[ZS_FEATURE_COUNT] = {
#define X(id, name, needed_by) [ZS_FEATURE_##id] = { name, needed_by },
	ZS_FEATURES(X)
#undef X
};

static struct zs_feature unknown(size_t id)
{
	return (struct zs_feature){ .name = names[id].name, .needed_by = names[id].needed_by };
}

/* This memory is shared between the child and the caller, even when the rest is not. */
struct shared {
	uint32_t skipped; /* bits 1 << ZS_FEATURE_… */
	struct zs_feature features[ZS_FEATURE_COUNT];
};

/* Fills in the result of an attempt. A detail or fix that the attempt has written stays. */
static void conclude(struct zs_feature *feature, const char *usual_fix, int result)
{
	feature->present = result == 0;
	feature->cause = -result;
	if (result < 0 && !feature->detail[0])
		detail(feature, strerror(-result));
	if (zs_is_shortage(-result))
		fix(feature, "close descriptors or free memory, and try again");
	else if (result == -ENOSYS && !strstr(usual_fix, "use Linux"))
		fix(feature, ZS_NEW_KERNEL "; " ZS_IN_DOCKER);
	else if (result < 0 && !feature->fix[0])
		fix(feature, usual_fix);
}

/* On Ubuntu the user namespace can be made, but forbids the others. */
static void settle(enum zs_feature_id id, struct zs_feature *feature, int result)
{
	if (probes[id].explained && result < 0 && !zs_is_shortage(-result))
		zs_namespace_explain(feature, -result);
	conclude(feature, probes[id].fix, result);
}

void zs_feature_absent(enum zs_feature_id id, int cause, struct zs_feature *ret_feature)
{
	*ret_feature = unknown(id);
	settle(id, ret_feature, -cause);
}

static void run_probe(struct shared *shared, enum zs_feature_id id)
{
	const struct probe *probe = &probes[id];
	const struct zs_feature *needed = &shared->features[probe->needs];
	struct zs_feature *feature = &shared->features[id];

	if (shared->skipped >> id & 1 || (!probe->plain && !probe->attempt)) {
		conclude(feature, "", -ECANCELED);
	} else if (probe->needs && !needed->present) {
		snprintf(feature->detail, sizeof feature->detail, "there is no %.*s namespace to try it in",
			(int)strcspn(needed->name, "-"), needed->name);
		conclude(feature, probe->fix_needs ? probe->fix_needs : probe->fix, -EOPNOTSUPP);
	} else {
		settle(id, feature, probe->plain ? probe->plain() : probe->attempt(feature));
	}
}

static int probe_child(void *arg)
{
	struct shared *shared = arg;

	/* This changes only the child: run_child() shares this memory with the host only if the host is dumpable. */
	if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1)
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	for (enum zs_feature_id id = 0; id < ZS_FEATURE_COUNT; id++)
		run_probe(shared, id);
	/* The C library's clone(3) passes this to _exit(2), so no atexit handler of the host runs. */
	return 0;
}

/* Runs the probes in a child that shares our memory, since a fork would copy the page tables of a host that may be
 * large. All signals are blocked meanwhile, so that the child runs none of the host's signal handlers. One case needs a
 * copy: a process that has changed its uid is not dumpable and does not own its /proc/self (man 5 proc, "dumpable").
 * The child then makes itself dumpable, which must not change the host. (The shim has become dumpable by its exec.) */
static int run_child(struct shared *shared)
{
	enum { STACK_BYTES = 64 * 1024 };
	int share = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1 ? CLONE_VM : 0;
	ZS_AUTO_FREE char *stack = NULL;
	sigset_t all, old;
	int pid, status, r;

	/* The stack of x86_64 and aarch64 grows down, and is aligned to 16 bytes. */
	if (posix_memalign((void **)&stack, 16, STACK_BYTES) != 0)
		return -ENOMEM;
	sigfillset(&all);
	r = pthread_sigmask(SIG_BLOCK, &all, &old);
	if (r != 0)
		return -r;
	pid = clone(probe_child, stack + STACK_BYTES, share | CLONE_VFORK, shared);
	if (pid < 0)
		pid = -errno;
	/* Fails if the mask is not restored: a command that starts with every signal blocked could not be ended by
	 * SIGTERM. */
	r = pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return pid;
	/* The clone flags name no signal, so the host gets no SIGCHLD, and its own waitpid() does not see this child.
	 */
	while (waitpid(pid, &status, (int)__WCLONE) < 0)
		if (errno != EINTR)
			return -errno;
	if (r != 0)
		return -r;
	return status == 0 ? 0 : -ECHILD;
}

static int probe(uint32_t skipped, struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	size_t size = sizeof(struct shared);
	struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r;

	if (shared == MAP_FAILED)
		return -errno;
	shared->skipped = skipped;
	for (size_t i = 0; i < ZS_FEATURE_COUNT; i++)
		shared->features[i] = unknown(i);
	r = run_child(shared);
	if (r == 0)
		memcpy(ret_features, shared->features, sizeof shared->features);
	munmap(shared, size);
	return r;
}

void zs_features_probe_but(uint32_t skipped, struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	int r = probe(skipped, ret_features);

	for (size_t i = 0; r < 0 && i < ZS_FEATURE_COUNT; i++) {
		ret_features[i] = unknown(i);
		ret_features[i].cause = EAGAIN; /* a shortage: nothing is known, so no weaker tier is chosen */
		detail(&ret_features[i], "the probe could not run");
		fix(&ret_features[i], "let this process start other processes");
	}
	if (!(skipped & ZS_FEATURES_OF_CGROUPS))
		zs_features_limits(ret_features);
}

static void probe_socket_broker(struct zs_feature *feature)
{
	bool may = zs_may_take_descriptors();

	*feature = unknown(ZS_FEATURE_SOCKET_BROKER);
	if (!may)
		detail(feature, ZS_YAMA_SCOPE " is 3");
	conclude(feature, "set it below 3 in /etc/sysctl.d, and restart the machine", may ? 0 : -EPERM);
}

/* Only looks for the ids and the programs: a run tells whether these work. */
static void probe_subordinate_ids(struct zs_feature *feature)
{
	struct zs_error error;
	int r = zs_users_check(&error);

	*feature = unknown(ZS_FEATURE_SUBORDINATE_IDS);
	if (r < 0) {
		snprintf(feature->detail, sizeof feature->detail, "%.40s: %.100s", error.object, error.what);
		fix(feature, error.hint);
	}
	conclude(feature, "", r);
}

void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	zs_features_probe_but(0, ret_features);
	probe_socket_broker(&ret_features[ZS_FEATURE_SOCKET_BROKER]);
	probe_subordinate_ids(&ret_features[ZS_FEATURE_SUBORDINATE_IDS]);
}
