/* Reads a policy from JSON: its keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "policy/preset.h"

static const char step[] = "policy";

#define TEXT(id, name, text) name,
static const char *const accesses[] = { ZS_ACCESSES(TEXT) NULL };
static const char *const workspaces[] = { ZS_WORKSPACES(TEXT) NULL };
static const char *const tmps[] = { ZS_TMPS(TEXT) NULL };
static const char *const cacheses[] = { ZS_CACHESES(TEXT) NULL };
static const char *const gits[] = { ZS_GITS(TEXT) NULL };
static const char *const tiers[] = { ZS_TIERS(TEXT) NULL };

#define NAME(type, member) .read = zs_json_read_name, .offset = offsetof(type, member)
#define OBJECT(table) .read = zs_json_read_object, .fields = table, .count = ZS_COUNT(table)

static int read_version(const struct zs_json_node *node, void *into)
{
	char what[64];

	(void)into;
	if (yyjson_is_uint(node->value) && yyjson_get_uint(node->value) == ZS_POLICY_VERSION)
		return 0;
	snprintf(what, sizeof what, "is not %d, the one version known here", ZS_POLICY_VERSION);
	return zs_json_fail(node, EINVAL, what);
}

static int read_approved(const struct zs_json_node *node, void *into)
{
	struct zs_approved_place *approved = &((struct zs_grant *)into)->approved;
	uint64_t *const numbers[] = { &approved->device, &approved->inode, &approved->born_seconds,
		&approved->born_nanoseconds };

	approved->known = yyjson_arr_size(node->value) == ZS_COUNT(numbers);
	for (size_t i = 0; approved->known && i < ZS_COUNT(numbers); i++) {
		approved->known = yyjson_is_uint(yyjson_arr_get(node->value, i));
		*numbers[i] = yyjson_get_uint(yyjson_arr_get(node->value, i));
	}
	return approved->known ? 0 : zs_json_fail(node, EINVAL, "is not an array of four numbers");
}

struct read_grant {
	struct zs_grant grant;
	char *pattern;
};

static const struct zs_json_field grant_fields[] = {
	{ "path", zs_json_read_string, .offset = offsetof(struct zs_grant, path) },
	{ "pattern", zs_json_read_string, .offset = offsetof(struct read_grant, pattern) },
	{ "access", NAME(struct zs_grant, access), .required = true, .names = accesses,
		.what = "is not an access; these are hide, protect, read, exec, layer, write" },
	{ "public", zs_json_read_bool, .offset = offsetof(struct zs_grant, public) },
	{ "approved", .read = read_approved },
};

static int read_grant(const struct zs_json_node *node, void *into)
{
	struct zs_policy *policy = into;
	size_t count = policy->grant_count;
	struct read_grant read = { 0 };
	struct zs_grant grant;
	struct zs_error inner;
	int r = zs_json_object(node, grant_fields, ZS_COUNT(grant_fields), &read);

	if (r < 0)
		return r;
	grant = read.grant;
	if (!grant.path == !read.pattern)
		return zs_json_fail(node, EINVAL, "must have one of \"path\" and \"pattern\"");
	if (read.pattern && (grant.public || grant.approved.known))
		return zs_json_fail(node, EINVAL, "is a pattern, which has neither \"public\" nor \"approved\"");
	if (read.pattern)
		return zs_json_judged(node, zs_policy_add_pattern(policy, read.pattern, grant.access, &inner), &inner);
	if (grant.public && grant.access != ZS_ACCESS_READ && grant.access != ZS_ACCESS_EXEC)
		return zs_json_fail(node, EINVAL, "is public; only access read and exec can be public");
	r = zs_json_judged(node, zs_policy_add_path(policy, grant.path, grant.access, &inner), &inner);
	if (r < 0)
		return r;
	if (grant.approved.known && !zs_policy_approve(policy, grant.path, grant.access, &grant.approved))
		return zs_json_fail(node, EINVAL, "is approved, but its path is not canonical");
	if (grant.public)
		zs_policy_mark_public(policy, count);
	return 0;
}

struct workspace {
	const char *root;
	enum zs_workspace access;
};

static const struct zs_json_field workspace_fields[] = {
	{ "root", zs_json_read_string, .required = true, .offset = offsetof(struct workspace, root) },
	{ "access", NAME(struct workspace, access), .required = true, .names = workspaces,
		.what = "is not an access to the workspace; these are read, overlay, write" },
};

static int read_workspace(const struct zs_json_node *node, void *into)
{
	struct workspace workspace = { 0 };
	struct zs_error inner;
	int r;

	if (yyjson_is_null(node->value))
		return 0;
	r = zs_json_object(node, workspace_fields, ZS_COUNT(workspace_fields), &workspace);
	if (r < 0)
		return r;
	return zs_json_judged(node, zs_policy_set_workspace(into, workspace.root, workspace.access, &inner), &inner);
}

struct root {
	const char *path, *image;
	bool root_user, users;
};

static const struct zs_json_field root_fields[] = {
	{ "path", zs_json_read_string, .required = true, .offset = offsetof(struct root, path) },
	{ "root_user", zs_json_read_bool, .offset = offsetof(struct root, root_user) },
	{ "users", zs_json_read_bool, .offset = offsetof(struct root, users) },
	{ "image", zs_json_read_string, .offset = offsetof(struct root, image) },
};

static int read_root(const struct zs_json_node *node, void *into)
{
	struct root root = { 0 };
	struct zs_error inner;
	int r;

	if (yyjson_is_null(node->value))
		return 0;
	r = zs_json_object(node, root_fields, ZS_COUNT(root_fields), &root);
	if (r < 0)
		return r;
	r = zs_policy_set_root(into, root.path, root.root_user, &inner);
	if (r == 0 && root.users)
		r = zs_policy_set_users(into, &inner);
	if (r == 0 && root.image)
		r = zs_policy_set_image(into, root.image, &inner);
	return zs_json_judged(node, r, &inner);
}

static int read_git_base(const struct zs_json_node *node, void *into)
{
	const char *path = NULL;
	struct zs_error inner;
	int r = zs_json_read_string(node, &path);

	return r < 0 ? r : zs_json_judged(node, zs_policy_set_git_base(into, path, &inner), &inner);
}

/* Only a resolved policy has links. */
static int read_link(const struct zs_json_node *node, void *into)
{
	struct zs_error inner;
	const char *target;
	int r = zs_json_string(node, &target);

	return r < 0 ? r : zs_json_judged(node, zs_policy_add_link(into, node->name, target, &inner), &inner);
}

