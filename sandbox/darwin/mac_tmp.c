#include "darwin/mac_tmp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

static const char *const names[] = { "TMPDIR", "TMP", "TEMP" };

static int mac_tmp_make(struct zs_own_tmp *tmp)
{
	char parent[PATH_MAX], real[PATH_MAX];
	size_t len = confstr(_CS_DARWIN_USER_TEMP_DIR, parent, sizeof parent);
	int size;

	if (len > sizeof parent)
		return -ENAMETOOLONG;
	if (len == 0)
		return errno ? -errno : -ENOENT;
	if (!realpath(parent, real))
		return -errno;
	size = snprintf(tmp->folder, sizeof tmp->folder, "%s/zs-XXXXXXXXXXXX", real);
	if (size < 0 || (size_t)size >= sizeof tmp->folder) {
		tmp->folder[0] = '\0';
		return -ENAMETOOLONG;
	}
	if (!mkdtemp(tmp->folder)) {
		tmp->folder[0] = '\0';
		return -errno;
	}
	for (size_t i = 0; i < ZS_COUNT(names); i++)
		snprintf(tmp->variables[i], sizeof tmp->variables[i], "%s=%s", names[i], tmp->folder);
	return 0;
}

/* Adds the folder to the policy. The new policy lives as long as this process. */
static int grant(struct zs_run *run)
{
	struct zs_policy *wider = malloc(sizeof *wider);
	size_t count = run->policy->grant_count;

	if (!wider)
		return -ENOMEM;
	*wider = *run->policy;
	wider->grants = calloc(count + 1, sizeof *wider->grants);
	if (!wider->grants) {
		free(wider);
		return -ENOMEM;
	}
	if (count)
		memcpy(wider->grants, run->policy->grants, count * sizeof *wider->grants);
	wider->grants[count] = (struct zs_grant){
		.path = run->own_tmp.folder, .len = strlen(run->own_tmp.folder), .access = ZS_ACCESS_WRITE
	};
	wider->grant_count++;
	run->policy = wider;
	return 0;
}

int zs_stage_own_tmp(struct zs_run *run, struct zs_error *error)
{
	int r = run->policy->tmp == ZS_TMP_PRIVATE ? mac_tmp_make(&run->own_tmp) : 0;

	if (r == 0 && run->own_tmp.folder[0])
		r = grant(run);
	return r < 0 ? zs_error_errno(error, "", "the user's folder for temporary files", -r) : 0;
}

/* Does not add a missing variable: a program without such a variable uses no folder outside either. */
void zs_own_tmp_name(struct zs_own_tmp *tmp, char **env)
{
	for (char **entry = env; tmp->folder[0] && *entry; entry++)
		for (size_t i = 0; i < ZS_COUNT(names); i++) {
			size_t len = strlen(names[i]);

			if (strncmp(*entry, names[i], len) == 0 && (*entry)[len] == '=')
				*entry = tmp->variables[i];
		}
}

enum { DEPTH_MAX = 128 };

/* Follows no link. A file that cannot be removed stays, and so do the folders above it. */
static void empty(int parent, const char *name, unsigned depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!folder && fd >= 0)
		close(fd);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd(folder), entry->d_name, 0) == 0)
			continue;
		if (depth < DEPTH_MAX)
			empty(dirfd(folder), entry->d_name, depth + 1);
		unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	}
	closedir(folder);
}

void zs_own_tmp_remove(const struct zs_own_tmp *tmp)
{
	if (!tmp->folder[0])
		return;
	empty(AT_FDCWD, tmp->folder, 0);
	rmdir(tmp->folder);
}
