#include "cgroups_left.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include "check.h"
#include "linux/limits/cgroup_place.h"
#include "base/read_file.h"

void cgroups_note(struct cgroups_made *made, const struct call *call)
{
	if (call->number != SYS_mkdirat || strncmp(call->path, "zs-", 3) != 0)
		return;
	CHECK(made->count < CGROUPS_MADE_MAX, "more cgroups than the test knows of");
	if (made->count < CGROUPS_MADE_MAX)
		snprintf(made->names[made->count++], sizeof made->names[0], "%.31s", call->path);
}

static unsigned count_in(const char *folder, const struct cgroups_made *made)
{
	unsigned left = 0;

	for (unsigned i = 0; i < made->count; i++) {
		char path[PATH_MAX + 64];
		struct stat st;

		snprintf(path, sizeof path, "%s/%s", folder, made->names[i]);
		left += stat(path, &st) == 0;
	}
	return left;
}

/* Looks in the cgroup of this process or, if that can hold no limit, in the one above it (cgroup.c). */
unsigned cgroups_left(const struct cgroups_made *made)
{
	char *mountinfo = NULL, *membership = NULL;
	unsigned left = 0;

	if (zs_read_file("/proc/self/mountinfo", &mountinfo) == 0 &&
		zs_read_file("/proc/self/cgroup", &membership) == 0)
		for (enum zs_hierarchy h = 0; made->count > 0 && h < ZS_HIERARCHY_COUNT; h++) {
			struct zs_cgroup_place place;

			if (zs_cgroup_find(mountinfo, membership, h, &place) < 0)
				continue;
			left += count_in(place.path, made);
			*strrchr(place.path, '/') = '\0';
			left += count_in(place.path, made);
		}
	free(mountinfo);
	free(membership);
	return left;
}