/* "path_lists" and hosts of tasks: they are read when the workspace and the grants are known. */
struct deferred {
	char *const *envp;
	struct zs_json_node lists;
	uint32_t tasks;
};

static int read_host(const struct zs_json_node *node, void *into)
{
	struct deferred *deferred = node->reader->own;
	struct zs_error inner;
	enum zs_task task;
	const char *host;
	int r = zs_json_string(node, &host);

	if (r < 0)
		return r;
	if (host[0] == '@' && zs_task_from_name(host + 1, &task) == 0) {
		deferred->tasks |= 1u << task;
		return 0;
	}
	return zs_json_judged(node, zs_policy_add_hosts(into, host, deferred->envp, &inner), &inner);
}

static const struct zs_json_field network_fields[] = {
	{ "hosts", zs_json_read_array, .required = true, .each = read_host },
};

static int read_network(const struct zs_json_node *node, void *into)
{
	struct zs_policy *policy = into;
	const char *name;
	int r;

	if (yyjson_is_obj(node->value)) {
		policy->network = ZS_NETWORK_HOSTS;
		return zs_json_object(node, network_fields, ZS_COUNT(network_fields), policy);
	}
	r = zs_json_string(node, &name);
	if (r < 0)
		return r;
	/* The word "hosts" alone would name no host: hosts are written as an object. */
	if (zs_network_from_name(name, &policy->network) < 0 || policy->network == ZS_NETWORK_HOSTS)
		return zs_json_fail(node, EINVAL, "is not a network: \"none\", \"full\" or {\"hosts\": […]}");
	return 0;
}

