#include "linux/limits/run_limits.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "linux/base/process_calls.h"

/* The watch and the init, which are in the cgroup, too. */
enum { OURS = 2 };

/* The files that are written. Without memory.swap.max a run would go on in swap; without memory.oom.group it would go
 * on without its largest process. */
static const struct setting {
	enum zs_limit limit;
	enum zs_hierarchy hierarchy;
	const char *file;
	const char *text; /* NULL: the limit's value */
	bool optional;    /* the file is absent when the kernel does not count swap */
} settings[] = {
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory.max", NULL, false },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory.swap.max", "0", true },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory.oom.group", "1", false },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, "memory.limit_in_bytes", NULL, false },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, "memory.memsw.limit_in_bytes", NULL, true },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_V2, "pids.max", NULL, false },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_PIDS, "pids.max", NULL, false },
};

/* A limit has been reached when all of its signs say so. One sign is not enough: a process may also be killed, or a
 * fork fail, for the limit of a cgroup above ours. */
static const struct sign {
	enum zs_limit limit;
	enum zs_hierarchy hierarchy;
	const char *file, *key;
	unsigned percent; /* the least number, in percent of the limit; 0: the least number is 1 */
} signs[] = {
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory.events", "oom_kill", 0 },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_V2, "memory.events", "oom", 0 },
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, "memory.oom_control", "oom_kill", 0 },
	/* The peak stays below the limit by the pages that were refused. memory.failcnt stays 0 in Linux 6.18. */
	{ ZS_LIMIT_MEMORY, ZS_HIERARCHY_MEMORY, "memory.max_usage_in_bytes", NULL, 90 },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_V2, "pids.events", "max", 0 },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_V2, "pids.peak", NULL, 100 },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_PIDS, "pids.events", "max", 0 },
	{ ZS_LIMIT_PROCESSES, ZS_HIERARCHY_PIDS, "pids.peak", NULL, 100 },
};

static uint64_t value_of(const struct zs_policy *policy, enum zs_limit limit)
{
	return zs_policy_limit(policy, limit) + (limit == ZS_LIMIT_PROCESSES ? OURS : 0);
}

/* *ret_file: the file that could not be written. */
static int set_limits(const struct zs_cgroup *cgroup, enum zs_hierarchy hierarchy, uint32_t held,
	const struct zs_policy *policy, const char **ret_file)
{
	for (size_t i = 0; i < ZS_COUNT(settings); i++) {
		const struct setting *setting = &settings[i];
		char number[24];
		int r;

		if (setting->hierarchy != hierarchy || !(held & ZS_LIMIT_BIT(setting->limit)))
			continue;
		snprintf(number, sizeof number, "%" PRIu64, value_of(policy, setting->limit));
		r = zs_cgroup_write(cgroup, setting->file, setting->text ? setting->text : number);
		*ret_file = setting->file;
		if (r < 0 && !(setting->optional && r == -ENOENT))
			return r;
	}
	return 0;
}

static int make_cgroup(struct zs_run_cgroups *all, const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy,
	uint32_t wanted, const struct zs_policy *policy, const char **ret_object)
{
	struct zs_cgroup *cgroup = &all->cgroups[hierarchy];
	struct zs_cgroup_choice choice;
	int r = wanted ? zs_cgroup_choose(self, hierarchy, wanted, &choice) : -ENOENT;
	struct stat st;

	*ret_object = "cgroup";
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = zs_cgroup_make(choice.parent, cgroup);
	if (r < 0) {
		close(choice.parent);
		return r == -ENOENT ? 0 : r;
	}
	if (fstat(choice.parent, &st) < 0)
		return -errno;
	if (!(st.st_mode & S_IWUSR))
		all->capabilities = UINT32_C(1) << CAP_DAC_OVERRIDE;
	all->holds[hierarchy] = choice.held;
	all->held |= choice.held;
	return set_limits(cgroup, hierarchy, choice.held, policy, ret_object);
}

struct zs_run_cgroups zs_run_cgroups_none(void)
{
	struct zs_run_cgroups none = { 0 };

	for (int h = 0; h < ZS_HIERARCHY_COUNT; h++)
		none.cgroups[h] = ZS_CGROUP_NONE;
	return none;
}

int zs_run_cgroups_make(const struct zs_policy *policy, struct zs_run_cgroups *ret_cgroups, struct zs_error *error)
{
	struct zs_run_cgroups all = zs_run_cgroups_none();
	const char *object;
	uint32_t wanted = 0;
	struct zs_cgroup_self self;
	int r;

	for (enum zs_limit i = 0; i < ZS_LIMIT_COUNT; i++)
		wanted |= zs_policy_limit(policy, i) ? ZS_LIMIT_BIT(i) & zs_cgroup_limits : 0;
	if (!wanted) {
		*ret_cgroups = all;
		return 0;
	}
	r = zs_cgroup_self_read(&self, &object);
	if (r < 0)
		return zs_error_errno(error, "", object, -r);
	for (enum zs_hierarchy h = 0; r == 0 && h < ZS_HIERARCHY_COUNT; h++)
		r = make_cgroup(&all, &self, h, wanted & ~all.held, policy, &object);
	zs_cgroup_self_free(&self);
	if (r < 0) {
		zs_run_cgroups_end(&all);
		return zs_error_errno(error, "", object, -r);
	}
	*ret_cgroups = all;
	return 0;
}

