/* Turns the paths of a policy into real places of this machine. Symbolic links are followed here, once and for all: the
 * shim opens the result with RESOLVE_NO_SYMLINKS, so a path that is swapped for a link in between fails the run.
 *
 * A link that lies where a command of the same policy can write may have been put there by an earlier run, to make this
 * one grant another place: $VIRTUAL_ENV in the workspace, now a link to ~/.ssh. So where a path goes through such a
 * link and ends outside of the tree that holds it, a preset's grant is left out and one that somebody spelled out is
 * refused. The system's own links (/bin, /etc/resolv.conf, /var/run) lie in no such tree. */
#include "policy/policy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/preset.h"
#include "policy/promise.h"

static const char step[] = "policy";

/* A command cannot use a path that is missing or that this user cannot reach. */
static bool policy_resolve_is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES;
}

/* Such a grant is skipped. But a command can open a folder again that this user owns and has closed, and an earlier run
 * may have closed it: a protected or hidden path in it must not be skipped. */
static bool is_skipped(const struct zs_grant *grant, int cause)
{
	return policy_resolve_is_absent(cause) &&
	       !(cause == EACCES && grant->access < ZS_ACCESS_READ && zs_path_is_shut(grant->path));
}

/* A tree that a command of this policy can write, or that other runs can, as a cache with a layer. Any link in it may
 * have been planted by an earlier run. */
struct tree {
	const char *path;
	struct zs_identity identity;
	bool sound; /* the tree itself is not named through such a link */
};

struct plan {
	const struct zs_policy *policy;
	struct zs_policy *resolved;
	struct zs_error *error;
	char known[PATH_MAX]; /* for zs_path_place() */
	struct zs_place workspace, root;
	struct zs_place *places; /* of the grants; real is NULL where the path does not exist or cannot be granted */
	struct zs_place *former; /* of the policy's former trees */
	struct tree *trees;
	size_t tree_count;
	struct zs_judge judge;
};

static void plan_free(struct plan *plan)
{
	for (size_t i = 0; plan->places && i < plan->policy->grant_count; i++)
		zs_place_free(&plan->places[i]);
	for (size_t i = 0; plan->former && i < plan->policy->former.count; i++)
		zs_place_free(&plan->former[i]);
	zs_place_free(&plan->workspace);
	zs_place_free(&plan->root);
	free(plan->former);
	free(plan->places);
	free(plan->trees);
	zs_judge_end(&plan->judge);
}

/* Does the tree hold this real path? Compares the text, and the inodes, since a bind mount gives a folder two names.
 * doubt: the answer when that is not known. */
static bool tree_holds(const struct tree *tree, const char *real, const struct zs_ancestry *above, bool doubt)
{
	return zs_path_lies_in(real, tree->path) || zs_ancestry_holds(above, &tree->identity, doubt);
}

/* known: the tree's identity; or absent, and it is looked up. */
static int add_tree(struct plan *plan, const char *real, const struct zs_identity *known, bool sound)
{
	struct tree *tree = &plan->trees[plan->tree_count];

	*tree = (struct tree){ .path = real, .identity = *known, .sound = sound };
	if (known->presence != ZS_PRESENT)
		tree->identity = zs_identity_of(real);
	if (tree->identity.presence == ZS_PRESENT)
		plan->tree_count++;
	else if (!policy_resolve_is_absent(errno)) /* without this tree, a planted link in it would be trusted */
		return zs_error_errno(plan->error, step, real, errno);
	return 0;
}

static bool is_plantable(const struct plan *plan, const struct zs_place *place)
{
	bool plantable = false;

	for (size_t i = 0; i < place->link_count && !plantable; i++) {
		struct zs_ancestry above = zs_ancestry_of_real(place->links[i].folder);

		for (size_t j = 0; j < plan->tree_count && !plantable; j++)
			plantable = tree_holds(&plan->trees[j], place->links[i].folder, &above, true);
		zs_ancestry_free(&above);
	}
	return plantable;
}

