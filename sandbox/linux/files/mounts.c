/* Builds the file system that the command sees: a new root directory that holds the policy's grants. Mounts alone
 * decide what can be read, since a path that is not granted does not exist. Landlock, a later stage, is a second lock
 * on writing. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/mount_calls.h"
#include "linux/files/cache_layers.h"
#include "linux/files/disk_tmp.h"
#include "linux/files/other_git.h"
#include "linux/files/overlay_mount.h"
#include "base/path.h"
#include "linux/files/root_tree.h"
#include "linux/base/fd_message.h"
#include "linux/files/standard_files.h"
#include "linux/files/public.h"

struct entry {
	const char *path;
	enum zs_access access;
	bool must;                                /* the entry is the workspace, whose absence is an error */
	const struct zs_approved_place *approved; /* the file that was approved; NULL: any file */
	int mount;                                /* a mount made by zs_stage_public(), zs_stage_owner() or
						   * zs_stage_caches(); -1: none */
	bool replaces;                            /* that mount is another place's, not that of the path */
	bool shown;                               /* a mount has been attached for this entry */
	size_t around;                            /* the index of the nearest entry that contains it; its own: none */
};

struct plan {
	struct zs_run *run;
	const struct zs_policy *policy;
	struct entry *entries; /* sorted: a folder before its content */
	size_t count;
	struct zs_root_tree tree;
	bool has_pts, has_proc; /* a devpts, a proc has been attached */
	bool asked;             /* proc is known */
	int proc;               /* the proc mount of the command's pid namespace, or a negative errno */
	char *git;              /* the path of the workspace's repository, if another one is seen there */
	int git_base;           /* that one's mount, or -1 */
	char **pins; /* the folders around the entry at hand that are mount points only so that they cannot be renamed
		      */
	size_t pin_count;
	int null; /* zs_standard_null()'s descriptor, or a negative errno */
	struct zs_error *error;
};

/* Orders paths so that a folder's content follows it at once: "/" sorts before every other byte. */
static int compare_paths(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++) {
	}
	return (*a == '/' ? 1 : (unsigned char)*a + (*a != 0)) - (*b == '/' ? 1 : (unsigned char)*b + (*b != 0));
}

/* Sorts grants before hide and protect. */
static int mounts_compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_paths(a->path, b->path);

	return order ? order : (int)b->access - (int)a->access;
}

/* A folder's content follows it, so the entries around one are those around the entry before it, from the first that
 * contains it. */
static void find_around(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		size_t at = i ? i - 1 : 0;

		while (at != i && !zs_path_lies_in(plan->entries[i].path, plan->entries[at].path))
			at = plan->entries[at].around == at ? i : plan->entries[at].around;
		plan->entries[i].around = at;
	}
}

/* The repository that stands in for the workspace's own. */
static int make_git_base(struct plan *plan)
{
	if (!plan->policy->git_base)
		return 0;
	plan->git = zs_policy_git_folder(plan->policy);
	plan->git_base = plan->git ? zs_git_base_mount(plan->policy) : -ENOMEM;
	if (plan->git_base < 0)
		return zs_error_errno(plan->error, "", "git_base", -plan->git_base);
	plan->entries[plan->count++] = (struct entry){
		.path = plan->git,
		.access = ZS_ACCESS_WRITE,
		.must = true,
		.mount = plan->git_base,
		.replaces = true,
	};
	return 0;
}

static int make_entries(struct plan *plan)
{
	int r;

	const struct zs_policy *policy = plan->policy;
	size_t public = 0; /* the index that zs_stage_public() gave the next public grant */

	plan->entries = calloc(policy->grant_count + 2, sizeof *plan->entries);
	if (!plan->entries)
		return zs_error_errno(plan->error, "", NULL, ENOMEM);
	if (policy->workspace)
		plan->entries[plan->count++] = (struct entry){
			.path = policy->workspace,
			.access = zs_run_workspace_grant(plan->run),
			.must = true,
			.mount = plan->run->overlaid ? -1 : plan->run->mapped,
		};
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		plan->entries[plan->count++] = (struct entry){
			.path = grant->path,
			.access = grant->access,
			.approved = &grant->approved,
			.mount = grant->public && public < plan->run->public.count
					 ? plan->run->public.mounts[public++]
					 : zs_cache_layer(plan->run->caches, i),
		};
	}
	r = make_git_base(plan);
	if (r < 0)
		return r;
	qsort(plan->entries, plan->count, sizeof *plan->entries, mounts_compare);
	find_around(plan);
	return 0;
}

