/* The machine's own settings: a file of root's, which narrows every policy, whatever made it. For each thing that the
 * file names, the policy keeps no more than a user would get whose own settings were this file. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/pattern.h"
#include "policy/environment.h"
#include "policy/preset.h"
#include "settings/settings_places.h"
#include "settings/settings_value.h"

static const char step[] = "managed settings";

/* Loading */

/* Tasks read the user's own files for the names of their hosts. */
static int refuse_tasks(const struct zs_settings_file *file, struct zs_error *error)
{
	for (size_t i = 0; i < file->count; i++) {
		const struct zs_setting *item = &file->items[i];
		bool task = item->key->type == ZS_SETTING_TASKS ||
			    (item->key->type == ZS_SETTING_HOSTS && item->text && item->text[0] == '@');

		if (!task || item->form != ZS_FORM_VALUE)
			continue;
		zs_error_say(error, step, file->path, EINVAL,
			"line %u: %s: %s: a task has the hosts that the user's "
			"files name, which is no bound",
			item->line, item->key->name, item->text);
		return zs_error_hint(error, -EINVAL, "name the hosts in network_hosts");
	}
	return 0;
}

/* An allow lifts what a profile blocks, and this file only narrows. */
static int refuse_allow(const struct zs_settings_file *file, struct zs_error *error)
{
	const struct zs_setting *item = zs_settings_find(file, ZS_SETTING_KEY_ALLOW);

	if (!item || item->form != ZS_FORM_VALUE)
		return 0;
	zs_error_say(error, step, file->path, EINVAL, "line %u: %s: this machine's settings only narrow", item->line,
		item->key->name);
	return zs_error_hint(error, -EINVAL, "leave it out; users allow commands in their own settings");
}

