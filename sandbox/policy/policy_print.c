/* Writes a policy as canonical JSON. */
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "base/error.h"
#include "policy/promise.h"

static const char step[] = "policy";

/* yyjson's functions return NULL or false when out of memory, and accept NULL, so one check at the end is enough where
 * a result is used. */

static bool print_approved(yyjson_mut_doc *doc, yyjson_mut_val *entry, const struct zs_approved_place *place)
{
	const uint64_t numbers[] = { place->device, place->inode, place->born_seconds, place->born_nanoseconds };

	return !place->known ||
	       yyjson_mut_obj_add_val(doc, entry, "approved", yyjson_mut_arr_with_uint64(doc, numbers, 4));
}

static bool print_grant(
	yyjson_mut_doc *doc, const struct zs_policy *policy, const struct zs_grant *grant, yyjson_mut_val *entry)
{
	return yyjson_mut_obj_add_str(doc, entry, "path", grant->path) &&
	       yyjson_mut_obj_add_str(doc, entry, "access", zs_access_name(zs_policy_access(policy, grant))) &&
	       (!grant->public || yyjson_mut_obj_add_bool(doc, entry, "public", true)) &&
	       print_approved(doc, entry, &grant->approved);
}

/* A reader of the text cannot tell which grants are a preset's. So a preset's grants that break its promises are left
 * out here. */
static yyjson_mut_val *print_paths(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *paths = yyjson_mut_arr(doc);
	struct zs_judge judge;
	int r = 0;

	zs_judge_begin(&judge, policy);
	for (size_t i = 0; r >= 0 && i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (zs_policy_leaves_out(policy, grant))
			continue;
		r = policy->preset ? zs_judge_named(&judge, grant->path, grant->access, grant->origin) : 1;
		if (r > 0 && !print_grant(doc, policy, grant, yyjson_mut_arr_add_obj(doc, paths)))
			r = -ENOMEM;
	}
	zs_judge_end(&judge);
	for (size_t i = 0; r >= 0 && i < policy->pattern_count; i++) {
		yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, paths);

		if (!yyjson_mut_obj_add_str(doc, entry, "pattern", policy->patterns[i].text) ||
			!yyjson_mut_obj_add_str(doc, entry, "access", zs_access_name(policy->patterns[i].access)))
			r = -ENOMEM;
	}
	return r < 0 ? NULL : paths;
}

static yyjson_mut_val *print_workspace(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *workspace;

	if (!policy->workspace)
		return yyjson_mut_null(doc);
	workspace = yyjson_mut_obj(doc);
	if (!yyjson_mut_obj_add_str(doc, workspace, "root", policy->workspace) ||
		!yyjson_mut_obj_add_str(doc, workspace, "access", zs_workspace_name(policy->workspace_access)))
		return NULL;
	return workspace;
}

static yyjson_mut_val *print_root(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *root = yyjson_mut_obj(doc);

	if (!yyjson_mut_obj_add_str(doc, root, "path", policy->root) ||
		!yyjson_mut_obj_add_bool(doc, root, "root_user", policy->root_user) ||
		(policy->users && !yyjson_mut_obj_add_bool(doc, root, "users", true)) ||
		(policy->image && !yyjson_mut_obj_add_str(doc, root, "image", policy->image)))
		return NULL;
	return root;
}

static yyjson_mut_val *print_strings(yyjson_mut_doc *doc, const struct zs_strings *strings)
{
	yyjson_mut_val *list = yyjson_mut_arr(doc);

	for (size_t i = 0; i < strings->count; i++)
		if (!yyjson_mut_arr_add_str(doc, list, strings->items[i]))
			return NULL;
	return list;
}

static yyjson_mut_val *print_network(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *network;

	if (policy->network != ZS_NETWORK_HOSTS)
		return yyjson_mut_str(doc, zs_network_name(policy->network));
	network = yyjson_mut_obj(doc);
	return yyjson_mut_obj_add_val(doc, network, "hosts", print_strings(doc, &policy->hosts)) ? network : NULL;
}

static yyjson_mut_val *print_links(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *links = yyjson_mut_obj(doc);

	for (size_t i = 0; i < policy->link_count; i++)
		if (!yyjson_mut_obj_add_str(doc, links, policy->links[i].path, policy->links[i].target))
			return NULL;
	return links;
}

