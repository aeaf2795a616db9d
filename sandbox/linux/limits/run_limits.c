#include "linux/limits/run_limits.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "linux/base/process_calls.h"

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

void zs_run_limits_begin(
	struct zs_run_limits *limits, const struct zs_policy *policy, const struct zs_run_cgroups *cgroups)
{
	uint64_t wall = zs_policy_limit(policy, ZS_LIMIT_WALL);

	*limits = (struct zs_run_limits){ .policy = policy, .cgroups = *cgroups };
	/* ZS_POLICY_SECONDS_MAX keeps the product in range. */
	limits->deadline = wall ? zs_now_ms() + (int64_t)wall * 1000 : INT64_MAX;
	limits->cpu_check = cgroups->usage >= 0 ? next_cpu_check(limits, 0) : INT64_MAX;
}

void zs_run_backstop_begin(struct zs_run_backstop *backstop, const struct zs_policy *policy)
{
	enum { LATER_MS = 50 };
	uint64_t wall = zs_policy_limit(policy, ZS_LIMIT_WALL);

	backstop->deadline = wall ? zs_now_ms() + (int64_t)wall * 1000 + LATER_MS : INT64_MAX;
}

/* The milliseconds until the deadline, as poll(2) takes them; -1: there is none. */
static int ms_until(int64_t deadline)
{
	int64_t left;

	if (deadline == INT64_MAX)
		return -1;
	left = deadline - zs_now_ms();
	if (left < 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

int zs_run_backstop_timeout(const struct zs_run_backstop *backstop)
{
	return ms_until(backstop->deadline);
}

int zs_run_limits_timeout(const struct zs_run_limits *limits)
{
	return ms_until(limits->deadline < limits->cpu_check ? limits->deadline : limits->cpu_check);
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
	if (zs_cgroup_usage(limits->cgroups.usage, limits->cgroups.usage_v2, &used) == 0 &&
		used / 1000000 > zs_policy_limit(limits->policy, ZS_LIMIT_CPU))
		return exceed(limits, ZS_LIMIT_CPU);
	limits->cpu_check = next_cpu_check(limits, used);
	return false;
}

/* The command can make this process stop while it runs on: the terminal stops one process group, and the command may
 * have processes in other sessions. So this process stops only with a timer set to continue it, and not so short before
 * the deadline that the timer might expire first. */
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
	return zs_run_cgroups_reached(&limits->cgroups, limits->policy, limit);
}

void zs_run_limits_end(struct zs_run_limits *limits, int status, const struct rusage *usage)
{
	int code = zs_exit_code(status);

	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++)
		if (reached(limits, limit, code, usage))
			say_reached(limits, limit);
	zs_run_cgroups_end(&limits->cgroups);
}
