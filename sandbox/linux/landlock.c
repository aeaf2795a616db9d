/* Landlock: one ruleset, one rule a grant, then no way back. */
#include "landlock_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "landlock_rights.h"
#include "overlay.h"
#include "private_tmp.h"
#include "stage.h"

int zs_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return abi < 0 ? -errno : (int)abi;
}

/* The path has been resolved, so any symbolic link on the way has been put there since, by somebody who wants the
 * grant to mean another place. */
static int open_grant(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	long fd = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);

	return fd < 0 ? -errno : (int)fd;
}

/* Only what may be written has a rule: what can be read is decided by what is mounted, and a right that no ruleset
 * handles costs nothing on every open. */
static int add_rule(int ruleset, int abi, const char *path, enum zs_access access)
{
	if (access != ZS_ACCESS_WRITE)
		return 0;

	ZS_AUTO_FD int fd = open_grant(path);
	struct landlock_path_beneath_attr rule = { .parent_fd = fd };
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	rule.allowed_access = zs_landlock_rights(abi, access, S_ISDIR(st.st_mode)) & ~ZS_LANDLOCK_READ_RIGHTS;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return -errno;
	return 0;
}

static int fail_rule(struct zs_error *error, const char *path, int cause)
{
	if (cause != ELOOP)
		return zs_error_errno(error, "", path, cause);
	return zs_error_say(error, "", path, cause, "has become a symbolic link");
}

static int add_rules(int ruleset, int abi, const struct zs_run *run, struct zs_error *error)
{
	const struct zs_policy *policy = run->policy;
	int r;

	if (policy->workspace) {
		r = add_rule(ruleset, abi, policy->workspace, zs_run_workspace_grant(run));
		if (r < 0)
			return fail_rule(error, policy->workspace, -r);
	}
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		r = add_rule(ruleset, abi, grant->path, grant->access);
		/* Gone, or out of this user's reach: less is granted, nothing more. */
		if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EACCES)
			return fail_rule(error, grant->path, -r);
	}
	for (const char *const *path = zs_private_folders; policy->tmp == ZS_TMP_PRIVATE && *path; path++) {
		r = add_rule(ruleset, abi, *path, ZS_ACCESS_WRITE);
		if (r < 0)
			return fail_rule(error, *path, -r);
	}
	return 0;
}

int zs_stage_landlock(struct zs_run *run, struct zs_error *error)
{
	int abi = zs_landlock_abi();
	struct landlock_ruleset_attr attr = { 0 };
	ZS_AUTO_FD int ruleset = -1;
	int r;

	if (abi < 0)
		return zs_error_hint(error, zs_error_errno(error, "", "", -abi), "see 'zs doctor'");
	if (abi < ZS_LANDLOCK_ABI_LEAST) {
		zs_error_say(error, "", "", EOPNOTSUPP, "this kernel has ABI %d, and %d is the least", abi,
			ZS_LANDLOCK_ABI_LEAST);
		return zs_error_hint(error, -EOPNOTSUPP, "see 'zs doctor'");
	}
	attr.handled_access_fs = zs_landlock_handled_fs(abi) & ~ZS_LANDLOCK_READ_RIGHTS;
	attr.scoped = zs_landlock_scoped(abi);
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	if (ruleset < 0)
		return zs_error_errno(error, "", "create_ruleset", errno);
	r = add_rules(ruleset, abi, run, error);
	if (r < 0)
		return r;
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		return zs_error_errno(error, "", "restrict_self", errno);
	return 0;
}
