/* Building a policy, one checked addition at a time. Pure: nothing here looks at the machine. */
#include "policy/policy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/variable_names.h"
#include "base/error.h"
#include "git/git_environment.h"
#include "policy/host_list.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/sha256.h"

static const char step[] = "policy";

static int policy_keep(char *const envp[], const char *variable, char **ret_value)
{
	const char *value = zs_env_value(envp, variable);

	*ret_value = value ? strdup(value) : NULL;
	return value && !*ret_value ? -ENOMEM : 0;
}

static int strings_add(struct zs_strings *strings, const char *text)
{
	char **items = zs_with_room(strings->items, strings->count, sizeof *items);
	char *copy;

	if (!items)
		return -ENOMEM;
	strings->items = items;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	items[strings->count++] = copy;
	return 0;
}

static bool strings_have(const struct zs_strings *strings, const char *text)
{
	for (size_t i = 0; i < strings->count; i++)
		if (strings->items[i][0] == text[0] && strcmp(strings->items[i], text) == 0)
			return true;
	return false;
}

int zs_policy_new(char *const envp[], struct zs_policy **ret_policy)
{
	static const char *const variables[ZS_GIT_VARIABLES] = { "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL",
		"GIT_CONFIG_SYSTEM" };
	struct zs_policy *policy = calloc(1, sizeof *policy);
	int r;

	if (!policy)
		return -ENOMEM;
	policy->caches = ZS_CACHES_SHARED; /* the default */
	r = policy_keep(envp, "HOME", &policy->home);
	for (size_t i = 0; r == 0 && i < ZS_GIT_VARIABLES; i++)
		r = policy_keep(envp, variables[i], &policy->git_files[i]);
	for (size_t i = 0; r == 0 && envp && envp[i]; i++)
		if (zs_git_names_env(envp[i]))
			r = strings_add(&policy->git_env, envp[i]);
	if (r < 0) {
		zs_policy_free(policy);
		return r;
	}
	*ret_policy = policy;
	return 0;
}

static void strings_free(struct zs_strings *strings)
{
	for (size_t i = strings->lent; i < strings->count; i++)
		free(strings->items[i]);
	free(strings->items);
}

void zs_policy_free(struct zs_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->grant_count; i++)
		free(policy->grants[i].path);
	free(policy->grants);
	for (size_t i = 0; i < policy->pattern_count; i++)
		free(policy->patterns[i].text);
	free(policy->patterns);
	for (size_t i = 0; i < policy->link_count; i++) {
		free(policy->links[i].path);
		free(policy->links[i].target);
	}
	free(policy->links);
	free(policy->home);
	for (size_t i = 0; i < ZS_GIT_VARIABLES; i++)
		free(policy->git_files[i]);
	strings_free(&policy->git_env);
	free(policy->account_home);
	free(policy->workspace);
	free(policy->root);
	free(policy->image);
	free(policy->git_base);
	strings_free(&policy->former);
	strings_free(&policy->hosts);
	strings_free(&policy->env_pass);
	strings_free(&policy->env_set);
	strings_free(&policy->sockets);
	free(policy->secrets);
	free(policy->left_out);
	free(policy);
}

static int out_of_memory(struct zs_error *error)
{
	return zs_error_errno(error, step, NULL, ENOMEM);
}

/* Fills an empty list with constants. */
static int strings_lend(struct zs_strings *strings, const void *texts, size_t count)
{
	size_t room = 1;

	/* The room that zs_with_room() expects. */
	while (room < count)
		room *= 2;
	strings->items = malloc(room * sizeof *strings->items);
	if (!strings->items)
		return -ENOMEM;
	memcpy(strings->items, texts, count * sizeof *strings->items);
	strings->count = strings->lent = count;
	return 0;
}

/* Moves the normal form of path to *ret_path. */
static int take_path(const struct zs_policy *policy, const char *path, char **ret_path, struct zs_error *error)
{
	const char *problem;
	int r = zs_path_normalize(path, policy->home, ret_path, &problem);

	return r < 0 ? zs_error_say(error, step, path, -r, "%s", problem) : 0;
}

