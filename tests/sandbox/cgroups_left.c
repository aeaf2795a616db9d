#include "cgroups_left.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "linux/cgroup_place.h"
#include "linux/read_file.h"

enum { NAMES_MAX = 64 };

struct names {
	unsigned count;
	char items[NAMES_MAX][32];
};

static bool holds(const struct names *names, const char *name)
{
	for (unsigned i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

/* A supervisor has a lock on its own. */
static void add_unlocked(DIR *folder, struct names *names)
{
	const struct dirent *entry;

	while ((entry = readdir(folder))) {
		int fd;

		if (strncmp(entry->d_name, "zs-", 3) != 0 || names->count == NAMES_MAX)
			continue;
		fd = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0)
			snprintf(names->items[names->count++], sizeof names->items[0], "%s", entry->d_name);
		if (fd >= 0)
			close(fd);
	}
}

unsigned cgroups_left(void)
{
	static struct names before;
	struct names now = { 0 };
	char *mountinfo = NULL, *membership = NULL;
	unsigned added = 0;

	if (zs_read_file("/proc/self/mountinfo", &mountinfo) == 0 &&
		zs_read_file("/proc/self/cgroup", &membership) == 0)
		for (enum zs_hierarchy h = 0; h < ZS_HIERARCHY_COUNT; h++) {
			struct zs_cgroup_place place;
			DIR *folder =
				zs_cgroup_find(mountinfo, membership, h, &place) == 0 ? opendir(place.path) : NULL;

			if (folder) {
				add_unlocked(folder, &now);
				closedir(folder);
			}
		}
	for (unsigned i = 0; i < now.count; i++)
		added += !holds(&before, now.items[i]);
	before = now;
	free(mountinfo);
	free(membership);
	return added;
}