static int set_variable(const struct zs_json_node *node, void *into)
{
	ZS_AUTO_FREE char *assignment = NULL;
	struct zs_error inner;
	const char *value;
	size_t size;
	int r = zs_json_string(node, &value);

	if (r < 0)
		return r;
	if (strchr(node->name, '='))
		return zs_json_fail(node, EINVAL, "is not a variable's name");
	size = strlen(node->name) + strlen(value) + 2;
	assignment = malloc(size);
	if (!assignment)
		return zs_error_errno(node->reader->error, step, NULL, ENOMEM);
	snprintf(assignment, size, "%s=%s", node->name, value);
	if (zs_policy_sets(into, assignment))
		return zs_json_fail(node, EINVAL, "duplicate key");
	return zs_json_judged(node, zs_policy_set_env(into, assignment, &inner), &inner);
}

static const struct zs_json_field env_fields[] = {
	{ "pass", zs_json_read_strings, .add = zs_policy_add_env },
	{ "set", zs_json_read_pairs, .each = set_variable },
};

static int read_limit(const struct zs_json_node *node, void *into)
{
	struct zs_error inner;
	enum zs_limit limit;
	uint64_t amount;
	int r = zs_json_amount(node, &amount);

	if (r < 0)
		return r;
	zs_limit_from_name(node->name, &limit);
	return zs_json_judged(node, zs_policy_set_limit(into, limit, amount, &inner), &inner);
}

#define LIMIT(id, name, word, unit, text) { #name, .read = read_limit },
static const struct zs_json_field limit_fields[] = { ZS_LIMITS(LIMIT) };

#define LIST_NAME(id, name, text) ", " name

static int give_up(struct zs_policy *policy, const char *name, struct zs_error *error)
{
	enum zs_promise promise;

	if (zs_promise_from_name(name, &promise) < 0)
		return zs_error_say(
			error, step, name, EINVAL, "is not a promise; promises are %s", &ZS_PROMISES(LIST_NAME)[2]);
	return zs_policy_give_up(policy, promise, error);
}

static int defer_lists(const struct zs_json_node *node, void *into)
{
	(void)into;
	((struct deferred *)node->reader->own)->lists = *node;
	return 0;
}

static int put_entry(const struct zs_json_node *node, void *list)
{
	return zs_json_string(node, &((const char **)list)[node->index]);
}

static int read_list(const struct zs_json_node *node, void *lists)
{
	const char **list;

	if (yyjson_is_null(node->value))
		return 0;
	if (!yyjson_is_arr(node->value))
		return zs_json_fail(node, EINVAL, "is neither an array nor null");
	list = calloc(yyjson_arr_size(node->value) + 1, sizeof *list);
	if (!list)
		return zs_json_fail(node, ENOMEM, "out of memory");
	*(const char ***)((char *)lists + node->field->offset) = list;
	return zs_json_array(node, put_entry, list);
}

#define LIST(member) { #member, .read = read_list, .offset = offsetof(struct zs_path_lists, member) }
static const struct zs_json_field list_fields[] = { LIST(exec), LIST(read), LIST(write), LIST(more_exec),
	LIST(more_read), LIST(more_write) };

static int use_lists(const struct zs_json_node *node, struct zs_policy *policy, char *const envp[])
{
	struct zs_path_lists lists = { 0 };
	struct zs_error inner;
	int r = zs_json_object(node, list_fields, ZS_COUNT(list_fields), &lists);

	if (r == 0)
		r = zs_json_judged(node, zs_policy_use_lists(policy, envp, &lists, &inner), &inner);
	for (size_t i = 0; i < ZS_COUNT(list_fields); i++)
		free(*(void **)((char *)&lists + list_fields[i].offset));
	return r;
}