pid_t zs_run_cgroups_fork(struct zs_run_cgroups *cgroups)
{
	const struct zs_cgroup *v2 = &cgroups->cgroups[ZS_HIERARCHY_V2];
	pid_t pid;

	if (v2->fd >= 0) {
		cgroups->forked_into = true;
		pid = zs_cgroup_fork(v2);
		/* Docker's seccomp profile answers ENOSYS to clone3(2), whose arguments a filter cannot see. */
		if (pid != -ENOSYS)
			return pid;
		cgroups->forked_into = false;
	}
	return zs_fork(0, NULL);
}

int zs_run_cgroups_join(struct zs_run_cgroups *cgroups, struct zs_error *error)
{
	for (enum zs_hierarchy h = 0; h < ZS_HIERARCHY_COUNT; h++) {
		struct zs_cgroup *cgroup = &cgroups->cgroups[h];
		bool inside = h == ZS_HIERARCHY_V2 && cgroups->forked_into;
		/* "0" names the writing process in every pid namespace. */
		int r = cgroup->fd < 0 || inside ? 0 : zs_cgroup_write(cgroup, "cgroup.procs", "0");

		zs_cgroup_close(cgroup);
		if (r < 0)
			return zs_error_errno(error, "", "cgroup.procs", -r);
	}
	return 0;
}

/* Has the kernel refused the run something because of this limit? */
static bool cgroups_reached(const struct zs_run_cgroups *cgroups, const struct zs_policy *policy, enum zs_limit limit)
{
	bool reached = false;

	for (size_t i = 0; i < ZS_COUNT(signs); i++) {
		const struct sign *sign = &signs[i];
		const struct zs_cgroup *cgroup = &cgroups->cgroups[sign->hierarchy];
		uint64_t number, value = value_of(policy, limit);
		uint64_t least = sign->percent ? value / 100 * sign->percent + value % 100 * sign->percent / 100 : 1;

		if (sign->limit != limit || !(cgroups->holds[sign->hierarchy] & ZS_LIMIT_BIT(limit)))
			continue;
		if (zs_cgroup_number(cgroup, sign->file, sign->key, &number) < 0 || number < least)
			return false;
		reached = true;
	}
	return reached;
}

/* Reads the processor time of all processes that are or were in the cgroup that holds its limit. */
static int read_usage(const struct zs_run_cgroups *cgroups, uint64_t *ret_microseconds)
{
	bool v2 = cgroups->holds[ZS_HIERARCHY_V2] & ZS_LIMIT_BIT(ZS_LIMIT_CPU);
	int r = zs_cgroup_number(&cgroups->cgroups[v2 ? ZS_HIERARCHY_V2 : ZS_HIERARCHY_CPUACCT],
		v2 ? "cpu.stat" : "cpuacct.usage", v2 ? "usage_usec" : NULL, ret_microseconds);

	if (r == 0 && !v2)
		*ret_microseconds /= 1000; /* version 1 counts nanoseconds */
	return r;
}

void zs_run_cgroups_kill(const struct zs_run_cgroups *cgroups)
{
	const struct zs_cgroup *v2 = &cgroups->cgroups[ZS_HIERARCHY_V2];

	if (v2->fd >= 0 && zs_cgroup_write(v2, "cgroup.kill", "1") < 0) {
		/* Before Linux 5.14 there is no cgroup.kill: the caller ends the run in other ways next. */
	}
}

void zs_run_cgroups_end(struct zs_run_cgroups *cgroups)
{
	for (int h = 0; h < ZS_HIERARCHY_COUNT; h++)
		zs_cgroup_remove(&cgroups->cgroups[h]);
}

/* The supervisor's part */

#define WORD(id, name, word, unit, text) [ZS_LIMIT_##id] = word,
static const char *const words[] = { ZS_LIMITS(WORD) };

static void say_reached(struct zs_run_limits *limits, enum zs_limit limit)
{
	char value[32];

	limits->said |= ZS_LIMIT_BIT(limit);
	zs_policy_limit_text(limits->policy, limit, value, sizeof value);
	zs_notice("zs: %s limit %s reached", words[limit], value);
}

/* The earliest time at which the run can have used up its limit on all processors at once. used: microseconds so far.
 */