/* Does this link lie where a command can write, and lead out of there? */
static bool link_leads_out(const struct plan *plan, const struct zs_place *place, const char *folder)
{
	struct zs_ancestry above_link = zs_ancestry_of_real(folder), above_place = { 0 };
	bool plantable = false, stays = false;

	for (size_t j = 0; j < plan->tree_count; j++) {
		if (!tree_holds(&plan->trees[j], folder, &above_link, true))
			continue;
		if (!plantable)
			above_place = zs_ancestry_of_real(place->real);
		plantable = true;
		stays |= plan->trees[j].sound && tree_holds(&plan->trees[j], place->real, &above_place, false);
	}
	zs_ancestry_free(&above_link);
	zs_ancestry_free(&above_place);
	return plantable && !stays;
}

/* A link that may have been planted gives nothing new if it leads to a place in the same writable tree, and if no such
 * link names that tree. */
static bool leads_out(const struct plan *plan, const struct zs_place *place)
{
	for (size_t i = 0; i < place->link_count; i++)
		if (link_leads_out(plan, place, place->links[i].folder))
			return true;
	return false;
}

static int refuse_grant(struct plan *plan, const struct zs_grant *grant, int cause)
{
	zs_error_errno(plan->error, step, grant->path, cause);
	if (cause != EACCES)
		return -cause;
	return zs_error_hint(plan->error, -cause, "open the folder around it, or name that one");
}

static int find_places(struct plan *plan)
{
	const struct zs_policy *policy = plan->policy;
	int r;

	if (policy->workspace) {
		r = zs_path_place(policy->workspace, plan->known, &plan->workspace);
		if (r < 0)
			return zs_error_errno(plan->error, "workspace", policy->workspace, -r);
	}
	if (policy->root) {
		r = zs_path_place(policy->root, plan->known, &plan->root);
		if (r < 0)
			return zs_error_errno(plan->error, "root", policy->root, -r);
	}
	plan->places = calloc(policy->grant_count + 1, sizeof *plan->places);
	if (!plan->places)
		return zs_error_errno(plan->error, step, NULL, ENOMEM);
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		bool must = grant->origin == ZS_ORIGIN_SPELLED;

		if (zs_policy_leaves_out(policy, grant))
			continue;
		/* True of most of a preset's paths. */
		if (zs_judge_knows_absent(&plan->judge, grant->path, grant->origin))
			continue;
		r = zs_path_place(grant->path, plan->known, &plan->places[i]);
		/* A path that does not resolve, such as a loop of links that a command has left where a preset looks,
		 * must not stop every later run. */
		if (r == -ENOMEM || (r < 0 && must && !is_skipped(grant, -r)))
			return refuse_grant(plan, grant, -r);
		if (r == 0 && !zs_judge_allows(&plan->judge, plan->places[i].real, &plan->places[i].identity,
				      grant->access, grant->origin))
			zs_place_free(&plan->places[i]);
	}
	return 0;
}

/* Most of the preset's trees are grants, too, and have been looked up as such. */
static const struct zs_identity *find_identity(const struct plan *plan, const char *real)
{
	static const struct zs_identity unknown = { ZS_ABSENT, 0, 0 };

	for (size_t i = 0; i < plan->policy->grant_count; i++)
		if (plan->places[i].real && strcmp(plan->places[i].real, real) == 0)
			return &plan->places[i].identity;
	return &unknown;
}

static int add_preset_tree(struct plan *plan, const struct zs_preset_tree *row)
{
	size_t count = plan->tree_count;
	struct tree *tree = &plan->trees[count];
	int r = add_tree(plan, row->path, find_identity(plan, row->path), false);

	if (r < 0 || plan->tree_count == count)
		return r;
	if (zs_judge_covers_home(&plan->judge, &tree->identity))
		plan->tree_count = count;
	else
		tree->sound = zs_judge_allows(&plan->judge, row->path, &tree->identity, row->access, ZS_ORIGIN_PRESET);
	return 0;
}

/* Links in trees that other runs could write stay untrusted: a run without such a tree must not take a link in it for
 * the user's own. */
