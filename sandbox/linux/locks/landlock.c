/* Restricts this process with Landlock (man 7 landlock): one ruleset with a rule for each grant. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/landlock_rights.h"
#include "linux/base/mount_calls.h"
#include "linux/files/overlay_mount.h"
#include "linux/files/root_tree.h"
#include "linux/base/stage.h"
#include "linux/locks/locks.h"
#include "linux/files/own_tmp.h"

struct ruleset {
	const struct zs_policy *policy;
	int fd, abi;
	uint64_t handled; /* the rights to files that the ruleset handles */
};

static int add_rule_at(const struct ruleset *ruleset, int fd, enum zs_access access)
{
	struct landlock_path_beneath_attr rule = { .parent_fd = fd };
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	rule.allowed_access = zs_landlock_rights(ruleset->abi, access, S_ISDIR(st.st_mode)) & ruleset->handled;
	if (!rule.allowed_access)
		return 0;
	if (syscall(SYS_landlock_add_rule, ruleset->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return -errno;
	return 0;
}

/* Does the path name the machine's terminals? In the Landlock tier a rule for it would grant other processes'
 * terminals; in the mount tier the path is the command's own devpts. */
static bool is_of_terminals(const char *path)
{
	return strcmp(path, "/dev/pts") == 0 || strcmp(path, "/dev/ptmx") == 0;
}

/* Adds the rule for a path. In the mount tier only write grants have one, since the mounts decide about reading. must:
 * a missing path is an error; else a path that is missing or out of reach only narrows the policy. */
static int add_rule(const struct ruleset *ruleset, const char *path, enum zs_access access,
	const struct zs_approved_place *approved, bool must, struct zs_error *error)
{
	bool alone = ruleset->policy->tier == ZS_TIER_LANDLOCK;

	if (access != ZS_ACCESS_WRITE && !(alone && access >= ZS_ACCESS_READ))
		return 0;
	if (alone && is_of_terminals(path))
		return 0;

	/* The path was resolved before. A symbolic link in it is new, and would make the grant mean another place. */
	ZS_AUTO_FD int fd = zs_open_place(AT_FDCWD, path);
	int r = fd < 0 ? fd : zs_approved_place_check(fd, approved);

	if (r == 0)
		r = add_rule_at(ruleset, fd, access);
	if (r == 0 || (!must && (r == -ENOENT || r == -ENOTDIR || r == -EACCES)))
		return 0;
	if (r == -ESTALE)
		return zs_error_say(error, "", path, ESTALE, ZS_APPROVED_PLACE_REPLACED);
	if (r == -ELOOP)
		return zs_error_say(error, "", path, ELOOP, "has become a symbolic link");
	return zs_error_errno(error, "", path, -r);
}

/* Lets the command open its inherited terminal by path, which opening /dev/stdout does. */
static int add_own_terminals(const struct ruleset *ruleset, const struct zs_run *run, struct zs_error *error)
{
	for (int fd = 0; (ruleset->policy->tier == ZS_TIER_LANDLOCK || run->terminal) && fd <= 2; fd++) {
		int r = isatty(fd) ? add_rule_at(ruleset, fd, ZS_ACCESS_WRITE) : 0;

		if (r < 0)
			return zs_error_errno(error, "", "terminal", -r);
	}
	return 0;
}

/* Grants writing in the private folders: the mount tier's, which may lie in a hidden tree, or the Landlock tier's own
 * folder. */
static int add_tmp(const struct ruleset *ruleset, const struct zs_own_tmp *own, struct zs_error *error)
{
	int r = 0;

	if (ruleset->policy->tmp != ZS_TMP_PRIVATE)
		return 0;
	if (ruleset->policy->tier == ZS_TIER_LANDLOCK) {
		r = add_rule_at(ruleset, own->folder, ZS_ACCESS_WRITE);
		return r < 0 ? zs_error_errno(error, "", own->name, -r) : 0;
	}
	for (const char *const *path = zs_private_folders; r == 0 && *path; path++)
		r = add_rule(ruleset, *path, ZS_ACCESS_WRITE, NULL, false, error);
	return r;
}

static int add_rules(const struct ruleset *ruleset, const struct zs_run *run, struct zs_error *error)
{
	const struct zs_policy *policy = run->policy;
	/* Another root is an overlay: mounts decide what in it can be written. */
	int r = policy->root ? add_rule(ruleset, "/", ZS_ACCESS_WRITE, NULL, true, error) : 0;

	if (r == 0 && policy->workspace)
		r = add_rule(ruleset, policy->workspace, zs_run_workspace_grant(run), NULL, true, error);
	for (size_t i = 0; r == 0 && i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		/* A layer can be written. */
		r = add_rule(ruleset, grant->path,
			grant->access == ZS_ACCESS_LAYER && policy->tier == ZS_TIER_MOUNTS ? ZS_ACCESS_WRITE
											   : grant->access,
			&grant->approved, false, error);
	}
	return r;
}

/* Adds a rule for each granted Unix socket, a second lock: a policy without sockets lets the command make none at all
 * (seccomp). A path that is no socket at this moment gets no rule. Sockets that the command binds itself need none. */
static int add_sockets(const struct ruleset *ruleset, struct zs_error *error)
{
	const struct zs_strings *sockets = &ruleset->policy->sockets;

	for (size_t i = 0; ruleset->handled & ZS_LANDLOCK_RESOLVE_UNIX && i < sockets->count; i++) {
		ZS_AUTO_FD int fd = open(sockets->items[i], O_PATH | O_CLOEXEC);
		const struct landlock_path_beneath_attr rule = { ZS_LANDLOCK_RESOLVE_UNIX, fd };
		struct stat st;

		if (fd < 0 || fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode))
			continue;
		if (syscall(SYS_landlock_add_rule, ruleset->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
			return zs_error_errno(error, "", sockets->items[i], errno);
	}
	return 0;
}

static int check_abi(const struct zs_policy *policy, int abi, struct zs_error *error)
{
	/* With the machine's network its abstract sockets must be scoped; in the Landlock tier seccomp refuses them. */
	bool scoped = policy->tier == ZS_TIER_MOUNTS && policy->network == ZS_NETWORK_FULL;
	int least = scoped ? ZS_LANDLOCK_ABI_SCOPES : ZS_LANDLOCK_ABI_TRUNCATE;

	if (abi < 0)
		return zs_error_hint(error, zs_error_errno(error, "", "", -abi), "see 'zs doctor'");
	if (abi >= least)
		return 0;
	zs_error_say(error, "", "", EOPNOTSUPP, "this kernel has ABI %d, and zs needs %d or newer", abi, least);
	return zs_error_hint(error, -EOPNOTSUPP, "see 'zs doctor'");
}

/* Refuses a write grant that shows cgroupfs or the like. In the mount tier root_guard.c makes those read-only; Landlock
 * cannot exclude a part of a granted tree. */
static int check_controls(const struct zs_policy *policy, struct zs_error *error)
{
	ZS_AUTO_FREE char *point = NULL;
	const char *path = NULL;
	int r = policy->tier == ZS_TIER_LANDLOCK ? zs_find_control_grant(policy, &point, &path) : 0;

	if (r < 0)
		return zs_error_errno(error, "", "mountinfo", -r);
	if (!path)
		return 0;
	zs_error_say(error, "", path, EOPNOTSUPP, "gives write access to %s, which controls more than this run", point);
	return zs_error_hint(error, -EOPNOTSUPP, "grant less");
}

/* Is the ruleset enforced? A seccomp filter of the caller may fake the success of landlock_restrict_self(2). Signals
 * from our domain reach no process outside of it (ABI 6), so signalling our init, which is outside, must fail. */
static bool is_in_effect(const struct zs_run *run)
{
	return !run->scoped || !run->init_process || (kill(run->init_process, 0) < 0 && errno == EPERM);
}

int zs_stage_landlock(struct zs_run *run, struct zs_error *error)
{
	const struct zs_policy *policy = run->policy;
	bool alone = policy->tier == ZS_TIER_LANDLOCK;
	int abi = zs_landlock_abi(), r = check_abi(policy, abi, error);
	struct landlock_ruleset_attr attr = { 0 };

	if (r == 0)
		r = check_controls(policy, error);
	if (r < 0)
		return r;
	attr.handled_access_fs = zs_landlock_handled_fs(abi, policy->tier);
	/* In the mount tier these rights would cut the command off from its own network namespace. */
	attr.handled_access_net = alone && policy->network != ZS_NETWORK_FULL ? zs_landlock_handled_net(abi) : 0;
	attr.scoped = zs_landlock_scoped(abi);

	ZS_AUTO_FD int fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	const struct ruleset ruleset = { policy, fd, abi, attr.handled_access_fs };

	if (fd < 0)
		return zs_error_errno(error, "", "create_ruleset", errno);
	r = add_rules(&ruleset, run, error);
	if (r == 0)
		r = add_tmp(&ruleset, run->own_tmp, error);
	if (r == 0)
		r = add_own_terminals(&ruleset, run, error);
	if (r == 0)
		r = add_sockets(&ruleset, error);
	if (r < 0)
		return r;
	if (syscall(SYS_landlock_restrict_self, fd, 0) < 0)
		return zs_error_errno(error, "", "restrict_self", errno);
	run->scoped = attr.scoped & LANDLOCK_SCOPE_SIGNAL;
	if (!is_in_effect(run))
		return zs_error_say(error, "", "", EPERM, "the ruleset is not in effect");
	return 0;
}

/* Every layer of rules denies renaming and linking into another folder unless it grants that, even when it does not
 * handle the right (man 7 landlock, LANDLOCK_ACCESS_FS_REFER). So this layer grants it everywhere, and leaves the
 * decision to the layer before. */
int zs_landlock_signal_ruleset(void)
{
	const struct landlock_ruleset_attr attr = { .handled_access_fs = LANDLOCK_ACCESS_FS_REFER,
		.scoped = LANDLOCK_SCOPE_SIGNAL };
	ZS_AUTO_FD int root = open("/", O_PATH | O_CLOEXEC);
	const struct landlock_path_beneath_attr rule = { LANDLOCK_ACCESS_FS_REFER, root };
	ZS_AUTO_FD int fd = root < 0 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);

	if (fd < 0 || syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return -errno;
	return ZS_STEAL_FD(fd);
}

int zs_landlock_restrict(int ruleset)
{
	return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : 0;
}

int zs_landlock_scope_signals(void)
{
	ZS_AUTO_FD int ruleset = zs_landlock_signal_ruleset();

	return ruleset < 0 ? ruleset : zs_landlock_restrict(ruleset);
}
