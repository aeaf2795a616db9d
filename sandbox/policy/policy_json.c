/* A policy from JSON: its keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"

static const char step[] = "policy";

static int read_version(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	char what[64];

	(void)into;
	if (yyjson_is_uint(value) && yyjson_get_uint(value) == ZS_POLICY_VERSION)
		return 0;
	snprintf(what, sizeof what, "is not %d, the one version known here", ZS_POLICY_VERSION);
	return zs_json_fail(reader, place, EINVAL, what);
}

/* "paths" */

struct path_entry {
	const char *path;
	enum zs_access access;
	bool public;
	struct zs_approved_place approved;
};

static int read_path(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	return zs_json_string(reader, place, value, &((struct path_entry *)into)->path);
}

static int read_access(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	const char *name;
	int r = zs_json_string(reader, place, value, &name);

	if (r < 0)
		return r;
	if (zs_access_from_name(name, &((struct path_entry *)into)->access) < 0)
		return zs_json_fail(reader, place, EINVAL, "is no access: hide, protect, read, exec, write");
	return 0;
}

static int read_public(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	if (!yyjson_is_bool(value))
		return zs_json_fail(reader, place, EINVAL, "is neither true nor false");
	((struct path_entry *)into)->public = yyjson_get_bool(value);
	return 0;
}

static int read_approved(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	struct zs_approved_place *approved = &((struct path_entry *)into)->approved;
	uint64_t *const numbers[] = { &approved->device, &approved->inode, &approved->born_seconds,
		&approved->born_nanoseconds };

	if (yyjson_arr_size(value) != ZS_COUNT(numbers))
		return zs_json_fail(reader, place, EINVAL, "is not an array of four numbers");
	for (size_t i = 0; i < ZS_COUNT(numbers); i++) {
		yyjson_val *number = yyjson_arr_get(value, i);

		if (!yyjson_is_uint(number))
			return zs_json_fail(reader, place, EINVAL, "is not an array of four numbers");
		*numbers[i] = yyjson_get_uint(number);
	}
	approved->known = true;
	return 0;
}

static const struct zs_json_field path_fields[] = {
	{ "path", read_path, true },
	{ "access", read_access, true },
	{ "public", read_public, false },
	{ "approved", read_approved, false },
};

static int read_grant(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *item)
{
	struct path_entry entry = { 0 };
	struct zs_error inner;
	size_t count = reader->policy->grant_count;
	int r = zs_json_object(reader, place, item, path_fields, ZS_COUNT(path_fields), &entry);

	if (r < 0)
		return r;
	if (entry.public && entry.access != ZS_ACCESS_READ && entry.access != ZS_ACCESS_EXEC)
		return zs_json_fail(reader, place, EINVAL, "is public, which goes with access read and exec alone");
	if (zs_policy_add_path(reader->policy, entry.path, entry.access, &inner) < 0)
		return zs_json_refused(reader, place, &inner);
	if (entry.approved.known && !zs_policy_approve(reader->policy, entry.path, entry.access, &entry.approved))
		return zs_json_fail(reader, place, EINVAL, "is approved, and its path is not canonical");
	if (entry.public)
		zs_policy_mark_public(reader->policy, count);
	return 0;
}

static int read_paths(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	yyjson_arr_iter items = yyjson_arr_iter_with(value);
	yyjson_val *item;
	int result = 0;

	(void)into;
	if (!yyjson_is_arr(value))
		return zs_json_fail(reader, place, EINVAL, "is not an array");
	for (size_t i = 0; (item = yyjson_arr_iter_next(&items)); i++) {
		struct zs_json_place at = zs_json_element(place, i, item);

		if (!zs_json_goes_on(reader, read_grant(reader, &at, item), &result))
			break;
	}
	return result;
}

/* "workspace" */

struct workspace_entry {
	const char *root;
	enum zs_workspace access;
};

static int read_root(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	return zs_json_string(reader, place, value, &((struct workspace_entry *)into)->root);
}

static int read_workspace_access(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	const char *name;
	int r = zs_json_string(reader, place, value, &name);

	if (r < 0)
		return r;
	if (zs_workspace_from_name(name, &((struct workspace_entry *)into)->access) < 0)
		return zs_json_fail(reader, place, EINVAL, "is no workspace access: read, overlay, write");
	return 0;
}

static const struct zs_json_field workspace_fields[] = {
	{ "root", read_root, true },
	{ "access", read_workspace_access, true },
};