static int add_former_trees(struct plan *plan)
{
	const struct zs_strings *former = &plan->policy->former;
	int r = 0;

	plan->former = calloc(former->count + 1, sizeof *plan->former);
	if (!plan->former)
		return zs_error_errno(plan->error, step, NULL, ENOMEM);
	for (size_t i = 0; r == 0 && i < former->count; i++) {
		r = zs_path_place(former->items[i], plan->known, &plan->former[i]);
		if (r == -ENOMEM)
			return zs_error_errno(plan->error, step, NULL, ENOMEM);
		if (r == 0 && zs_judge_allows(&plan->judge, plan->former[i].real, &plan->former[i].identity,
				      ZS_ACCESS_WRITE, ZS_ORIGIN_VARIABLE))
			r = add_tree(plan, plan->former[i].real, &plan->former[i].identity, false);
		else
			r = 0; /* it does not exist, or no run is granted it */
	}
	return r;
}

static int find_trees(struct plan *plan)
{
	const struct zs_policy *policy = plan->policy;
	size_t max = 1 + policy->former.count, certain;
	int r = 0;

	for (const struct zs_preset_tree *row = zs_preset_trees; row->path; row++)
		max += row->access == ZS_ACCESS_WRITE;
	for (size_t i = 0; i < policy->grant_count; i++)
		max += policy->grants[i].access >= ZS_ACCESS_LAYER;
	plan->trees = calloc(max, sizeof *plan->trees);
	if (!plan->trees)
		return zs_error_errno(plan->error, step, NULL, ENOMEM);
	/* The default policy's trees count also in verify, which writes none of them: an earlier run of
	 * zs_policy_default() may have left links. */
	if (policy->workspace)
		r = add_tree(plan, plan->workspace.real, &plan->workspace.identity, true);
	for (const struct zs_preset_tree *row = zs_preset_trees; r == 0 && policy->preset && row->path; row++)
		if (row->access == ZS_ACCESS_WRITE)
			r = add_preset_tree(plan, row);
	if (r == 0)
		r = add_former_trees(plan);
	certain = plan->tree_count;
	for (size_t i = 0; r == 0 && i < policy->grant_count; i++)
		if (policy->grants[i].access >= ZS_ACCESS_LAYER && plan->places[i].real)
			r = add_tree(plan, plan->places[i].real, &plan->places[i].identity, false);
	if (r < 0)
		return r;
	/* Each is judged by all: two planted links must not vouch for each other. */
	for (size_t i = 0, j = certain; i < policy->grant_count && j < plan->tree_count; i++)
		if (plan->trees[j].path == plan->places[i].real)
			plan->trees[j++].sound = !is_plantable(plan, &plan->places[i]);
	return 0;
}

static int refuse_link(struct plan *plan, const char *field, const char *path, const struct zs_place *place)
{
	zs_error_say(plan->error, field, path, EPERM,
		"leads to %s through a link that a confined command may have made", place->real);
	return zs_error_hint(plan->error, -EPERM, "if that is meant, name %s itself", place->real);
}

static int resolve_workspace(struct plan *plan)
{
	const struct zs_policy *policy = plan->policy;
	const char *real = plan->workspace.real;
	struct stat st;
	int r;

	if (!policy->workspace)
		return 0;
	if (stat(real, &st) < 0)
		return zs_error_errno(plan->error, "workspace", policy->workspace, errno);
	if (!S_ISDIR(st.st_mode))
		return zs_error_errno(plan->error, "workspace", policy->workspace, ENOTDIR);
	/* The workspace's own tree cannot vouch for its own name. */
	plan->trees[0].sound = false;
	if (leads_out(plan, &plan->workspace))
		return refuse_link(plan, "workspace", policy->workspace, &plan->workspace);
	plan->trees[0].sound = true;
	r = policy->preset ? zs_judge_workspace(&plan->judge, real, plan->error) : 0;
	for (size_t i = 0; r == 0 && i < plan->workspace.link_count; i++)
		r = zs_policy_add_link(
			plan->resolved, plan->workspace.links[i].path, plan->workspace.links[i].target, plan->error);
	return r < 0 ? r : zs_policy_set_workspace(plan->resolved, real, policy->workspace_access, plan->error);
}