static const struct zs_json_field policy_fields[] = {
	{ "version", read_version, .required = true },
	{ "workspace", .read = read_workspace },
	{ "root", .read = read_root },
	{ "git_base", .read = read_git_base },
	{ "paths", zs_json_read_array, .each = read_grant },
	{ "path_lists", .read = defer_lists },
	{ "links", zs_json_read_pairs, .each = read_link },
	{ "network", .read = read_network },
	{ "env", OBJECT(env_fields) },
	{ "tmp", NAME(struct zs_policy, tmp), .names = tmps, .what = "is neither \"private\" nor \"shared\"" },
	{ "caches", NAME(struct zs_policy, caches), .names = cacheses,
		.what = "is none of \"private\", \"auto\", \"tasks\" and \"shared\"" },
	{ "git", NAME(struct zs_policy, git), .names = gits, .what = "is neither \"protect\" nor \"allow\"" },
	{ "unix_sockets", zs_json_read_strings, .add = zs_policy_add_socket },
	{ "limits", OBJECT(limit_fields) },
	{ "without", zs_json_read_strings, .add = give_up },
	{ "tier", NAME(struct zs_policy, tier), .names = tiers,
		.what = "is none of \"mounts\", \"landlock\" and \"seatbelt\"" },
};

static int add_hosts_of(struct zs_policy *policy, enum zs_task task, char *const envp[], struct zs_error *error)
{
	char name[32];

	snprintf(name, sizeof name, "@%s", zs_task_name(task));
	return zs_policy_add_hosts(policy, name, envp, error);
}

static int read_top(const struct zs_json_node *node, void *own)
{
	struct zs_policy *policy = node->reader->policy;
	struct deferred *deferred = own;
	int result = 0, r;

	/* A resolved policy has room for what its patterns have matched. */
	policy->matches = yyjson_obj_get(node->value, "tier") ? ZS_POLICY_MATCHES_MAX : 0;
	r = zs_json_object(node, policy_fields, ZS_COUNT(policy_fields), policy);
	if (zs_json_goes_on(node->reader, r, &result) && deferred->lists.value)
		zs_json_goes_on(node->reader, use_lists(&deferred->lists, policy, deferred->envp), &result);
	for (enum zs_task task = 0; result == 0 && task < ZS_TASK_COUNT; task++)
		if (deferred->tasks & 1u << task)
			result = add_hosts_of(policy, task, deferred->envp, node->reader->error);
	return result;
}

static int read_policy(
	struct zs_json_reader *reader, const char *text, size_t len, char *const envp[], struct zs_policy **ret_policy)
{
	struct deferred deferred = { .envp = envp };
	int r = zs_policy_new(envp, &reader->policy);

	if (r < 0)
		return zs_error_errno(reader->error, step, NULL, -r);
	reader->step = step;
	reader->own = &deferred;
	r = zs_json_parse(reader, text, len, ZS_POLICY_BYTES_MAX, read_top);
	reader->policy->matches = reader->policy->grant_count > ZS_POLICY_PATHS_MAX ? reader->policy->grant_count : 0;
	if (r < 0)
		zs_policy_free(reader->policy);
	else
		*ret_policy = reader->policy;
	return r;
}

int zs_policy_from_json(
	const char *text, size_t len, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error)
{
	struct zs_json_reader reader = { .error = error };

	return read_policy(&reader, text, len, envp, ret_policy);
}

int zs_policy_check_json(
	const char *file, const char *text, size_t len, char *const envp[], zs_each_error *each, void *arg)
{
	struct zs_error error;
	struct zs_json_reader reader = { .file = file, .error = &error, .each = each, .each_arg = arg };
	struct zs_policy *policy;
	int r = read_policy(&reader, text, len, envp, &policy);

	if (r == 0)
		zs_policy_free(policy);
	return zs_json_end_check(r, &error, each, arg);
}