static int read_workspace(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	struct workspace_entry entry = { 0 };
	struct zs_error inner;
	int r;

	(void)into;
	if (yyjson_is_null(value))
		return 0;
	r = zs_json_object(reader, place, value, workspace_fields, ZS_COUNT(workspace_fields), &entry);
	if (r < 0)
		return r;
	if (zs_policy_set_workspace(reader->policy, entry.root, entry.access, &inner) < 0)
		return zs_json_refused(reader, place, &inner);
	return 0;
}

/* "links": of a resolved policy */

static int read_link(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *key)
{
	const char *path, *target;
	struct zs_error inner;
	int r = zs_json_string(reader, place, key, &path);

	if (r == 0)
		r = zs_json_string(reader, place, yyjson_obj_iter_get_val(key), &target);
	if (r < 0)
		return r;
	return zs_policy_add_link(reader->policy, path, target, &inner) < 0 ? zs_json_refused(reader, place, &inner)
									    : 0;
}

static int read_links(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	return zs_json_pairs(reader, place, value, read_link);
}

/* "network" */

static int read_hosts(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	zs_policy_set_network(reader->policy, ZS_NETWORK_HOSTS, NULL);
	return zs_json_strings(reader, place, value, zs_policy_add_host);
}

static const struct zs_json_field network_fields[] = {
	{ "hosts", read_hosts, true },
};

static int read_network(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	enum zs_network network;
	const char *name;
	int r;

	if (yyjson_is_obj(value))
		return zs_json_object(reader, place, value, network_fields, ZS_COUNT(network_fields), into);
	r = zs_json_string(reader, place, value, &name);
	if (r < 0)
		return r;
	/* The word "hosts" alone would name no host: that is written as an object. */
	if (zs_network_from_name(name, &network) < 0 || network == ZS_NETWORK_HOSTS)
		return zs_json_fail(reader, place, EINVAL, "is no network: \"none\", \"full\" or {\"hosts\": […]}");
	return zs_policy_set_network(reader->policy, network, reader->error);
}

/* "env" */

static int read_env_pass(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	return zs_json_strings(reader, place, value, zs_policy_add_env);
}

static int set_variable(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *key)
{
	ZS_AUTO_FREE char *assignment = NULL;
	struct zs_error inner;
	const char *name, *value;
	size_t size;
	int r = zs_json_string(reader, place, key, &name);

	if (r == 0)
		r = zs_json_string(reader, place, yyjson_obj_iter_get_val(key), &value);
	if (r < 0)
		return r;
	if (strchr(name, '='))
		return zs_json_fail(reader, place, EINVAL, "is not a variable's name");
	size = strlen(name) + strlen(value) + 2;
	assignment = malloc(size);
	if (!assignment)
		return zs_error_errno(reader->error, step, NULL, ENOMEM);
	snprintf(assignment, size, "%s=%s", name, value);
	if (zs_policy_sets(reader->policy, assignment))
		return zs_json_fail(reader, place, EINVAL, "duplicate key");
	return zs_policy_set_env(reader->policy, assignment, &inner) < 0 ? zs_json_refused(reader, place, &inner) : 0;
}

static int read_env_set(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	return zs_json_pairs(reader, place, value, set_variable);
}

static const struct zs_json_field env_fields[] = {
	{ "pass", read_env_pass, false },
	{ "set", read_env_set, false },
};

static int read_env(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	return zs_json_object(reader, place, value, env_fields, ZS_COUNT(env_fields), into);
}

/* "tmp", "git" */

static int read_tmp(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	const char *name;
	enum zs_tmp tmp;
	int r = zs_json_string(reader, place, value, &name);

	(void)into;
	if (r < 0)
		return r;
	if (zs_tmp_from_name(name, &tmp) < 0)
		return zs_json_fail(reader, place, EINVAL, "is neither \"private\" nor \"shared\"");
	return zs_policy_set_tmp(reader->policy, tmp, reader->error);
}

static int read_git(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	const char *name;
	enum zs_git git;
	int r = zs_json_string(reader, place, value, &name);

	(void)into;
	if (r < 0)
		return r;
	if (zs_git_from_name(name, &git) < 0)
		return zs_json_fail(reader, place, EINVAL, "is neither \"protect\" nor \"allow\"");
	return zs_policy_set_git(reader->policy, git, reader->error);
}

static int read_sockets(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	return zs_json_strings(reader, place, value, zs_policy_add_socket);
}

/* "limits" */

static int read_limit(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, enum zs_limit limit)
{
	struct zs_error inner;

	if (!yyjson_is_uint(value) || yyjson_get_uint(value) == 0)
		return zs_json_fail(
			reader, place, EINVAL, "is not a whole number above 0; without a limit, leave it out");
	if (zs_policy_set_limit(reader->policy, limit, yyjson_get_uint(value), &inner) < 0)
		return zs_json_refused(reader, place, &inner);
	return 0;
}