static int refuse_root(const struct zs_policy *resolved, const char *why, const char *path, struct zs_error *error)
{
	zs_error_say(error, "root", resolved->root, EPERM, "%s%s", why, path);
	return zs_error_hint(error, -EPERM, "choose a folder that holds nothing but a root directory");
}

static int resolve_root(struct plan *plan)
{
	const char *real = plan->root.real;
	struct zs_identity identity;
	struct stat st;
	int r;

	if (!real)
		return 0;
	if (stat(real, &st) < 0)
		return zs_error_errno(plan->error, "root", real, errno);
	if (!S_ISDIR(st.st_mode))
		return zs_error_errno(plan->error, "root", real, ENOTDIR);
	if (leads_out(plan, &plan->root))
		return refuse_link(plan, "root", plan->policy->root, &plan->root);
	r = zs_policy_set_root(plan->resolved, real, plan->policy->root_user, plan->error);
	if (r == 0 && plan->policy->users)
		r = zs_policy_set_users(plan->resolved, plan->error);
	if (r < 0)
		return r;
	if (plan->policy->image)
		r = zs_policy_set_image(plan->resolved, plan->policy->image, plan->error);
	if (r < 0)
		return r;
	if (zs_tree_covers(real, "/"))
		return refuse_root(plan->resolved, "is the root directory of this machine", "", plan->error);
	identity = zs_identity_of(real);
	return zs_judge_covers_home(&plan->judge, &identity)
		       ? refuse_root(plan->resolved, "holds the home directory, with its keys", "", plan->error)
		       : 0;
}

/* Does one of the trees lie in the other? */
static bool meets(const char *path, const struct zs_identity *root, const struct zs_ancestry *above_root)
{
	const struct zs_identity identity = zs_identity_of(path);
	struct zs_ancestry above;
	bool meets = zs_ancestry_holds(above_root, &identity, true);

	if (meets)
		return true;
	above = zs_ancestry_of(path);
	meets = zs_ancestry_holds(&above, root, true);
	zs_ancestry_free(&above);
	return meets;
}

/* The layer below an overlay must not change while it is mounted, and all of it can be read. */
static int check_trees(const struct zs_policy *resolved, const struct zs_identity *root,
	const struct zs_ancestry *above_root, struct zs_error *error)
{
	const char *workspace = resolved->workspace;

	if (workspace && zs_policy_workspace_grant(resolved) == ZS_ACCESS_WRITE && meets(workspace, root, above_root))
		return refuse_root(resolved, "meets the writable workspace ", workspace, error);
	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->access >= ZS_ACCESS_LAYER && meets(grant->path, root, above_root))
			return refuse_root(resolved, "meets a folder that the command can write: ", grant->path, error);
		if (grant->access == ZS_ACCESS_HIDE && meets(grant->path, root, above_root))
			return refuse_root(resolved, "meets the hidden path ", grant->path, error);
	}
	return 0;
}

static int check_root(const struct zs_policy *resolved, struct zs_error *error)
{
	struct zs_identity identity;
	struct zs_ancestry above;
	int r;

	if (!resolved->root)
		return 0;
	if (resolved->workspace && strcmp(resolved->workspace, "/") == 0)
		return refuse_root(resolved, "does not go with the workspace ", "/", error);
	for (size_t i = 0; i < resolved->grant_count; i++)
		if (resolved->grants[i].access >= ZS_ACCESS_READ && strcmp(resolved->grants[i].path, "/") == 0)
			return refuse_root(resolved, "does not go with a grant of ", "/", error);
	identity = zs_identity_of(resolved->root);
	above = zs_ancestry_of(resolved->root);
	r = check_trees(resolved, &identity, &above, error);
	zs_ancestry_free(&above);
	return r;
}

/* Is the place granted already, by a grant that no link can have moved? Then the link gains nothing: .venv/bin/python
 * leads into /usr. */