static yyjson_mut_val *print_env(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *env = yyjson_mut_obj(doc);
	yyjson_mut_val *set = yyjson_mut_obj(doc);

	for (size_t i = 0; i < policy->env_set.count; i++) {
		const char *assignment = policy->env_set.items[i];
		size_t len = strcspn(assignment, "=");

		if (!yyjson_mut_obj_add(
			    set, yyjson_mut_strn(doc, assignment, len), yyjson_mut_str(doc, assignment + len + 1)))
			return NULL;
	}
	if (!yyjson_mut_obj_add_val(doc, env, "pass", print_strings(doc, &policy->env_pass)) ||
		!yyjson_mut_obj_add_val(doc, env, "set", set))
		return NULL;
	return env;
}

static yyjson_mut_val *print_limits(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *limits = yyjson_mut_obj(doc);

	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++) {
		uint64_t value = zs_policy_limit(policy, limit);

		if (value && !yyjson_mut_obj_add_uint(doc, limits, zs_limit_name(limit), value))
			return NULL;
	}
	return limits;
}

static yyjson_mut_val *print_without(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *list = yyjson_mut_arr(doc);

	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (zs_policy_gives_up(policy, promise) && !yyjson_mut_arr_add_str(doc, list, zs_promise_name(promise)))
			return NULL;
	return list;
}

static bool print(yyjson_mut_doc *doc, const struct zs_policy *policy)
{
	yyjson_mut_val *root = yyjson_mut_obj(doc);

	yyjson_mut_doc_set_root(doc, root);
	return yyjson_mut_obj_add_int(doc, root, "version", ZS_POLICY_VERSION) &&
	       yyjson_mut_obj_add_val(doc, root, "workspace", print_workspace(doc, policy)) &&
	       (!policy->root || yyjson_mut_obj_add_val(doc, root, "root", print_root(doc, policy))) &&
	       (!policy->git_base || yyjson_mut_obj_add_str(doc, root, "git_base", policy->git_base)) &&
	       yyjson_mut_obj_add_val(doc, root, "paths", print_paths(doc, policy)) &&
	       (!policy->link_count || yyjson_mut_obj_add_val(doc, root, "links", print_links(doc, policy))) &&
	       yyjson_mut_obj_add_str(doc, root, "git", zs_git_name(policy->git)) &&
	       yyjson_mut_obj_add_str(doc, root, "tmp", zs_tmp_name(policy->tmp)) &&
	       yyjson_mut_obj_add_str(doc, root, "caches", zs_caches_name(policy->caches)) &&
	       yyjson_mut_obj_add_val(doc, root, "network", print_network(doc, policy)) &&
	       yyjson_mut_obj_add_val(doc, root, "unix_sockets", print_strings(doc, &policy->sockets)) &&
	       yyjson_mut_obj_add_val(doc, root, "env", print_env(doc, policy)) &&
	       yyjson_mut_obj_add_val(doc, root, "limits", print_limits(doc, policy)) &&
	       yyjson_mut_obj_add_val(doc, root, "without", print_without(doc, policy)) &&
	       (policy->tier == ZS_TIER_MOUNTS ||
		       yyjson_mut_obj_add_str(doc, root, "tier", zs_tier_name(policy->tier)));
}

int zs_policy_to_json(
	const struct zs_policy *policy, bool pretty, char **ret_text, size_t *ret_len, struct zs_error *error)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	char *text = NULL;
	size_t len = 0;

	if (doc && print(doc, policy))
		text = yyjson_mut_write(doc, pretty ? YYJSON_WRITE_PRETTY : YYJSON_WRITE_NOFLAG, &len);
	yyjson_mut_doc_free(doc);
	if (!text)
		return zs_error_errno(error, step, NULL, ENOMEM);
	if (len > ZS_POLICY_BYTES_MAX) {
		free(text);
		zs_error_say(error, step, NULL, E2BIG, "more than %d bytes of JSON", ZS_POLICY_BYTES_MAX);
		return policy->matches
			       ? zs_error_hint(error, -E2BIG,
					 "a pattern matches %zu files; run without a list of changes or a report, "
					 "or narrow the pattern",
					 policy->matches)
			       : -E2BIG;
	}
	*ret_text = text;
	if (ret_len)
		*ret_len = len;
	return 0;
}
