/* The caches of tools. Which have a layer; and makes the missing ones of tools that are installed or named by a task: a
 * grant of a missing path grants nothing, and on a new home every cache is missing. */
#include "policy/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"

static bool is_installed(const char *tool, char *const envp[])
{
	const char *list = zs_env_value(envp, "PATH");
	char *folder;

	while (list && zs_path_list_next(&list, &folder) > 0) {
		ZS_AUTO_FREE char *path = zs_path_join(folder, tool);

		free(folder);
		if (path && access(path, X_OK) == 0)
			return true;
	}
	return false;
}

/* Does a task name the tool? Then it may come with the workspace, as mvnw does, or be installed by the run. */
static bool is_wanted(const struct zs_policy *policy, const char *tool)
{
	for (enum zs_task task = 0; task < ZS_TASK_COUNT; task++)
		if (policy->tasks & 1u << task &&
			(strcmp(zs_task_name(task), tool) == 0 || (task == ZS_TASK_MAVEN && strcmp(tool, "mvn") == 0)))
			return true;
	return false;
}

/* May a command have written to this folder? Then it may have put a link where a cache is to be made. */
static bool is_written(const struct zs_policy *policy, const char *folder)
{
	if (policy->workspace && zs_tree_covers(policy->workspace, folder))
		return true;
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (grant->access == ZS_ACCESS_WRITE && !grant->scratch &&
			(zs_path_lies_in(folder, grant->path) ||
				(grant->origin == ZS_ORIGIN_SPELLED && zs_tree_covers(grant->path, folder))))
			return true;
	}
	return false;
}

/* Is no link on the way to this folder, apart from links on the way to the home? */
static bool is_straight(const struct zs_policy *policy, const char *folder)
{
	const char *home = policy->home && zs_path_lies_in(folder, policy->home) ? policy->home : "";
	ZS_AUTO_FREE char *real_home = *home ? realpath(home, NULL) : strdup("");
	ZS_AUTO_FREE char *real = realpath(folder, NULL);
	size_t len = real_home ? strlen(real_home) : 0;

	return real && real_home && strncmp(real, real_home, len) == 0 &&
	       strcmp(real + len, folder + strlen(home)) == 0;
}

/* Opens the last folder on the way to the path that exists, if it is this user's own. *ret_rest is the part of the path
 * behind it. -1: there is none, or a command may have written to it. */
static int open_ancestor(const struct zs_policy *policy, const char *path, const char **ret_rest)
{
	ZS_AUTO_FREE char *folder = strdup(path);
	struct stat st;
	char *slash = NULL;
	int fd;

	do {
		slash = folder ? strrchr(folder, '/') : NULL;
		if (!slash || slash == folder)
			return -1;
		*slash = '\0';
	} while (lstat(folder, &st) < 0 && errno == ENOENT);
	if (!is_straight(policy, folder) || is_written(policy, folder))
		return -1;
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid()) {
		*ret_rest = path + (slash - folder) + 1;
		return fd;
	}
	zs_cleanup_fd(&fd);
	return -1;
}

/* Is the cache a file, as cargo's locks are? */
static bool is_file(const char *name)
{
	static const char *const files[] = { ".global-cache", ".package-cache", ".package-cache-mutate" };

	for (size_t i = 0; i < ZS_COUNT(files); i++)
		if (strcmp(name, files[i]) == 0)
			return true;
	return false;
}

static bool has_layer(const struct zs_policy *policy, const struct zs_grant *cache)
{
	if (policy->caches != ZS_CACHES_TASKS)
		return policy->caches != ZS_CACHES_SHARED;
	return cache->adds && (cache->kept || is_wanted(policy, cache->tool));
}

enum zs_access zs_policy_access(const struct zs_policy *policy, const struct zs_grant *grant)
{
	const char *name = strrchr(grant->path, '/');
	/* A person who spells the cache out means the cache itself. */
	bool cache = grant->tool && grant->access == ZS_ACCESS_WRITE && grant->origin != ZS_ORIGIN_SPELLED &&
		     !(name && is_file(name + 1));

	return cache && has_layer(policy, grant) ? ZS_ACCESS_LAYER : grant->access;
}

bool zs_policy_prefers_layers(const struct zs_policy *policy)
{
	return policy->caches == ZS_CACHES_AUTO || policy->caches == ZS_CACHES_TASKS;
}

bool zs_policy_has_layers(const struct zs_policy *policy)
{
	for (size_t i = 0; i < policy->grant_count; i++)
		if (zs_policy_access(policy, &policy->grants[i]) == ZS_ACCESS_LAYER)
			return true;
	return false;
}

void zs_policy_share_caches(struct zs_policy *resolved)
{
	for (size_t i = 0; i < resolved->grant_count; i++)
		if (resolved->grants[i].access == ZS_ACCESS_LAYER)
			resolved->grants[i].access = ZS_ACCESS_WRITE;
}

/* Makes the folders of `rest`. A name that exists or cannot be made ends it. */
static void make_below(int folder, const char *rest)
{
	size_t len = strcspn(rest, "/");
	char name[NAME_MAX + 1];
	ZS_AUTO_FD int below = -1;

	if (snprintf(name, sizeof name, "%.*s", (int)len, rest) >= (int)sizeof name)
		return;
	if (is_file(rest))
		below = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	else if (mkdirat(folder, name, 0700) == 0)
		below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below >= 0 && rest[len])
		make_below(below, rest + len + 1);
}

void zs_policy_make_caches(const struct zs_policy *policy, char *const envp[])
{
	const char *tool = NULL;
	bool installed = false;
	struct stat st;

	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		const char *rest;

		/* In another root the run has no caches of the home. */
		if (!grant->tool || zs_policy_leaves_out(policy, grant) || lstat(grant->path, &st) == 0 ||
			errno != ENOENT)
			continue;
		if (!tool || strcmp(tool, grant->tool) != 0)
			installed = is_wanted(policy, grant->tool) || is_installed(grant->tool, envp);
		tool = grant->tool;
		if (!installed)
			continue;
		ZS_AUTO_FD int folder = open_ancestor(policy, grant->path, &rest);

		if (folder >= 0)
			make_below(folder, rest);
	}
}