static bool is_granted_anyway(const struct plan *plan, const char *real, enum zs_access access)
{
	for (size_t i = 0; access >= ZS_ACCESS_READ && i < plan->policy->grant_count; i++)
		if (plan->places[i].real && !plan->policy->grants[i].public &&
			plan->policy->grants[i].access >= access && zs_path_lies_in(real, plan->places[i].real) &&
			!is_plantable(plan, &plan->places[i]))
			return true;
	return false;
}

/* Adds the place and the links that lead to it, since the command uses the name that was granted. */
static int add_place(struct plan *plan, const struct zs_place *place, const struct zs_grant *grant)
{
	size_t count = plan->resolved->grant_count;
	int r = zs_policy_add_grant(
		plan->resolved, place->real, zs_policy_access(plan->policy, grant), grant->origin, false, plan->error);

	if (r == 0 && grant->public)
		zs_policy_mark_public(plan->resolved, count);
	if (grant->firm)
		zs_policy_make_firm(plan->resolved, place->real, grant->access);
	if (r == 0 && grant->approved.known)
		zs_policy_approve(plan->resolved, place->real, grant->access, &grant->approved);
	for (size_t i = 0; r == 0 && i < place->link_count; i++)
		r = zs_policy_add_link(plan->resolved, place->links[i].path, place->links[i].target, plan->error);
	return r;
}

/* The path does not exist. PROTECT keeps the command from making it. */
static int resolve_missing(struct plan *plan, const struct zs_grant *grant)
{
	ZS_AUTO_FREE char *real = NULL;
	int r = grant->access == ZS_ACCESS_PROTECT ? zs_path_would_be(grant->path, &real) : 0;

	if (r == -EACCES) /* the command cannot get there either */
		return 0;
	if (r < 0)
		return zs_error_errno(plan->error, step, grant->path, -r);
	r = real ? zs_policy_add_grant(plan->resolved, real, grant->access, grant->origin, false, plan->error) : 0;
	if (real && grant->firm)
		zs_policy_make_firm(plan->resolved, real, grant->access);
	return r;
}

static int resolve_grant(struct plan *plan, const struct zs_grant *grant, const struct zs_place *place)
{
	if (!place->real)
		return resolve_missing(plan, grant);
	if (grant->judged && strcmp(place->real, grant->path) != 0) {
		zs_error_say(plan->error, step, grant->path, ELOOP, "has become a symbolic link, or lies behind one");
		return zs_error_hint(plan->error, -ELOOP, "if that is meant, name %s itself", place->real);
	}
	/* A PROTECT grant protects a file by its name, and a command that can replace a link can give the name to
	 * another file. */
	if (leads_out(plan, place) || (grant->access == ZS_ACCESS_PROTECT && is_plantable(plan, place))) {
		if (grant->origin != ZS_ORIGIN_SPELLED || is_granted_anyway(plan, place->real, grant->access))
			return 0;
		return refuse_link(plan, step, grant->path, place);
	}
	return add_place(plan, place, grant);
}

static int resolve_grants(struct plan *plan)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < plan->policy->grant_count; i++)
		r = resolve_grant(plan, &plan->policy->grants[i], &plan->places[i]);
	return r;
}

static int resolve_paths(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	static int (*const parts[])(
		struct plan *) = { find_places, find_trees, resolve_workspace, resolve_root, resolve_grants };
	struct plan plan = { .policy = policy, .resolved = resolved, .error = error };
	int r = 0;

	zs_judge_begin(&plan.judge, policy);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++)
		r = parts[i](&plan);
	plan_free(&plan);
	return r;
}

bool zs_policy_takes_between(const struct zs_policy *policy, const char *path, const char *tree, enum zs_access access)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if ((grant->access == ZS_ACCESS_HIDE ||
			    (grant->access == ZS_ACCESS_PROTECT && access >= ZS_ACCESS_LAYER)) &&
			zs_path_lies_in(path, grant->path) && zs_path_lies_in(grant->path, tree))
			return true;
	}
	return false;
}

