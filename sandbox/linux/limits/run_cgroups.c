#include "linux/limits/run_cgroups.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
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

static int make_one(struct zs_run_cgroups *all, const struct zs_cgroup_self *self, enum zs_hierarchy hierarchy,
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
	if (choice.held & ZS_LIMIT_BIT(ZS_LIMIT_CPU)) {
		all->usage_v2 = hierarchy == ZS_HIERARCHY_V2;
		all->usage = zs_cgroup_open_usage(cgroup, all->usage_v2);
		if (all->usage < 0)
			return all->usage;
	}
	return set_limits(cgroup, hierarchy, choice.held, policy, ret_object);
}

struct zs_run_cgroups zs_run_cgroups_none(void)
{
	struct zs_run_cgroups none = { .usage = -1 };

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
		r = make_one(&all, &self, h, wanted & ~all.held, policy, &object);
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
	if (cgroups->usage >= 0)
		close(cgroups->usage);
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

bool zs_run_cgroups_reached(const struct zs_run_cgroups *cgroups, const struct zs_policy *policy, enum zs_limit limit)
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

void zs_run_cgroups_kill(const struct zs_run_cgroups *cgroups)
{
	const struct zs_cgroup *v2 = &cgroups->cgroups[ZS_HIERARCHY_V2];

	if (v2->fd >= 0 && zs_cgroup_write(v2, "cgroup.kill", "1") < 0) {
		/* Before Linux 5.14 there is no cgroup.kill: the caller ends the run in other ways next. */
	}
}

void zs_run_cgroups_end(struct zs_run_cgroups *cgroups)
{
	if (cgroups->usage >= 0)
		close(cgroups->usage);
	for (int h = 0; h < ZS_HIERARCHY_COUNT; h++)
		zs_cgroup_remove(&cgroups->cgroups[h]);
}