/* Is this entry the workspace, mounted as an overlay? */
static bool is_overlaid(const struct plan *plan, const struct entry *entry)
{
	return entry->must && !entry->replaces && plan->run->overlaid;
}

static bool takes_away(const struct entry *entry)
{
	return entry->access < ZS_ACCESS_READ;
}

static bool lies_below(const char *path, const char *tree)
{
	return zs_path_lies_in(path, tree) && strcmp(path, tree) != 0;
}

/* Finds the innermost entry shown so far that contains entries[index]. NULL: none. */
static const struct entry *tree_around(
	const struct plan *plan, size_t index, bool (*lies)(const char *path, const char *tree))
{
	for (size_t i = index; plan->entries[i].around != i;) {
		i = plan->entries[i].around;
		if (plan->entries[i].shown && lies(plan->entries[index].path, plan->entries[i].path))
			return &plan->entries[i];
	}
	return NULL;
}

/* Does a private folder lie between path and tree? Then the tree's mount does not show path. */
static bool is_covered(const struct plan *plan, const char *path, const char *tree)
{
	for (const char *const *private = zs_private_folders; plan->policy->tmp == ZS_TMP_PRIVATE && *private;
		private++)
		if (lies_below(*private, tree) && zs_path_lies_in(path, *private))
			return true;
	return false;
}

/* Is the entry redundant? Grants are a union, so a grant inside a tree that grants as much or more must not narrow the
 * tree's. Writing in an overlay counts as less than writing. */
static bool adds_nothing(const struct plan *plan, size_t index)
{
	const struct entry *entry = &plan->entries[index], *tree = tree_around(plan, index, zs_path_lies_in);

	if (entry->replaces || takes_away(entry) || !tree || is_covered(plan, entry->path, tree->path) ||
		!zs_tree_gives_devices(tree->path, entry->path))
		return false;
	if (tree->mount >= 0 && tree->access < ZS_ACCESS_LAYER && entry->mount < 0)
		return false;
	return tree->access >= entry->access && !(is_overlaid(plan, tree) && entry->access == ZS_ACCESS_WRITE);
}

/* Paths that get a new file system of their own instead of a bind mount of the machine's. */

/* Receives the proc that the init has mounted. */
static int receive_proc(int init)
{
	int proc, r = zs_result_receive(init, &proc);

	if (r < 0)
		return r;
	return proc < 0 ? -EBADMSG : proc;
}

/* A proc that this process mounts shows this process's pid namespace. Only in a session is that the command's. */
static int take_proc(struct plan *plan)
{
	if (!plan->asked)
		plan->proc = plan->run->shared ? zs_proc_new() : receive_proc(plan->run->init);
	plan->asked = true;
	return plan->proc;
}

static int mount_proc(struct plan *plan)
{
	ZS_AUTO_FD int copy = -1;
	int r = take_proc(plan);

	if (r < 0)
		return r;
	if (plan->has_proc)
		copy = zs_mount_clone(plan->proc, "", MOUNT_ATTR_RDONLY);
	if (plan->has_proc && copy < 0)
		return copy;
	r = zs_root_attach(&plan->tree, plan->has_proc ? copy : plan->proc, "/proc", true);
	plan->has_proc = plan->has_proc || r == 0;
	return r;
}