/* FNV-1a of 32 bits. */
static uint32_t hash_of(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

/* Takes normal_path, the normal form of `path`, which is for messages. */
static int add_grant(struct zs_policy *policy, const char *path, char *normal_path, enum zs_access access,
	enum zs_origin origin, bool judged, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = normal_path;
	size_t len = strlen(normal);
	uint32_t hash = hash_of(normal);
	struct zs_grant *grants;

	/* A grant of "/" that takes access away would leave nothing. */
	if (access < ZS_ACCESS_READ && strcmp(normal, "/") == 0)
		return zs_error_say(error, step, normal, EINVAL,
			"everything cannot have the access '%s'; name what is to", zs_access_name(access));
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].hash == hash && policy->grants[i].access == access &&
			strcmp(policy->grants[i].path, normal) == 0) {
			policy->grants[i].judged |= judged;
			policy->grants[i].system = false;
			policy->grants[i].public = false; /* of two wishes, the one for the whole tree counts */
			if (origin < policy->grants[i].origin)
				policy->grants[i].origin = origin;
			return 0;
		}
	if (policy->grant_count >= ZS_POLICY_PATHS_MAX + policy->matches)
		return zs_error_say(error, step, path, E2BIG, "more than %d paths", ZS_POLICY_PATHS_MAX);
	grants = zs_with_room(policy->grants, policy->grant_count, sizeof *grants);
	if (!grants)
		return out_of_memory(error);
	policy->grants = grants;
	grants[policy->grant_count++] = (struct zs_grant){
		.path = ZS_STEAL(normal),
		.len = len,
		.hash = hash,
		.access = access,
		.origin = origin,
		.judged = judged,
	};
	return 0;
}

int zs_policy_add_grant(struct zs_policy *policy, const char *path, enum zs_access access, enum zs_origin origin,
	bool judged, struct zs_error *error)
{
	char *normal;
	int r;

	if (!zs_access_name(access))
		return zs_error_say(error, step, path, EINVAL, "unknown access %d", (int)access);
	r = take_path(policy, path, &normal, error);
	return r < 0 ? r : add_grant(policy, path, normal, access, origin, judged, error);
}

int zs_policy_add_normal(struct zs_policy *policy, const char *normal, enum zs_access access, enum zs_origin origin,
	struct zs_error *error)
{
	char *copy = strdup(normal);

	return copy ? add_grant(policy, normal, copy, access, origin, false, error) : out_of_memory(error);
}

int zs_policy_add_former(struct zs_policy *policy, const char *path, struct zs_error *error)
{
	return strings_add(&policy->former, path) < 0 ? out_of_memory(error) : 0;
}

bool zs_policy_approve(
	struct zs_policy *policy, const char *path, enum zs_access access, const struct zs_approved_place *place)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		if (policy->grants[i].access != access || strcmp(policy->grants[i].path, path) != 0)
			continue;
		policy->grants[i].approved = *place;
		return true;
	}
	return false;
}

void zs_policy_make_firm(struct zs_policy *policy, const char *path, enum zs_access access)
{
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == access && strcmp(policy->grants[i].path, path) == 0)
			policy->grants[i].firm = true;
	for (size_t i = 0; i < policy->pattern_count; i++)
		if (policy->patterns[i].access == access && strcmp(policy->patterns[i].text, path) == 0)
			policy->patterns[i].firm = true;
}

int zs_policy_add_approved(
	struct zs_policy *policy, const char *real, const struct zs_approved_place *place, struct zs_error *error)
{
	int r = zs_policy_add_grant(policy, real, ZS_ACCESS_WRITE, ZS_ORIGIN_SPELLED, true, error);

	if (r < 0 || zs_policy_approve(policy, real, ZS_ACCESS_WRITE, place))
		return r;
	return zs_error_say(error, step, real, EINVAL, "is not a canonical path");
}

void zs_policy_mark_public(struct zs_policy *policy, size_t from)
{
	for (size_t i = from; i < policy->grant_count; i++)
		policy->grants[i].public = true;
}

void zs_policy_mark_system(struct zs_policy *policy, size_t from)
{
	for (size_t i = from; i < policy->grant_count; i++)
		policy->grants[i].system = true;
}