bool zs_policy_gives(const struct zs_policy *policy, const char *real, enum zs_access access)
{
	bool gives = policy->workspace && zs_policy_workspace_grant(policy) >= access &&
		     zs_path_lies_in(real, policy->workspace) &&
		     !zs_policy_takes_between(policy, real, policy->workspace, access);

	for (size_t i = 0; i < policy->grant_count && !gives; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		gives = grant->access >= access && !grant->public && zs_path_lies_in(real, grant->path) &&
			!zs_policy_takes_between(policy, real, grant->path, access);
	}
	return gives;
}

/* READ, EXEC and WRITE each include the one before, and a grant is for a whole tree. So a merged /usr and a long PATH
 * mostly add what is granted already. Each rule costs the shim 4 µs. */
static bool is_redundant(const struct zs_policy *policy, size_t index)
{
	const struct zs_grant *grant = &policy->grants[index];

	for (size_t i = 0; grant->access >= ZS_ACCESS_READ && i < policy->grant_count; i++)
		if (i != index && policy->grants[i].access >= grant->access &&
			(!policy->grants[i].public || grant->public) &&
			strcmp(policy->grants[i].path, grant->path) != 0 &&
			zs_path_lies_in(grant->path, policy->grants[i].path) &&
			zs_tree_gives_devices(policy->grants[i].path, grant->path) &&
			!zs_policy_takes_between(policy, grant->path, policy->grants[i].path, ZS_ACCESS_WRITE))
			return true;
	return false;
}

static void prune(struct zs_policy *policy)
{
	size_t kept = 0;

	for (size_t i = 0; i < policy->grant_count; i++) {
		if (is_redundant(policy, i))
			continue;
		/* Swaps and does not drop: a grant is redundant because of another that is kept. */
		struct zs_grant grant = policy->grants[i];

		policy->grants[i] = policy->grants[kept];
		policy->grants[kept++] = grant;
	}
	zs_policy_cut_grants(policy, kept);
}

/* Programs look for a folder for temporary files in these variables. */
static int set_tmp_variables(struct zs_policy *resolved, struct zs_error *error)
{
	static const char *const variables[] = { "TMPDIR=/tmp", "TMP=/tmp", "TEMP=/tmp" };
	int r = 0;

	for (size_t i = 0; r == 0 && resolved->tmp == ZS_TMP_PRIVATE && i < ZS_COUNT(variables); i++)
		if (!zs_policy_sets(resolved, variables[i]))
			r = zs_policy_set_env(resolved, variables[i], error);
	return r;
}

/* "The workspace does not change" is a promise, and grants are a union: a grant that covers the workspace breaks it. A
 * write grant inside the workspace is the caller's own wish, for example for a build folder, and stays. */
static int check_promise(const struct zs_policy *resolved, struct zs_error *error)
{
	if (!resolved->workspace || resolved->workspace_access == ZS_WORKSPACE_WRITE)
		return 0;
	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->access != ZS_ACCESS_WRITE || !zs_tree_covers(grant->path, resolved->workspace))
			continue;
		zs_error_say(error, "workspace", resolved->workspace, EEXIST,
			"is %s, but the grant of write access to %s covers it",
			resolved->workspace_access == ZS_WORKSPACE_READ ? "read-only" : "an overlay", grant->path);
		return zs_error_hint(error, -EEXIST, "leave that grant out, or grant a folder beside the workspace");
	}
	return 0;
}

/* Finds the machine's own protection around a path; NULL: none. access: that of a grant, which would lift it. */
static const struct zs_grant *find_firm(const struct zs_policy *resolved, const char *path, enum zs_access access)
{
	for (size_t i = 0; i < resolved->grant_count; i++) {
		const struct zs_grant *grant = &resolved->grants[i];

		if (grant->firm && (grant->access == ZS_ACCESS_HIDE || access >= ZS_ACCESS_LAYER) &&
			zs_path_lies_in(path, grant->path))
			return grant;
	}
	return NULL;
}

static int refuse_lifting(
	const struct zs_policy *policy, const char *path, const struct zs_grant *firm, struct zs_error *error)
{
	bool task = firm->access == ZS_ACCESS_HIDE && policy->tasks & 1u << ZS_TASK_DOCKER_NONE;

	return zs_error_say(error, step, path, EPERM, "cannot be granted: this machine's settings%s %s %s",
		task ? ", or the task docker-none," : "", zs_access_name(firm->access), firm->path);
}