/* Gives the command a devpts of its own, so that it cannot reach other processes' terminals. */
static int mount_pts(struct plan *plan)
{
	static const struct zs_mount_option options[] = { { "ptmxmode", "0666" }, { "mode", "0620" }, { NULL, NULL } };
	ZS_AUTO_FD int mount = -1, multiplexer = -1;
	int r;

	if (plan->has_pts)
		return 0;
	plan->has_pts = true;
	mount = zs_mount_new("devpts", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	r = mount < 0 ? mount : zs_root_attach(&plan->tree, mount, "/dev/pts", true);
	if (r < 0)
		return r;
	multiplexer = zs_mount_clone(mount, "ptmx", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	r = multiplexer < 0 ? multiplexer : zs_root_attach(&plan->tree, multiplexer, "/dev/ptmx", false);
	/* In a container /dev/ptmx is a link to pts/ptmx (OCI runtime-spec, config-linux.md). The link is already in
	 * the tree, and now leads to the new devpts. */
	return r == -ELOOP ? 0 : r;
}

static const struct {
	const char *path;
	int (*make)(struct plan *plan);
} made[] = {
	{ "/proc", mount_proc },
	{ "/dev/pts", mount_pts },
	{ "/dev/ptmx", mount_pts },
};

/* Forgets the pins of folders that do not contain the path: no later entry lies in them. */
static void leave_pins(struct plan *plan, const char *path)
{
	while (plan->pin_count && !lies_below(path, plan->pins[plan->pin_count - 1]))
		free(plan->pins[--plan->pin_count]);
}

static bool is_pinned(const struct plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->pin_count; i++)
		if (strcmp(plan->pins[i], path) == 0)
			return true;
	return false;
}

/* Makes every folder between a protected or hidden path and the writable mount around it a mount point. A folder that
 * only contains a mount can be renamed and replaced by a new folder; a mount point cannot. The writable mount is the
 * nearest entry with a mount: a redundant grant (adds_nothing()) has none. So no folder between the two is an entry
 * with a mount. */
static int pin_parents(struct plan *plan, size_t index)
{
	const char *path = plan->entries[index].path;
	const struct entry *tree = tree_around(plan, index, lies_below);

	if (!tree || tree->access < ZS_ACCESS_LAYER)
		return 0;
	leave_pins(plan, path);
	for (const char *slash = strchr(path + strlen(tree->path) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		ZS_AUTO_FREE char *parent = strndup(path, (size_t)(slash - path));
		char **pins;
		int r;

		if (!parent)
			return -ENOMEM;
		if (is_pinned(plan, parent))
			continue;
		r = zs_root_pin(&plan->tree, parent);
		pins = r < 0 ? NULL : zs_with_room(plan->pins, plan->pin_count, sizeof *pins);
		if (!pins)
			return r < 0 ? r : -ENOMEM;
		plan->pins = pins;
		pins[plan->pin_count++] = ZS_STEAL(parent);
	}
	return 0;
}

static int add_overlay(struct plan *plan, const char *path)
{
	int r = zs_root_attach(&plan->tree, plan->run->overlay, path, true);

	close(plan->run->overlay);
	plan->run->overlay = -1;
	return r;
}

/* A bind mount of `tree` now covers the new file systems and private folders below it: attaches them again on top. */
static int cover(struct plan *plan, const char *tree)
{
	int r = 0;

	if (lies_below("/dev/pts", tree))
		plan->has_pts = false;
	for (size_t i = 0; r == 0 && i < ZS_COUNT(made); i++)
		if (lies_below(made[i].path, tree) && zs_root_has(&plan->tree, made[i].path))
			r = made[i].make(plan);
	for (const char *const *path = zs_private_folders; plan->policy->tmp == ZS_TMP_PRIVATE && r == 0 && *path;
		path++)
		if (lies_below(*path, tree) && zs_root_has(&plan->tree, *path))
			r = zs_root_private(&plan->tree, *path);
	return r;
}

static int show(struct plan *plan, const struct entry *entry)
{
	struct stat st;
	int r;

	if (is_overlaid(plan, entry))
		return add_overlay(plan, entry->path);
	for (size_t i = 0; i < ZS_COUNT(made); i++)
		if (strcmp(entry->path, made[i].path) == 0)
			return made[i].make(plan);
	if (entry->mount >= 0)
		r = fstat(entry->mount, &st) < 0
			    ? -errno
			    : zs_root_attach(&plan->tree, entry->mount, entry->path, S_ISDIR(st.st_mode));
	else
		r = zs_root_bind(&plan->tree, entry->path, entry->access, entry->approved);
	return r < 0 ? r : cover(plan, entry->path);
}

/* Is a path inside this hidden entry granted? */
static bool holds_grant(const struct plan *plan, size_t index)
{
	for (size_t i = index + 1; i < plan->count && zs_path_lies_in(plan->entries[i].path, plan->entries[index].path);
		i++)
		if (!takes_away(&plan->entries[i]))
			return true;
	return false;
}

/* The folder of the devices is made anew in another root: what that one has there are no devices of ours. */
static const char devices[] = "/dev";

/* Makes hidden folders that hold grants read-only, once all mount points in them have been made. */
static int seal(struct plan *plan)
{
	int sealed = plan->policy->root ? zs_root_seal(&plan->tree, devices) : 0;

	if (sealed < 0)
		return zs_error_errno(plan->error, "", devices, -sealed);
	for (size_t i = 0; i < plan->count; i++) {
		const struct entry *entry = &plan->entries[i];
		int r = 0;

		if (entry->access == ZS_ACCESS_HIDE && entry->shown && holds_grant(plan, i))
			r = zs_root_seal(&plan->tree, entry->path);
		if (r < 0)
			return zs_error_errno(plan->error, "", entry->path, -r);
	}
	return 0;
}

static int take_away(struct plan *plan, size_t index)
{
	const struct entry *entry = &plan->entries[index];
	int r = pin_parents(plan, index);

	if (r < 0)
		return r;
	/* The entry names a place of the machine. Another root has another place at this path. */
	if (plan->policy->root && !tree_around(plan, index, zs_path_lies_in))
		return -ENOENT;
	if (entry->access == ZS_ACCESS_HIDE)
		return zs_root_hide(&plan->tree, entry->path, holds_grant(plan, index));
	/* Outside every grant there is nothing to protect, and a mount here would grant reading. */
	if (!tree_around(plan, index, zs_path_lies_in))
		return -ENOENT;
	r = zs_root_protect(&plan->tree, entry->path);
	return r < 0 ? r : cover(plan, entry->path);
}

/* May an entry be left out? A missing or unreachable grant only narrows the policy. But a folder that this user has
 * shut with chmod can be opened again by the command, which must not find an unprotected path in it. */
static bool may_be_absent(const struct entry *entry, int cause)
{
	if (cause == ENOENT || cause == ENOTDIR)
		return !entry->must;
	return cause == EACCES && !entry->must && !(takes_away(entry) && zs_path_is_shut(entry->path));
}

/* Notes which feature the machine lacks, for stages_explain(). User namespaces exist, since the stage of namespaces has
 * passed, but mounts in them may be forbidden (another agent's sandbox), pivot_root(2) may fail because "/" is an
 * initramfs, or proc may be refused because a container has covered parts of its own (mount_too_revealing() in
 * fs/namespace.c). The kernel or a filter may also lack a call. The errno decides, not a probe: with our mounts in
 * place no further user namespace can be made (current_chrooted() in fs/namespace.c). */
static int mounts_explain(const struct plan *plan, enum zs_feature_id lacking, const char *object, int r)
{
	if (r == -EPERM || r == -EACCES || r == -EINVAL || r == -ENOSYS) {
		plan->run->missed.feature = lacking;
		plan->run->missed.cause = -r;
	}
	return zs_error_hint(plan->error, zs_error_errno(plan->error, "", object, -r), "see 'zs doctor'");
}

static int add_entries(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct entry *entry = &plan->entries[i];
		int r;

		if (strcmp(entry->path, "/") == 0 || adds_nothing(plan, i))
			continue;
		r = takes_away(entry) ? take_away(plan, i) : show(plan, entry);
		entry->shown = r == 0;
		if (r == 0 || may_be_absent(entry, -r))
			continue;
		/* Nothing can be mounted over a symbolic link. The watch protects the link instead. */
		if (r == -ELOOP && entry->access == ZS_ACCESS_PROTECT)
			continue;
		if (r == -ELOOP)
			return zs_error_say(plan->error, "", entry->path, ELOOP, "has become a symbolic link");
		if (r == -ESTALE && entry->approved && entry->approved->known)
			return zs_error_say(plan->error, "", entry->path, ESTALE, ZS_APPROVED_PLACE_REPLACED);
		return strcmp(entry->path, "/proc") == 0 ? mounts_explain(plan, ZS_FEATURE_PROC_MOUNT, entry->path, r)
							 : zs_error_errno(plan->error, "", entry->path, -r);
	}
	return 0;
}

/* Is "/" granted? */
static bool is_whole(const struct plan *plan)
{
	return plan->count > 0 && strcmp(plan->entries[0].path, "/") == 0 && !takes_away(&plan->entries[0]);
}

/* If the policy allows new ptys, shows the caller's terminal too. */
static int add_terminal(struct plan *plan)
{
	int r = 0;

	if (plan->has_pts && (!is_whole(plan) || zs_root_has(&plan->tree, ZS_TERMINAL)))
		r = zs_terminal_show(&plan->tree, &plan->run->terminal);
	return r < 0 ? zs_error_errno(plan->error, "", ZS_TERMINAL, -r) : 0;
}

/* Mounts a resolv.conf that names the proxy's resolver over the machine's, at the path that its link leads to. Without
 * the file the C library asks 127.0.0.1 by default (man 5 resolv.conf). */
static int add_resolver(struct plan *plan)
{
	static const char name[] = "/etc/resolv.conf";
	ZS_AUTO_FREE char *path = NULL;
	int r = 0;

	/* Nobody answers in a session without a network. */
	if (plan->policy->network == ZS_NETWORK_FULL || (plan->policy->network == ZS_NETWORK_NONE && plan->run->shared))
		return 0;
	path = plan->policy->root ? strdup(name) : realpath(name, NULL);
	if (!path)
		r = -errno;
	else if (plan->policy->network == ZS_NETWORK_NONE)
		r = zs_root_find(&plan->tree, path);
	if (r == -ENOENT || r == -ENOTDIR || r == -EACCES)
		return 0;
	if (r == 0)
		r = zs_root_file(&plan->tree, path, "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n");
	return r < 0 ? zs_error_errno(plan->error, "", name, -r) : 0;
}

/* A Unix socket is reached through its path, so only the policy's sockets exist in the new root. */
static int add_sockets(struct plan *plan)
{
	for (size_t i = 0; i < plan->policy->sockets.count; i++) {
		const char *path = plan->policy->sockets.items[i];
		int r = zs_root_socket(&plan->tree, path);

		if (r == -ENOTSOCK)
			return zs_error_say(plan->error, "", path, ENOTSOCK, "it is not a socket");
		if (r < 0 && r != -ENOENT && r != -ENOTDIR && r != -EACCES)
			return zs_error_errno(plan->error, "", path, -r);
	}
	return 0;
}

static int guard_controls(struct plan *plan)
{
	int r = zs_root_guard_controls(&plan->tree, plan->policy);

	return r < 0 ? zs_error_errno(plan->error, "", "cgroups", -r) : 0;
}

static int add_private(struct plan *plan)
{
	for (const char *const *path = zs_private_folders; plan->policy->tmp == ZS_TMP_PRIVATE && *path; path++) {
		int r = zs_root_private(&plan->tree, *path);

		if (r < 0)
			return zs_error_errno(plan->error, "", *path, -r);
	}
	return 0;
}

static int add_link(struct plan *plan, const char *path, const char *target)
{
	int r = zs_root_link(&plan->tree, path, target);

	return r < 0 ? zs_error_errno(plan->error, "", path, -r) : 0;
}

static int add_links(struct plan *plan)
{
	static const char *const links[][2] = {
		{ "/dev/fd", "/proc/self/fd" },
		{ "/dev/stdin", "/proc/self/fd/0" },
		{ "/dev/stdout", "/proc/self/fd/1" },
		{ "/dev/stderr", "/proc/self/fd/2" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(links); i++)
		r = add_link(plan, links[i][0], links[i][1]);
	for (size_t i = 0; r == 0 && i < plan->policy->link_count; i++)
		r = add_link(plan, plan->policy->links[i].path, plan->policy->links[i].target);
	return r;
}

static int begin(struct plan *plan)
{
	bool whole = is_whole(plan), other = plan->run->root >= 0;
	int disk = zs_disk_tmp_open(plan->run);
	/* On disk the limit bounds no memory. */
	uint64_t memory = disk == -ENOENT ? zs_policy_tmp_bytes(plan->policy) : ZS_POLICY_TMP_BYTES;
	int r = disk < 0 && disk != -ENOENT
			? disk
			: zs_root_begin(&plan->tree, memory, whole, whole ? plan->entries[0].access : ZS_ACCESS_READ,
				  plan->run->root);

	plan->run->root = -1;
	if (r < 0)
		return mounts_explain(plan, ZS_FEATURE_MOUNT_NAMESPACE, "/", r);
	if (other != (plan->policy->root != NULL))
		return zs_error_errno(plan->error, "", "root", EOPNOTSUPP);
	plan->tree.disk = disk;
	if (plan->policy->root)
		r = zs_root_cover(&plan->tree, devices);
	if (r < 0)
		return zs_error_errno(plan->error, "", devices, -r);
	if (!whole)
		return 0;
	/* The clone of "/" shows the machine's processes and terminals: covers both. */
	r = mount_proc(plan);
	if (r < 0)
		return mounts_explain(plan, ZS_FEATURE_PROC_MOUNT, "/proc", r);
	r = mount_pts(plan);
	if (r < 0)
		return zs_error_errno(plan->error, "", "/dev/pts", -r);
	plan->entries[0].shown = true;
	return 0;
}

/* Waits for the init's proc before this process leaves the machine's root. The kernel allows a proc mount only while
 * another, uncovered proc is visible (mount_too_revealing()), which is the machine's. An error counts only when the
 * policy grants /proc. */
static int await_proc(struct plan *plan)
{
	if (!plan->run->shared)
		take_proc(plan);
	return 0;
}

/* Enters the new root. The command starts in the shim's working directory; if that is not granted, in an empty folder
 * of the same path. */
static int finish(struct plan *plan)
{
	char cwd[PATH_MAX];
	bool known = getcwd(cwd, sizeof cwd) != NULL;
	int r = known ? 0 : -errno;

	if (known)
		r = cwd[0] == '/' ? zs_root_folder(&plan->tree, cwd) : -ENOENT;
	if (r == 0 && !is_whole(plan) && !plan->policy->root)
		r = zs_mount_restrict(plan->tree.root, MOUNT_ATTR_RDONLY);
	if (r == 0) {
		r = zs_root_enter(&plan->tree);
		if (r < 0)
			return mounts_explain(plan, ZS_FEATURE_MOUNT_NAMESPACE, "/", r);
	}
	if (r == 0 && chdir(cwd) < 0)
		r = -errno;
	if (r < 0)
		zs_error_errno(plan->error, "", known ? cwd : "working directory", -r);
	/* A container's root cannot make the ID-mapped mount of zs_stage_owner(). */
	if (r == -EACCES && geteuid() == 0)
		zs_error_hint(plan->error, r, "another user owns it: run zs as that user; in Docker: --user UID:GID");
	return r;
}

/* Opens /dev/null for standard descriptors. In a session each run brings its own descriptors, later. */
static int take_null(struct plan *plan)
{
	plan->null = plan->run->shared ? -ENOENT : zs_standard_null();
	return plan->null < 0 && plan->null != -ENOENT ? zs_error_errno(plan->error, "", "/dev/null", -plan->null) : 0;
}

static int reopen_standard(struct plan *plan)
{
	int r = plan->run->shared ? 0 : zs_standard_reopen(plan->null);

	if (r == 0)
		r = zs_standard_take(plan->run->standard);
	return r < 0 ? zs_error_errno(plan->error, "", "standard descriptors", -r) : 0;
}

int zs_stage_mounts(struct zs_run *run, struct zs_error *error)
{
	static int (*const steps[])(struct plan *plan) = { make_entries, take_null, begin, add_private, add_links,
		add_entries, add_terminal, add_resolver, add_sockets, seal, guard_controls, await_proc, finish,
		reopen_standard };
	struct plan plan = { .run = run,
		.policy = run->policy,
		.tree = ZS_ROOT_TREE_NONE,
		.proc = -1,
		.null = -1,
		.git_base = -1,
		.error = error };
	mode_t mask = umask(0); /* a umask of 0177 would make the folders above the workspace inaccessible */
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(steps); i++)
		r = steps[i](&plan);
	/* umask(2) always succeeds, unless a seccomp filter of the caller refuses it. */
	if (umask(mask) != 0 && r == 0)
		r = zs_error_say(error, "", "umask", EPERM, "cannot be set");
	zs_root_end(&plan.tree);
	zs_cache_layers_end(run->caches);
	zs_public_end(&run->public);
	if (plan.proc >= 0)
		close(plan.proc);
	if (plan.null >= 0)
		close(plan.null);
	for (size_t i = 0; i < plan.pin_count; i++)
		free(plan.pins[i]);
	if (plan.git_base >= 0)
		close(plan.git_base);
	free(plan.git);
	free(plan.pins);
	free(plan.entries);
	return r;
}