int zs_policy_add_path(struct zs_policy *policy, const char *path, enum zs_access access, struct zs_error *error)
{
	return zs_policy_add_grant(policy, path, access, ZS_ORIGIN_SPELLED, false, error);
}

/* A relative pattern is checked as though it began at the root. */
int zs_policy_normal_pattern(const struct zs_policy *policy, const char *text, char **ret_text, struct zs_error *error)
{
	ZS_AUTO_FREE char *rooted = NULL;
	ZS_AUTO_FREE char *normal = NULL;
	int r;

	if (text[0] == '/' || text[0] == '~')
		return take_path(policy, text, ret_text, error);
	if (text[0] == '@' && !zs_is_secrets(text))
		return zs_error_say(error, step, text, EINVAL, "is no set of patterns; there is " ZS_SECRETS);
	rooted = zs_path_join("/", text);
	if (!rooted)
		return out_of_memory(error);
	r = take_path(policy, rooted, &normal, error);
	if (r < 0)
		return r;
	*ret_text = strdup(normal + 1);
	return *ret_text ? 0 : out_of_memory(error);
}

int zs_policy_add_pattern(struct zs_policy *policy, const char *text, enum zs_access access, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = NULL;
	struct zs_pattern *patterns;
	int r;

	if (access != ZS_ACCESS_PROTECT && access != ZS_ACCESS_HIDE)
		return zs_error_say(error, step, text, EINVAL, "is a pattern; only protect and hide take one");
	if (zs_is_secrets(text) && access != ZS_ACCESS_HIDE)
		return zs_error_say(error, step, text, EINVAL, "is for hide alone");
	r = zs_policy_normal_pattern(policy, text, &normal, error);
	if (r < 0)
		return r;
	for (size_t i = 0; i < policy->pattern_count; i++)
		if (policy->patterns[i].access == access && strcmp(policy->patterns[i].text, normal) == 0)
			return 0;
	if (policy->pattern_count == ZS_POLICY_PATTERNS_MAX)
		return zs_error_say(error, step, text, E2BIG, "more than %d patterns", ZS_POLICY_PATTERNS_MAX);
	patterns = zs_with_room(policy->patterns, policy->pattern_count, sizeof *patterns);
	if (!patterns)
		return out_of_memory(error);
	policy->patterns = patterns;
	patterns[policy->pattern_count++] = (struct zs_pattern){ .text = ZS_STEAL(normal), .access = access };
	return 0;
}

int zs_policy_add_link(struct zs_policy *policy, const char *path, const char *target, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = NULL;
	ZS_AUTO_FREE char *copy = NULL;
	struct zs_link *links;
	int r = take_path(policy, path, &normal, error);

	if (r < 0)
		return r;
	if (!*target || !zs_utf8_valid(target) || strlen(target) > ZS_POLICY_PATH_BYTES_MAX)
		return zs_error_say(error, step, path, EINVAL, "the link's target is empty, too long or not UTF-8");
	for (size_t i = 0; i < policy->link_count; i++)
		if (strcmp(policy->links[i].path, normal) == 0)
			return 0;
	if (policy->link_count == ZS_POLICY_PATHS_MAX)
		return zs_error_say(error, step, path, E2BIG, "more than %d links", ZS_POLICY_PATHS_MAX);
	copy = strdup(target);
	links = zs_with_room(policy->links, policy->link_count, sizeof *links);
	if (links)
		policy->links = links;
	if (!links || !copy)
		return out_of_memory(error);
	links[policy->link_count++] = (struct zs_link){ ZS_STEAL(normal), ZS_STEAL(copy) };
	return 0;
}

void zs_policy_drop_grant(struct zs_policy *policy, size_t index)
{
	free(policy->grants[index].path);
	policy->grant_count--;
	memmove(&policy->grants[index], &policy->grants[index + 1],
		(policy->grant_count - index) * sizeof *policy->grants);
}

void zs_strings_drop(struct zs_strings *strings, size_t index)
{
	if (index < strings->lent)
		strings->lent--;
	else
		free(strings->items[index]);
	strings->count--;
	memmove(&strings->items[index], &strings->items[index + 1], (strings->count - index) * sizeof *strings->items);
}

