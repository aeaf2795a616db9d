/* Which limits can be held here, and by what. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cgroup_choice.h"
#include "cleanup.h"
#include "features.h"

/* The limit, and what to say without a cgroup that holds it. Of processes that has been said: another way was tried. */
static const struct {
	enum zs_feature_id feature;
	enum zs_limit limit;
	const char *detail, *fix;
} rows[] = {
	{ ZS_FEATURE_PROCESS_LIMIT, ZS_LIMIT_PROCESSES, NULL, NULL },
	{ ZS_FEATURE_RUN_MEMORY, ZS_LIMIT_MEMORY,
		"no cgroup with a memory controller can be made here: RLIMIT_AS, of each process",
		"run it in a cgroup that belongs to this user: systemd-run --user --scope zs …" },
	{ ZS_FEATURE_RUN_CPU, ZS_LIMIT_CPU, "no cgroup can be made here: RLIMIT_CPU, of each process",
		"run it in a cgroup that belongs to this user: systemd-run --user --scope zs …" },
};

static void set(struct zs_feature *feature, bool present, const char *detail, const char *fix)
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
			set(feature, true, how[rows[i].limit], "");
		else if (rows[i].detail)
			set(feature, false, r < 0 ? strerror(-r) : rows[i].detail, rows[i].fix);
	}
}