/* "~" is the home that the system's list has: HOME is the user's to set. */
static int find_home(struct zs_settings *settings, struct zs_error *error)
{
	struct zs_policy *policy;
	size_t size;
	int r = zs_policy_new(NULL, &policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	r = zs_policy_find_account_home(policy);
	size = sizeof "HOME=" + strlen(policy->account_home ? policy->account_home : "");
	if (r == 0 && policy->account_home && !(settings->account_home = malloc(size)))
		r = -ENOMEM;
	if (r == 0 && settings->account_home)
		snprintf(settings->account_home, size, "HOME=%s", policy->account_home);
	zs_policy_free(policy);
	return r < 0 ? zs_error_errno(error, step, NULL, -r) : 0;
}

int zs_managed_load(struct zs_settings *settings, struct zs_error *error)
{
	ZS_AUTO_FREE char *path = zs_path_join(zs_settings_places.managed, "settings.json");
	struct zs_file_text text;
	int r = path ? zs_read_managed_file(zs_settings_places.managed, path, ZS_SETTINGS_BYTES_MAX, &text, error)
		     : zs_error_errno(error, step, NULL, ENOMEM);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = find_home(settings, error);
	if (r == 0) {
		const struct zs_settings_reading reading = { .file = path,
			.platform = zs_settings_places.platform,
			.envp = (char *[]){ settings->account_home, NULL },
			.error = error };

		r = zs_settings_parse(&reading, text.text, text.len, &settings->managed);
	}
	free(text.text);
	settings->has_managed = r == 0;
	if (r == 0)
		r = refuse_allow(&settings->managed, error);
	return r == 0 ? refuse_tasks(&settings->managed, error) : r;
}

/* Narrowing */

struct narrowing {
	const struct zs_settings_file *file;
	struct zs_policy *policy;
	struct zs_policy *most;     /* that of a user whose settings are this file */
	struct zs_policy *resolved; /* the same, resolved; NULL: the file names no paths */
	struct zs_sources *sources;
	size_t left_out;
	char first[160]; /* the first entry that was left out */
	struct zs_error *error;
};

static bool names(const struct narrowing *all, enum zs_setting_id id)
{
	return zs_settings_find(all->file, id) != NULL;
}

/* Does the file name paths of this access? */
static bool names_paths(const struct narrowing *all, enum zs_access access)
{
	for (size_t i = 0; i < all->file->count; i++)
		if (all->file->items[i].key->access == access && all->file->items[i].form != ZS_FORM_NONE)
			return true;
	return access == ZS_ACCESS_WRITE && names(all, ZS_SETTING_KEY_ALLOW_FS_WRITE_ALL);
}

static void leave_out(struct narrowing *all, const char *field, const char *value)
{
	if (all->left_out++ == 0)
		snprintf(all->first, sizeof all->first, "%s %s", field, value);
}

static int managed_note(const struct narrowing *all, unsigned line)
{
	const struct zs_source source = { .kind = ZS_SOURCE_MANAGED, .line = line };

	return all->sources && zs_sources_note(all->sources, all->policy, source) < 0
		       ? zs_error_errno(all->error, step, NULL, ENOMEM)
		       : 0;
}

static int find_most(struct narrowing *all, char *const envp[])
{
	/* A policy without a workspace is compared with one of a folder that nobody else can write. */
	struct zs_settings own = { .envp = envp,
		.workspace = all->policy->workspace ? all->policy->workspace : (char *)zs_settings_places.managed,
		.user = *all->file };
	bool paths = false;
	int r = zs_settings_user_policy(&own, &all->most, all->error);

	if (r == 0)
		all->most->caches = ZS_CACHES_SHARED; /* narrow_by() narrows them; a layer covers no cache */
	for (enum zs_access access = ZS_ACCESS_READ; access < ZS_ACCESS_COUNT; access++)
		paths |= names_paths(all, access);
	return r == 0 && paths ? zs_policy_resolve(all->most, &all->resolved, all->error) : r;
}

static int narrow_hosts(struct narrowing *all)
{
	struct zs_policy *policy = all->policy;
	const struct zs_strings *most = &all->most->hosts;
	enum zs_network before = policy->network;
	int r = 0;

	if (all->most->network == ZS_NETWORK_FULL || before == ZS_NETWORK_NONE ||
		!(names(all, ZS_SETTING_KEY_ALLOW_NETWORK) || names(all, ZS_SETTING_KEY_NETWORK_HOSTS) ||
			names(all, ZS_SETTING_KEY_ALLOW_ALL_HOSTS)))
		return 0;
	/* If one entry covers another, the smaller one stays. */
	for (size_t i = 0; r == 0 && i < most->count; i++)
		if (before == ZS_NETWORK_FULL || zs_policy_covers_host(policy, most->items[i]))
			r = zs_policy_add_host(policy, most->items[i], all->error);
	for (size_t i = policy->hosts.count; i-- > 0;)
		if (!zs_policy_covers_host(all->most, policy->hosts.items[i])) {
			leave_out(all, "host", policy->hosts.items[i]);
			zs_strings_drop(&policy->hosts, i);
		}
	if (before == ZS_NETWORK_FULL)
		leave_out(all, "network", "full");
	policy->network = all->most->network;
	return r;
}

static void drop_env(struct narrowing *all, struct zs_strings *list, size_t i)
{
	if (i >= list->lent)
		leave_out(all, "variable", list->items[i]);
	all->policy->env_bytes -= strlen(list->items[i]) + 1;
	zs_strings_drop(list, i);
}

static int narrow_env(struct narrowing *all)
{
	struct zs_policy *policy = all->policy;
	const struct zs_strings *most = &all->most->env_pass;
	int r = 0;

	if (!names(all, ZS_SETTING_KEY_ALLOWED_ENV) && !names(all, ZS_SETTING_KEY_MORE_ENV))
		return 0;
	for (size_t i = 0; r == 0 && i < most->count; i++)
		if (zs_env_covers(policy, most->items[i]))
			r = zs_policy_add_env(policy, most->items[i], all->error);
	for (size_t i = policy->env_pass.count; i-- > 0;)
		if (!zs_env_covers(all->most, policy->env_pass.items[i]))
			drop_env(all, &policy->env_pass, i);
	for (size_t i = policy->env_set.count; i-- > 0;) {
		ZS_AUTO_FREE char *name = strdup(policy->env_set.items[i]);

		if (!name)
			return zs_error_errno(all->error, step, NULL, ENOMEM);
		name[strcspn(name, "=")] = '\0';
		if (!zs_env_covers(all->most, name))
			drop_env(all, &policy->env_set, i);
	}
	return r;
}

static int narrow_git(struct narrowing *all)
{
	if (!names(all, ZS_SETTING_KEY_ALLOW_GIT_ACCESS) || all->most->git == ZS_GIT_ALLOW)
		return 0;
	if (all->policy->git == ZS_GIT_ALLOW)
		leave_out(all, "git", "allow");
	all->policy->git_firm = true;
	return zs_policy_set_git(all->policy, ZS_GIT_PROTECT, all->error);
}

/* Writing includes running, and running includes reading. */
static bool may_stay(const struct narrowing *all, const char *path, enum zs_access access)
{
	for (enum zs_access each = ZS_ACCESS_READ; each <= access; each++)
		if (names_paths(all, each) && !zs_policy_covers(all->resolved, path, each))
			return false;
	return true;
}

static int narrow_paths(struct narrowing *all)
{
	struct zs_policy *policy = all->policy;

	if (policy->root && all->resolved && !may_stay(all, policy->root, ZS_ACCESS_EXEC))
		return zs_error_say(all->error, step, policy->root, EPERM,
			"cannot be the root directory: this machine's settings do not let commands read and run it");
	for (size_t i = policy->grant_count; all->resolved && i-- > 0;) {
		const struct zs_grant *grant = &policy->grants[i];

		if (grant->access < ZS_ACCESS_READ || may_stay(all, grant->path, grant->access))
			continue;
		if (grant->origin == ZS_ORIGIN_SPELLED)
			leave_out(all, zs_access_name(grant->access), grant->path);
		zs_policy_drop_grant(policy, i);
	}
	return 0;
}

/* The policy's own waiver would let the command run without the protection. */
static int take_away(struct narrowing *all, const struct zs_setting *item)
{
	int r = (zs_is_pattern(item->text) ? zs_policy_add_pattern : zs_policy_add_path)(
		all->policy, item->text, item->key->access, all->error);

	zs_policy_make_firm(all->policy, item->text, item->key->access);
	all->policy->without &= ~(1u << (item->key->access == ZS_ACCESS_HIDE ? ZS_PROMISE_HIDE : ZS_PROMISE_PROTECT));
	return r;
}

static int narrow_by(struct narrowing *all, const struct zs_setting *item)
{
	uint64_t now;
	int r = 0;

	if (item->form != ZS_FORM_VALUE)
		return 0;
	now = item->key->type == ZS_SETTING_LIMIT ? zs_policy_limit(all->policy, item->key->limit) : 0;
	if (item->key->type == ZS_SETTING_LIMIT && (!now || now > item->number))
		r = zs_policy_set_limit(all->policy, item->key->limit, item->number, all->error);
	else if (item->key->type == ZS_SETTING_CACHES && item->number < all->policy->caches)
		r = zs_policy_set_caches(all->policy, (enum zs_caches)item->number, all->error);
	else if (item->key->merge == ZS_MERGE_TAKE)
		r = take_away(all, item);
	return r < 0 ? r : managed_note(all, item->line);
}

static int narrow_all(struct narrowing *all)
{
	static int (*const parts[])(struct narrowing *) = { narrow_hosts, narrow_env, narrow_git, narrow_paths };
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++)
		r = parts[i](all);
	if (r == 0)
		r = managed_note(all, 0);
	for (size_t i = 0; r == 0 && i < all->file->count; i++)
		r = narrow_by(all, &all->file->items[i]);
	return r;
}