bool zs_policy_covers_host(const struct zs_policy *policy, const char *host)
{
	struct zs_host_entry wanted, known;

	if (policy->network != ZS_NETWORK_HOSTS || zs_host_entry_parse(host, &wanted, NULL) < 0)
		return policy->network == ZS_NETWORK_FULL;
	for (size_t i = 0; i < policy->hosts.count; i++)
		if (zs_host_entry_parse(policy->hosts.items[i], &known, NULL) == 0 &&
			zs_host_entry_covers(&known, &wanted))
			return true;
	return false;
}

void zs_policy_cut_grants(struct zs_policy *policy, size_t count)
{
	while (policy->grant_count > count)
		free(policy->grants[--policy->grant_count].path);
}

int zs_policy_set_workspace(
	struct zs_policy *policy, const char *path, enum zs_workspace access, struct zs_error *error)
{
	char *normal;
	int r;

	if (!zs_workspace_name(access))
		return zs_error_say(error, step, path, EINVAL, "unknown workspace access %d", (int)access);
	r = take_path(policy, path, &normal, error);
	if (r < 0)
		return r;
	free(policy->workspace);
	policy->workspace = normal;
	policy->workspace_access = access;
	return 0;
}

int zs_policy_set_root(struct zs_policy *policy, const char *path, bool root_user, struct zs_error *error)
{
	char *normal;
	int r = take_path(policy, path, &normal, error);

	if (r < 0)
		return r;
	free(policy->root);
	free(policy->image);
	policy->image = NULL;
	policy->root = normal;
	policy->root_user = root_user;
	policy->users = false;
	return 0;
}

int zs_policy_set_users(struct zs_policy *policy, struct zs_error *error)
{
	if (!policy->root)
		return zs_error_say(error, step, "users", EINVAL, "only another root directory has users");
	policy->root_user = policy->users = true;
	return 0;
}

int zs_policy_set_git_base(struct zs_policy *policy, const char *path, struct zs_error *error)
{
	char *normal;
	int r = take_path(policy, path, &normal, error);

	if (r < 0)
		return r;
	free(policy->git_base);
	policy->git_base = normal;
	return 0;
}

int zs_policy_set_image(struct zs_policy *policy, const char *digest, struct zs_error *error)
{
	static const char algorithm[] = "sha256:";
	const char *hex = strncmp(digest, algorithm, strlen(algorithm)) == 0 ? digest + strlen(algorithm) : digest;
	size_t size = sizeof algorithm + ZS_SHA256_HEX;
	char *image;

	if (strlen(hex) != ZS_SHA256_HEX || strspn(hex, "0123456789abcdef") != ZS_SHA256_HEX)
		return zs_error_say(error, step, digest, EINVAL, "is not sha256: and 64 hexadecimal digits");
	image = malloc(size);
	if (!image)
		return out_of_memory(error);
	snprintf(image, size, "%s%s", algorithm, hex);
	free(policy->image);
	policy->image = image;
	return 0;
}

const char *zs_policy_root(const struct zs_policy *policy)
{
	return policy->root;
}

bool zs_policy_has_users(const struct zs_policy *policy)
{
	return policy->users;
}

const char *zs_policy_image(const struct zs_policy *policy)
{
	return policy->image;
}

bool zs_policy_leaves_out(const struct zs_policy *policy, const struct zs_grant *grant)
{
	static const char *const kept[] = { "/proc", "/sys", "/dev" };

	if (grant->scratch && policy->tmp == ZS_TMP_PRIVATE)
		return true;
	if (!policy->root || grant->access < ZS_ACCESS_READ || grant->repository ||
		(grant->origin == ZS_ORIGIN_SPELLED && !grant->system))
		return false;
	for (size_t i = 0; i < ZS_COUNT(kept); i++)
		if (zs_path_lies_in(grant->path, kept[i]))
			return false;
	return true;
}

enum zs_access zs_policy_workspace_grant(const struct zs_policy *policy)
{
	/* A command may run the programs of a workspace that it only reads, since building and testing need that. */
	return policy->workspace_access == ZS_WORKSPACE_WRITE ? ZS_ACCESS_WRITE : ZS_ACCESS_EXEC;
}