/* A grant inside such a protection would open a part of it. */
static int keep_firm(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	for (size_t i = resolved->grant_count; i-- > 0;) {
		const struct zs_grant *grant = &resolved->grants[i];
		const struct zs_grant *firm =
			grant->access < ZS_ACCESS_READ ? NULL : find_firm(resolved, grant->path, grant->access);

		if (firm && grant->origin == ZS_ORIGIN_SPELLED)
			return refuse_lifting(policy, grant->path, firm, error);
		if (firm)
			zs_policy_drop_grant(resolved, i);
	}
	for (size_t i = 0; i < resolved->sockets.count; i++) {
		ZS_AUTO_FREE char *real = realpath(resolved->sockets.items[i], NULL);
		const struct zs_grant *firm =
			find_firm(resolved, real ? real : resolved->sockets.items[i], ZS_ACCESS_READ);

		if (firm)
			return refuse_lifting(policy, resolved->sockets.items[i], firm, error);
	}
	return 0;
}

/* Protection of files in the real repository would show them. A grant in there would too, and is somebody's wish. */
static int drop_grants(struct zs_policy *resolved, const char *folder, struct zs_error *error)
{
	for (size_t i = resolved->grant_count; i-- > 0;) {
		const struct zs_grant *grant = &resolved->grants[i];
		bool inside = zs_tree_covers(folder, grant->path);
		/* A bind mount gives the workspace another name, at which no mount covers the real one. */
		bool elsewhere = !zs_path_lies_in(folder, grant->path) && zs_tree_covers(grant->path, folder);

		if (!inside && !elsewhere)
			continue;
		if (grant->access >= ZS_ACCESS_READ)
			return zs_error_say(error, "git_base", grant->path, EPERM,
				"cannot be granted: it leads to the repository that the command must not see");
		if (inside)
			zs_policy_drop_grant(resolved, i);
	}
	return 0;
}

static int resolve_git_base(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = NULL;
	ZS_AUTO_FREE char *base = NULL;
	struct stat st;
	int r;

	if (!policy->git_base)
		return 0;
	if (!resolved->workspace)
		return zs_error_say(error, "git_base", policy->git_base, EINVAL, "needs a workspace");
	folder = zs_policy_git_folder(resolved);
	if (!folder)
		return zs_error_errno(error, "git_base", NULL, ENOMEM);
	r = zs_git_folder_check(folder, error);
	if (r < 0)
		return r;
	base = realpath(policy->git_base, NULL);
	if (!base || stat(base, &st) < 0)
		return zs_error_errno(error, "git_base", policy->git_base, errno);
	if (!S_ISDIR(st.st_mode))
		return zs_error_errno(error, "git_base", policy->git_base, ENOTDIR);
	if (zs_policy_gives(resolved, base, ZS_ACCESS_LAYER))
		return zs_error_say(error, "git_base", base, EPERM, "can be written by the command");
	r = zs_policy_set_git_base(resolved, base, error);
	return r < 0 ? r : drop_grants(resolved, folder, error);
}

int zs_policy_resolve(const struct zs_policy *policy, struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_policy *resolved;
	int r = zs_policy_new(NULL, &resolved);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	r = resolve_paths(policy, resolved, error);
	if (r == 0)
		r = zs_policy_copy_rest(policy, resolved, error);
	if (r == 0)
		r = set_tmp_variables(resolved, error);
	if (r == 0)
		r = check_promise(resolved, error);
	if (r == 0)
		r = zs_policy_expand(policy, resolved, error);
	if (r == 0)
		r = zs_git_protect(policy, resolved, error);
	if (r == 0)
		r = keep_firm(policy, resolved, error);
	if (r == 0)
		r = check_root(resolved, error);
	if (r == 0)
		r = resolve_git_base(policy, resolved, error);
	if (r == 0)
		prune(resolved);
	if (r < 0) {
		zs_policy_free(resolved);
		return r;
	}
	*ret_resolved = resolved;
	return 0;
}