int zs_settings_narrow(const struct zs_settings *settings, struct zs_policy *policy, struct zs_sources *sources,
	struct zs_error *ret_left_out, struct zs_error *error)
{
	struct narrowing all = { .file = &settings->managed, .policy = policy, .sources = sources, .error = error };
	int r;

	*ret_left_out = (struct zs_error){ 0 };
	if (!settings->has_managed)
		return 0;
	r = find_most(&all, (char *[]){ settings->account_home, NULL });
	if (r == 0)
		r = narrow_all(&all);
	zs_policy_free(all.most);
	zs_policy_free(all.resolved);
	if (r < 0)
		return zs_error_hint(error, r, "the machine's settings are in %s", all.file->path);
	if (all.left_out)
		zs_error_say(ret_left_out, step, all.file->path, EPERM,
			"left out %zu %s that this machine does not allow: "
			"%s%s",
			all.left_out, all.left_out == 1 ? "entry" : "entries", all.first,
			all.left_out == 1 ? "" : ", …");
	return 0;
}

/* Showing */

const char *zs_settings_managed_file(const struct zs_settings *settings)
{
	return settings->has_managed ? settings->managed.path : NULL;
}

void zs_settings_each_managed(const struct zs_settings *settings, zs_each_entry *each, void *arg)
{
	for (size_t i = 0; i < settings->managed.count; i++) {
		const struct zs_setting *item = &settings->managed.items[i];
		const struct zs_source source = { .kind = ZS_SOURCE_MANAGED, .line = item->line };
		char number[32];

		snprintf(number, sizeof number, "%llu", (unsigned long long)item->number);
		if (item->key->type == ZS_SETTING_BOOL)
			snprintf(number, sizeof number, "%s", item->number ? "true" : "false");
		if (zs_setting_names(item->key->type))
			snprintf(number, sizeof number, "%s", zs_setting_names(item->key->type)[item->number]);
		if (item->form == ZS_FORM_EMPTY)
			snprintf(number, sizeof number, "none");
		if (item->form != ZS_FORM_NONE)
			each(item->key->name, item->text ? item->text : number, source, arg);
	}
}