int zs_policy_set_network(struct zs_policy *policy, enum zs_network network, struct zs_error *error)
{
	if (!zs_network_name(network))
		return zs_error_say(error, step, "network", EINVAL, "unknown value %d", (int)network);
	policy->network = network;
	return 0;
}

enum zs_git zs_policy_git(const struct zs_policy *policy)
{
	return policy->git;
}

enum zs_network zs_policy_network(const struct zs_policy *policy)
{
	return policy->network;
}

int zs_policy_add_host(struct zs_policy *policy, const char *host, struct zs_error *error)
{
	char text[ZS_HOST_ENTRY_SIZE];
	struct zs_host_entry entry;
	const char *problem;
	int r = zs_host_entry_parse(host, &entry, &problem);

	if (r == -ENOMEM)
		return out_of_memory(error);
	if (r < 0)
		return zs_error_hint(error, zs_error_say(error, step, host, -r, "%s", problem),
			"write NAME, *.NAME or an IP address, each with :PORT or without");
	zs_host_entry_text(&entry, text);
	if (strings_have(&policy->hosts, text))
		return zs_policy_set_network(policy, ZS_NETWORK_HOSTS, error);
	if (policy->hosts.count == ZS_POLICY_HOSTS_MAX)
		return zs_error_say(error, step, host, E2BIG, "more than %d hosts", ZS_POLICY_HOSTS_MAX);
	if (strings_add(&policy->hosts, text) < 0)
		return out_of_memory(error);
	policy->network = ZS_NETWORK_HOSTS;
	return 0;
}

int zs_policy_add_socket(struct zs_policy *policy, const char *path, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = NULL;
	int r = take_path(policy, path, &normal, error);

	if (r < 0)
		return r;
	if (strings_have(&policy->sockets, normal))
		return 0;
	if (policy->sockets.count == ZS_POLICY_SOCKETS_MAX)
		return zs_error_say(error, step, path, E2BIG, "more than %d sockets", ZS_POLICY_SOCKETS_MAX);
	return strings_add(&policy->sockets, normal) < 0 ? out_of_memory(error) : 0;
}

int zs_policy_set_caches(struct zs_policy *policy, enum zs_caches caches, struct zs_error *error)
{
	if (!zs_caches_name(caches))
		return zs_error_say(error, step, "caches", EINVAL, "unknown value %d", (int)caches);
	policy->caches = caches;
	return 0;
}

int zs_policy_set_tmp(struct zs_policy *policy, enum zs_tmp tmp, struct zs_error *error)
{
	if (!zs_tmp_name(tmp))
		return zs_error_say(error, step, "tmp", EINVAL, "unknown value %d", (int)tmp);
	policy->tmp = tmp;
	return 0;
}

int zs_policy_set_git(struct zs_policy *policy, enum zs_git git, struct zs_error *error)
{
	if (!zs_git_name(git))
		return zs_error_say(error, step, "git", EINVAL, "unknown value %d", (int)git);
	policy->git = git;
	return 0;
}

void zs_policy_on_notice(struct zs_policy *policy, zs_each_error *notice, void *arg)
{
	policy->notice = notice;
	policy->notice_arg = arg;
}

int zs_policy_give_up(struct zs_policy *policy, enum zs_promise promise, struct zs_error *error)
{
	if (!zs_promise_name(promise))
		return zs_error_say(error, step, "without", EINVAL, "unknown value %d", (int)promise);
	policy->without |= 1u << promise;
	return 0;
}

bool zs_policy_gives_up(const struct zs_policy *policy, enum zs_promise promise)
{
	return policy->without >> promise & 1;
}

static bool is_env_name(const char *name, size_t len)
{
	if (len == 0 || (name[0] >= '0' && name[0] <= '9'))
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = name[i];

		if (c != '_' && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9'))
			return false;
	}
	return true;
}

static int strings_copy(const struct zs_strings *from, struct zs_strings *to)
{
	int r = from->lent ? strings_lend(to, from->items, from->lent) : 0;

	for (size_t i = from->lent; r == 0 && i < from->count; i++)
		r = strings_add(to, from->items[i]);
	return r;
}

