/* Sets the policy's limits with setrlimit(2) where no cgroup holds them (run_limits.c). They bind each process by
 * itself, except RLIMIT_NPROC: each user namespace has a count of its own (Linux 5.14), so it counts the run's
 * processes. The supervisor keeps the limit of the wall clock (run_limits.c). This stage is among the last, so that the
 * limits bind the command and not the stages: a limit of three descriptors would fail the landlock stage. */
#include "linux/base/stage.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/limits/cgroup.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/limits/run_limits.h"

#ifdef __GLIBC__
typedef __rlimit_resource_t resource_type; /* an enumeration there, an int in musl */
#else
typedef int resource_type;
#endif

/* Lowers a limit. One that ulimit has set lower already stays. */
static int lower_limit(resource_type resource, rlim_t soft, rlim_t hard)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -errno;
	if (limit.rlim_cur > soft)
		limit.rlim_cur = soft;
	if (limit.rlim_max > hard)
		limit.rlim_max = hard;
	return setrlimit(resource, &limit) < 0 ? -errno : 0;
}

static int limits_leave(void *arg)
{
	(void)arg;
	return 0;
}

int zs_process_limit_try(void)
{
	_Alignas(16) char stack[4096];
	struct rlimit old, own;
	int pid, cause;

	if (getrlimit(RLIMIT_NPROC, &old) < 0)
		return -errno;
	own = old;
	if (own.rlim_cur > 1)
		own.rlim_cur = 1;
	if (setrlimit(RLIMIT_NPROC, &own) < 0)
		return -errno;
	/* Shares the memory and waits, as vfork(2): copying a large host's page tables would cost more than all else.
	 */
	pid = clone(limits_leave, stack + sizeof stack, CLONE_VM | CLONE_VFORK, NULL);
	cause = errno;
	if (setrlimit(RLIMIT_NPROC, &old) < 0)
		return -errno;
	if (pid < 0)
		return cause == EAGAIN ? 0 : -cause;
	waitpid(pid, NULL, (int)__WCLONE);
	return -EOPNOTSUPP;
}

static int check_processes(const struct zs_run *run, struct zs_error *error)
{
	int r;

	if (run->policy->tier == ZS_TIER_LANDLOCK)
		return zs_error_say(
			error, "", "processes", EOPNOTSUPP, "RLIMIT_NPROC would count all processes of this user");
	if (run->policy->users) {
		zs_error_say(
			error, "", "processes", EOPNOTSUPP, "RLIMIT_NPROC would count each of the users by itself");
		return zs_error_hint(error, -EOPNOTSUPP,
			"run zs where it can make a cgroup ('zs doctor'), or leave the limit or --users out");
	}
	r = zs_process_limit_try();

	if (r != -EOPNOTSUPP)
		return r < 0 ? zs_error_errno(error, "", "processes", -r) : 0;
	zs_error_say(error, "", "processes", EOPNOTSUPP, "the kernel exempts uid 0");
	return zs_error_hint(error, r, "run it as an ordinary user");
}

static const struct {
	enum zs_limit limit;
	resource_type resource;
	rlim_t grace; /* added to the soft limit for the hard one */
	rlim_t ours;  /* added for the supervisor, the watch and the init */
} rows[] = {
	{ ZS_LIMIT_CPU, RLIMIT_CPU, 1, 0 }, /* SIGXCPU may be caught, SIGKILL a second later may not */
	{ ZS_LIMIT_MEMORY, RLIMIT_AS, 0, 0 },
	{ ZS_LIMIT_PROCESSES, RLIMIT_NPROC, 0, 3 },
	{ ZS_LIMIT_FILES, RLIMIT_NOFILE, 0, 0 },
	{ ZS_LIMIT_FILE_SIZE, RLIMIT_FSIZE, 0, 0 },
};

/* Must setrlimit(2) set this limit? A limit of processor time is always set, also where a cgroup counts the time:
 * RLIMIT_CPU ends only the process that uses too much. */
static bool asks(const struct zs_run *run, enum zs_limit limit)
{
	return zs_policy_limit(run->policy, limit) && (limit == ZS_LIMIT_CPU || !(run->held & ZS_LIMIT_BIT(limit)));
}

int zs_stage_limits(struct zs_run *run, struct zs_error *error)
{
	int r = asks(run, ZS_LIMIT_PROCESSES) ? check_processes(run, error) : 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		uint64_t soft = zs_policy_limit(run->policy, rows[i].limit) + rows[i].ours;

		r = asks(run, rows[i].limit) ? lower_limit(rows[i].resource, soft, soft + rows[i].grace) : 0;
		if (r < 0)
			return zs_error_errno(error, "", zs_limit_name(rows[i].limit), -r);
	}
	return 0;
}

enum { NO_DUMP_AT_ALL = 1 };

/* Turns core dumps off. A dump file would litter the workspace with the memory of the crashed process. Where
 * core_pattern names a program, as on most desktops, the kernel starts that program outside of the sandbox, as root,
 * and feeds it memory that the command controls. A limit of 0 stops only the file; a limit of exactly 1 byte stops the
 * program, too (fs/coredump.c). The seccomp stage keeps the command from changing the limit.
 *
 * A process with a hard limit of 0 cannot raise it to 1: then no file is written, but the program runs. */
int zs_stage_core_dumps(struct zs_run *run, struct zs_error *error)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY }, now = limit;

	(void)run;
	if (getrlimit(RLIMIT_CORE, &limit) < 0)
		return zs_error_errno(error, "", "getrlimit", errno);
	if (limit.rlim_max > NO_DUMP_AT_ALL)
		limit.rlim_max = NO_DUMP_AT_ALL;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_CORE, &limit) < 0)
		return zs_error_errno(error, "", "setrlimit", errno);
	/* A seccomp filter of the caller may fake the success. */
	if (getrlimit(RLIMIT_CORE, &now) < 0 || now.rlim_cur != limit.rlim_cur || now.rlim_max != limit.rlim_max)
		return zs_error_say(error, "", "setrlimit", EPERM, "has no effect");
	return 0;
}