static int64_t next_cpu_check(const struct zs_run_limits *limits, uint64_t used)
{
	enum { LEAST_MS = 10, MOST_MS = 1000 };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t left = (int64_t)(zs_policy_limit(limits->policy, ZS_LIMIT_CPU) + 1) * 1000 - (int64_t)(used / 1000);

	left = left / (processors > 0 ? processors : 1) + 1;
	if (left < LEAST_MS)
		left = LEAST_MS;
	return zs_now_ms() + (left < MOST_MS ? left : MOST_MS);
}

static int64_t wall_deadline(const struct zs_policy *policy, int64_t later)
{
	uint64_t wall = zs_policy_limit(policy, ZS_LIMIT_WALL);

	/* ZS_POLICY_SECONDS_MAX keeps the product in range. */
	return wall ? zs_now_ms() + (int64_t)wall * 1000 + later : INT64_MAX;
}

void zs_run_limits_begin(
	struct zs_run_limits *limits, const struct zs_policy *policy, const struct zs_run_cgroups *cgroups)
{
	*limits = (struct zs_run_limits){ .policy = policy, .cgroups = *cgroups };
	limits->deadline = wall_deadline(policy, 0);
	limits->cpu_check = cgroups->held & ZS_LIMIT_BIT(ZS_LIMIT_CPU) ? next_cpu_check(limits, 0) : INT64_MAX;
}

int64_t zs_run_backstop(const struct zs_policy *policy)
{
	enum { LATER_MS = 50 };

	return wall_deadline(policy, LATER_MS);
}

int zs_ms_until(int64_t deadline)
{
	int64_t left;

	if (deadline == INT64_MAX)
		return -1;
	left = deadline - zs_now_ms();
	if (left < 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

int64_t zs_run_limits_next(const struct zs_run_limits *limits)
{
	return limits->deadline < limits->cpu_check ? limits->deadline : limits->cpu_check;
}

static bool exceed(struct zs_run_limits *limits, enum zs_limit limit)
{
	say_reached(limits, limit);
	limits->deadline = limits->cpu_check = INT64_MAX;
	return true;
}

bool zs_run_limits_exceeded(struct zs_run_limits *limits)
{
	uint64_t used = 0;

	if (limits->deadline != INT64_MAX && zs_now_ms() >= limits->deadline)
		return exceed(limits, ZS_LIMIT_WALL);
	if (limits->cpu_check == INT64_MAX || zs_now_ms() < limits->cpu_check)
		return false;
	/* The run is ended a second late, as a single process is (rows of limits.c), since SIGXCPU at the limit may be
	 * caught. A failed read is tried again at the next check. */
	if (read_usage(&limits->cgroups, &used) == 0 && used / 1000000 > zs_policy_limit(limits->policy, ZS_LIMIT_CPU))
		return exceed(limits, ZS_LIMIT_CPU);
	limits->cpu_check = next_cpu_check(limits, used);
	return false;
}

/* The command can make this process stop while it runs on: the terminal stops one process group, and the command may
 * have processes in other sessions. So this process sets a timer that continues it. Shortly before the deadline it does
 * not stop, since the timer might expire before the stop. */
void zs_run_limits_stop(const struct zs_run_limits *limits)
{
	enum { LEAST_MS = 1000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT };
	const struct itimerspec end = {
		.it_value = { .tv_sec = limits->deadline / 1000, .tv_nsec = limits->deadline % 1000 * 1000000 },
	};
	timer_t timer;

	if (limits->deadline == INT64_MAX) {
		kill(getpid(), SIGSTOP);
		return;
	}
	if (limits->deadline - zs_now_ms() < LEAST_MS || timer_create(CLOCK_MONOTONIC, &event, &timer) < 0)
		return;
	if (timer_settime(timer, TIMER_ABSTIME, &end, NULL) == 0)
		kill(getpid(), SIGSTOP);
	timer_delete(timer);
}

/* Did RLIMIT_CPU end the run? The kernel sends SIGXCPU at the soft limit and SIGKILL at the hard one, a second later.
 */
static bool cpu_reached(int code, const struct rusage *usage, uint64_t limit)
{
	uint64_t used = (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec);

	return code == 128 + SIGXCPU || (code == 128 + SIGKILL && used >= limit);
}

static bool reached(const struct zs_run_limits *limits, enum zs_limit limit, int code, const struct rusage *usage)
{
	uint64_t value = zs_policy_limit(limits->policy, limit);

	if (!value || (limits->said & ZS_LIMIT_BIT(limit)))
		return false;
	if (limit == ZS_LIMIT_CPU)
		return cpu_reached(code, usage, value);
	if (limit == ZS_LIMIT_FILE_SIZE)
		return code == 128 + SIGXFSZ;
	return cgroups_reached(&limits->cgroups, limits->policy, limit);
}

void zs_run_limits_end(struct zs_run_limits *limits, int status, const struct rusage *usage)
{
	int code = zs_exit_code(status);

	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		if (reached(limits, limit, code, usage))
			say_reached(limits, limit);
	zs_run_cgroups_end(&limits->cgroups);
}