int zs_policy_copy_rest(const struct zs_policy *from, struct zs_policy *to, struct zs_error *error)
{
	int r = strings_copy(&from->hosts, &to->hosts);

	if (r == 0)
		r = strings_copy(&from->env_pass, &to->env_pass);
	if (r == 0)
		r = strings_copy(&from->env_set, &to->env_set);
	if (r == 0)
		r = strings_copy(&from->sockets, &to->sockets);
	to->env_bytes = from->env_bytes;
	to->network = from->network;
	to->tmp = from->tmp;
	to->caches = from->caches;
	to->git = from->git;
	to->limits = from->limits;
	to->root_user = from->root_user;
	to->users = from->users;
	to->without = from->without;
	return r < 0 ? out_of_memory(error) : 0;
}

void zs_policy_clear_env(struct zs_policy *policy)
{
	for (size_t i = 0; i < policy->env_pass.count; i++)
		policy->env_bytes -= strlen(policy->env_pass.items[i]) + 1;
	strings_free(&policy->env_pass);
	policy->env_pass = (struct zs_strings){ 0 };
}

static int refuse_loader(struct zs_error *error, const char *name)
{
	zs_error_say(error, step, name, EPERM, "this variable makes programs load other code; it never passes");
	return zs_error_hint(error, -EPERM, "let the command set it: env NAME=value COMMAND");
}

/* Is there room for text once `replaced` is gone? replaced may be NULL. */
static int check_env(const struct zs_policy *policy, const struct zs_strings *list, const char *text,
	const char *replaced, struct zs_error *error)
{
	size_t bytes = policy->env_bytes - (replaced ? strlen(replaced) + 1 : 0) + strlen(text) + 1;

	if (!replaced && list->count == ZS_POLICY_ENV_MAX)
		return zs_error_say(error, step, "env", E2BIG, "more than %d variables", ZS_POLICY_ENV_MAX);
	if (bytes > ZS_POLICY_ENV_BYTES_MAX)
		return zs_error_say(error, step, "env", E2BIG, "more than %d bytes", ZS_POLICY_ENV_BYTES_MAX);
	return 0;
}

int zs_policy_add_env(struct zs_policy *policy, const char *name, struct zs_error *error)
{
	size_t len = strlen(name);
	bool prefix = len && name[len - 1] == '*';
	int r;

	if (!len)
		return zs_error_say(error, step, "", EINVAL, "the variable's name is empty");
	if (!is_env_name(name, len - prefix))
		return zs_error_say(
			error, step, name, EINVAL, "is not a variable's name, nor the start of one and '*'");
	if (!prefix && zs_env_is_loader(name, len))
		return refuse_loader(error, name);
	if (strings_have(&policy->env_pass, name))
		return 0;
	r = check_env(policy, &policy->env_pass, name, NULL, error);
	if (r < 0)
		return r;
	if (strings_add(&policy->env_pass, name) < 0)
		return out_of_memory(error);
	policy->env_bytes += len + 1;
	return 0;
}

int zs_policy_lend_env(struct zs_policy *policy, const char *const *names, struct zs_error *error)
{
	size_t count = 0;

	for (; names[count]; count++)
		policy->env_bytes += strlen(names[count]) + 1;
	return strings_lend(&policy->env_pass, names, count) < 0 ? out_of_memory(error) : 0;
}

/* Finds the place where the variable of this name is set; NULL: it is not set. */
static char **find_set(const struct zs_policy *policy, const char *name, size_t len)
{
	for (size_t i = 0; i < policy->env_set.count; i++)
		if (strncmp(policy->env_set.items[i], name, len) == 0 && policy->env_set.items[i][len] == '=')
			return &policy->env_set.items[i];
	return NULL;
}

