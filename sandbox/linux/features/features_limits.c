/* Finds which limits cgroups can hold on this machine. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "linux/limits/cgroup.h"
#include "base/cleanup.h"
#include "linux/features/features.h"

/* A limit, and the detail when no cgroup holds it. The limit of processes has one already, from the probe of
 * RLIMIT_NPROC. */
static const struct {
	enum zs_feature_id feature;
	enum zs_limit limit;
	const char *detail;
} rows[] = {
	{ ZS_FEATURE_PROCESS_LIMIT, ZS_LIMIT_PROCESSES, NULL },
	{ ZS_FEATURE_RUN_MEMORY, ZS_LIMIT_MEMORY,
		"no cgroup with a memory controller can be made here: RLIMIT_AS, of each process" },
	{ ZS_FEATURE_RUN_CPU, ZS_LIMIT_CPU, "no cgroup can be made here: RLIMIT_CPU, of each process" },
};

/* The advice for getting a cgroup: from systemd where that runs (man 3 sd_booted), else by hand. */
static const char *advice(void)
{
	if (access("/run/systemd/system", F_OK) == 0)
		return "run it in a cgroup that belongs to this user: systemd-run --user --scope zs …";
	if (geteuid() == 0)
		return "in the cgroup above, write '+memory +pids +cpu' to cgroup.subtree_control; in a container "
		       "/sys/fs/cgroup is read-only by default";
	return "give this user a cgroup of its own below /sys/fs/cgroup, which in a container is read-only by default";
}

static void describe(struct zs_feature *feature, bool present, const char *detail, const char *fix)
{
	feature->present = present;
	feature->cause = present ? 0 : EOPNOTSUPP;
	snprintf(feature->detail, sizeof feature->detail, "%s", detail);
	snprintf(feature->fix, sizeof feature->fix, "%s", fix);
}

void zs_features_limits(struct zs_feature *features)
{
	const char *how[ZS_LIMIT_COUNT];
	int r = zs_cgroup_limits_probe(UINT32_MAX, how);

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		struct zs_feature *feature = &features[rows[i].feature];

		if (how[rows[i].limit])
			describe(feature, true, how[rows[i].limit], "");
		else if (rows[i].detail)
			describe(feature, false, r < 0 ? strerror(-r) : rows[i].detail, advice());
	}
}