#define READ_LIMIT(id, name, word, unit, text)                                                                         \
	static int read_##name(                                                                                        \
		struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)       \
	{                                                                                                              \
		(void)into;                                                                                            \
		return read_limit(reader, place, value, ZS_LIMIT_##id);                                                \
	}
ZS_LIMITS(READ_LIMIT)

#define LIMIT_FIELD(id, name, word, unit, text) { #name, read_##name, false },
static const struct zs_json_field limit_fields[] = { ZS_LIMITS(LIMIT_FIELD) };

static int read_limits(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	return zs_json_object(reader, place, value, limit_fields, ZS_COUNT(limit_fields), into);
}

/* "without" */

#define LIST_NAME(id, name, text) ", " name

static int give_up(struct zs_policy *policy, const char *name, struct zs_error *error)
{
	enum zs_promise promise;

	if (zs_promise_from_name(name, &promise) < 0)
		return zs_error_say(error, step, name, EINVAL, "is no promise: %s", &ZS_PROMISES(LIST_NAME)[2]);
	return zs_policy_give_up(policy, promise, error);
}

static int read_without(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)into;
	return zs_json_strings(reader, place, value, give_up);
}

/* "tier" */

static int read_tier(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	const char *name;
	int r = zs_json_string(reader, place, value, &name);

	(void)into;
	if (r < 0)
		return r;
	if (zs_tier_from_name(name, &reader->policy->tier) < 0)
		return zs_json_fail(reader, place, EINVAL, "is none of \"mounts\", \"landlock\" and \"seatbelt\"");
	return 0;
}

/* "path_lists": when the workspace is known */

static int defer_lists(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into)
{
	(void)reader;
	(void)place;
	*(yyjson_val **)into = value;
	return 0;
}

static const struct zs_json_field policy_fields[] = {
	{ "version", read_version, true },
	{ "workspace", read_workspace, false },
	{ "paths", read_paths, false },
	{ "path_lists", defer_lists, false },
	{ "links", read_links, false },
	{ "network", read_network, false },
	{ "env", read_env, false },
	{ "tmp", read_tmp, false },
	{ "git", read_git, false },
	{ "unix_sockets", read_sockets, false },
	{ "limits", read_limits, false },
	{ "without", read_without, false },
	{ "tier", read_tier, false },
};

static int policy_json_read_text(struct zs_json_reader *reader, const char *text, size_t len)
{
	struct zs_json_place top = { 0 };
	yyjson_val *lists = NULL;
	yyjson_doc *doc = NULL;
	int result = 0, r = zs_json_parse(reader, text, len, ZS_POLICY_BYTES_MAX, &doc);

	top.at = reader->buffer;
	if (r == 0)
		r = zs_json_object(
			reader, &top, yyjson_doc_get_root(doc), policy_fields, ZS_COUNT(policy_fields), &lists);
	if (zs_json_goes_on(reader, r, &result) && lists) {
		struct zs_json_place at = zs_json_inside(&top, "path_lists", reader->buffer);

		zs_json_goes_on(reader, zs_json_path_lists(reader, &at, lists), &result);
	}
	yyjson_doc_free(doc);
	free((char *)reader->buffer);
	return result;
}

static int read_policy(struct zs_json_reader *reader, const char *text, size_t len, struct zs_policy **ret_policy)
{
	int r = zs_policy_new(reader->envp, &reader->policy);

	if (r < 0)
		return zs_error_errno(reader->error, step, NULL, -r);
	r = policy_json_read_text(reader, text, len);
	if (r < 0) {
		zs_policy_free(reader->policy);
		return r;
	}
	*ret_policy = reader->policy;
	return 0;
}

int zs_policy_from_json(
	const char *text, size_t len, char *const envp[], struct zs_policy **ret_policy, struct zs_error *error)
{
	struct zs_json_reader reader = { .envp = envp, .error = error };

	return read_policy(&reader, text, len, ret_policy);
}

int zs_policy_check_json(
	const char *file, const char *text, size_t len, char *const envp[], zs_each_error *each, void *arg)
{
	struct zs_error error;
	struct zs_json_reader reader = { .file = file, .envp = envp, .error = &error, .each = each, .each_arg = arg };
	struct zs_policy *policy;
	int r = read_policy(&reader, text, len, &policy);

	if (r == 0)
		zs_policy_free(policy);
	else if (r != ZS_JSON_TOLD)
		each(&error, arg); /* out of memory */
	return r == ZS_JSON_TOLD ? -EINVAL : r;
}