int zs_policy_set_env(struct zs_policy *policy, const char *assignment, struct zs_error *error)
{
	size_t name_len = strcspn(assignment, "=");
	char **old, *copy;
	int r;

	if (!*assignment)
		return zs_error_say(error, step, "", EINVAL, "an empty text is not NAME=value");
	if (assignment[name_len] != '=' || !is_env_name(assignment, name_len))
		return zs_error_say(error, step, assignment, EINVAL, "is not NAME=value");
	if (!zs_utf8_valid(assignment))
		return zs_error_say(error, step, assignment, EILSEQ, "is not UTF-8");
	if (zs_env_is_loader(assignment, name_len))
		return refuse_loader(error, assignment);
	old = find_set(policy, assignment, name_len);
	r = check_env(policy, &policy->env_set, assignment, old ? *old : NULL, error);
	if (r < 0)
		return r;
	if (!old) {
		if (strings_add(&policy->env_set, assignment) < 0)
			return out_of_memory(error);
		policy->env_bytes += strlen(assignment) + 1;
		return 0;
	}
	copy = strdup(assignment);
	if (!copy)
		return out_of_memory(error);
	policy->env_bytes += strlen(copy);
	policy->env_bytes -= strlen(*old);
	free(*old);
	*old = copy;
	return 0;
}

bool zs_policy_sets(const struct zs_policy *policy, const char *assignment)
{
	return find_set(policy, assignment, strcspn(assignment, "=")) != NULL;
}

/* Limits */

enum unit { SECONDS, BYTES, COUNT };

/* Bytes and counts fit a signed 64-bit number, so that no limit is RLIM_INFINITY. */
static const uint64_t most[] = { [SECONDS] = ZS_POLICY_SECONDS_MAX, [BYTES] = INT64_MAX, [COUNT] = INT64_MAX };

#define ROW(id, name, word, unit, text) [ZS_LIMIT_##id] = { offsetof(struct zs_limits, name), unit },

static const struct {
	size_t field;
	enum unit unit;
} rows[] = { ZS_LIMITS(ROW) };

int zs_policy_set_limit(struct zs_policy *policy, enum zs_limit limit, uint64_t value, struct zs_error *error)
{
	const char *name = zs_limit_name(limit);

	if (!name)
		return zs_error_say(error, "policy", "limits", EINVAL, "unknown limit %d", (int)limit);
	if (value == 0)
		return zs_error_say(error, "policy", name, EINVAL, "is 0; leave it out where there is no limit");
	if (value > most[rows[limit].unit])
		return zs_error_say(error, "policy", name, ERANGE, "is more than %" PRIu64, most[rows[limit].unit]);
	*(uint64_t *)((char *)&policy->limits + rows[limit].field) = value;
	return 0;
}

uint64_t zs_policy_limit(const struct zs_policy *policy, enum zs_limit limit)
{
	return *(const uint64_t *)((const char *)&policy->limits + rows[limit].field);
}

uint64_t zs_policy_tmp_bytes(const struct zs_policy *policy)
{
	uint64_t limit = zs_policy_limit(policy, ZS_LIMIT_TMP);

	return limit ? limit : ZS_POLICY_TMP_BYTES;
}

static void amount_text(enum unit unit, uint64_t value, char *text, size_t size)
{
	static const struct {
		const char *letters[4];
		uint64_t factor;
	} units[] = {
		[SECONDS] = { { "s", "m", "h", NULL }, 60 },
		[BYTES] = { { "", "K", "M", "G" }, 1024 },
		[COUNT] = { { "", NULL }, 1 },
	};
	size_t i = 0;

	while (i < 3 && units[unit].letters[i + 1] && value % units[unit].factor == 0) {
		value /= units[unit].factor;
		i++;
	}
	snprintf(text, size, "%" PRIu64 "%s", value, units[unit].letters[i]);
}

void zs_bytes_text(uint64_t bytes, char *text, size_t size)
{
	amount_text(BYTES, bytes, text, size);
}

void zs_limit_text(enum zs_limit limit, uint64_t value, char *text, size_t size)
{
	amount_text(rows[limit].unit, value, text, size);
}

void zs_policy_limit_text(const struct zs_policy *policy, enum zs_limit limit, char *text, size_t size)
{
	zs_limit_text(limit, zs_policy_limit(policy, limit), text, size);
}

int zs_approved_place_check(int fd, const struct zs_approved_place *place)
{
	struct zs_approved_place now;
	bool any = !place || !place->known;
	int r = any ? 0 : zs_approved_place_read(fd, &now);

	if (r < 0 || any)
		return r;
	return now.device == place->device && now.inode == place->inode && now.born_seconds == place->born_seconds &&
			       now.born_nanoseconds == place->born_nanoseconds
		       ? 0
		       : -ESTALE;
}
