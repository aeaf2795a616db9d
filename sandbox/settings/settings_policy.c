/* Makes a policy from settings: the preset, then the items of the user's and the project's files that count, each with
 * its source. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/pattern.h"
#include "policy/preset.h"
#include "settings/settings_value.h"

static const char step[] = "settings";

struct builder {
	const struct zs_settings *settings;
	bool with_project;
	enum zs_workspace access;
	const struct zs_path_lists *lists; /* they replace the settings' lists */
	bool hosts;                        /* host items count: no switch allows all or none */
	struct zs_policy *policy;
	const char *task; /* the source of the entries that are added; NULL: no task */
	struct zs_sources *sources;
	struct zs_error *error;
};

static const struct zs_settings_file *file_of(const struct builder *builder, enum zs_source_kind kind)
{
	return kind == ZS_SOURCE_USER ? &builder->settings->user : &builder->settings->project;
}

/* Does an item of the project's file count? */
static bool settings_policy_counts(const struct builder *builder, const struct zs_setting *item)
{
	const struct zs_settings *settings = builder->settings;
	enum zs_width width;

	if (!builder->with_project)
		return false;
	width = settings->judgements[item - settings->project.items].width;
	if (width == ZS_WIDTH_WIDE || width == ZS_WIDTH_PLANTED)
		return settings->trusted;
	/* An item that adds nothing is left out: a grant by the exact name gives more than the grant of the tree in
	 * which the name lies (linked programs, .git). */
	return width == ZS_WIDTH_NARROW || item->key->merge != ZS_MERGE_ADD;
}

static int note(struct builder *builder, enum zs_source_kind kind, unsigned line)
{
	struct zs_source source = { kind, line, builder->task };

	if (builder->sources && zs_sources_note(builder->sources, builder->policy, source) < 0)
		return zs_error_errno(builder->error, step, NULL, ENOMEM);
	return 0;
}

/* Returns the source whose list replaces the machine's own; ZS_SOURCE_PRESET: none does. */
static enum zs_source_kind replaced_by(const struct builder *builder, enum zs_setting_id id)
{
	if (builder->with_project && zs_settings_find(&builder->settings->project, id))
		return ZS_SOURCE_PROJECT;
	return zs_settings_find(&builder->settings->user, id) ? ZS_SOURCE_USER : ZS_SOURCE_PRESET;
}

static const char *const *list_of(const struct zs_path_lists *lists, enum zs_setting_id id)
{
	if (!lists)
		return NULL;
	if (id == ZS_SETTING_KEY_SYSTEM_EXECUTABLE)
		return lists->exec;
	return id == ZS_SETTING_KEY_SYSTEM_READ_ONLY ? lists->read : lists->write;
}

/* Paths */

/* A project cannot take back verify's promise. */
static bool breaks_overlay(const struct builder *builder, const struct zs_setting *item)
{
	return builder->access != ZS_WORKSPACE_WRITE && item->key->access == ZS_ACCESS_WRITE &&
	       zs_path_lies_in(item->text, builder->settings->root);
}

static int settings_policy_add_path(struct builder *builder, const struct zs_setting *item, enum zs_source_kind kind)
{
	enum zs_setting_id id = (enum zs_setting_id)(item->key - zs_setting_keys);
	const struct zs_judged *judged =
		kind == ZS_SOURCE_PROJECT ? &builder->settings->judgements[item - builder->settings->project.items]
					  : NULL;
	bool granted = judged && item->key->merge == ZS_MERGE_REPLACE && judged->width == ZS_WIDTH_GRANTED;

	if (item->key->merge == ZS_MERGE_REPLACE && (replaced_by(builder, id) != kind || list_of(builder->lists, id)))
		return 0;
	if (kind == ZS_SOURCE_PROJECT && breaks_overlay(builder, item))
		return 0;
	/* The place was granted before, as a part of a tree. It stays so: not by its name, and without the libraries
	 * that a program there asks for. */
	if (granted && zs_path_lies_in(item->text, builder->settings->root))
		return 0;
	if (granted)
		return zs_policy_add_grant(builder->policy, judged->real ? judged->real : item->text, item->key->access,
			ZS_ORIGIN_PRESET, judged->real != NULL, builder->error);
	if (judged && judged->width == ZS_WIDTH_PLANTED)
		return zs_error_say(builder->error, step, item->text, EPERM,
			"leads to %s through a link that a confined command may have made", judged->real);
	if (item->key->merge == ZS_MERGE_TAKE && zs_is_pattern(item->text))
		return zs_policy_add_pattern(builder->policy, item->text, item->key->access, builder->error);
	if (item->key->access == ZS_ACCESS_EXEC)
		return zs_policy_add_program(builder->policy, item->text, builder->error);
	/* A lasting answer is for the place that was shown. A command of another workspace may have put a link there
	 * since, which this policy's trees do not show. */
	if (id == ZS_SETTING_KEY_WRITE_PATHS)
		return zs_policy_add_grant(
			builder->policy, item->text, item->key->access, ZS_ORIGIN_SPELLED, true, builder->error);
	return zs_policy_add_path(builder->policy, item->text, item->key->access, builder->error);
}

/* Switches: the project's, if it counts, else the user's */

struct decided {
	const struct zs_setting *item; /* NULL: no file has it */
	enum zs_source_kind kind;
};

static struct decided decide(const struct builder *builder, enum zs_setting_id id)
{
	const struct zs_setting *project = zs_settings_find(&builder->settings->project, id);

	if (project && settings_policy_counts(builder, project))
		return (struct decided){ project, ZS_SOURCE_PROJECT };
	return (struct decided){ zs_settings_find(&builder->settings->user, id), ZS_SOURCE_USER };
}

static bool is_on(struct decided decided)
{
	return decided.item && decided.item->number;
}

static int set_network(struct builder *builder)
{
	struct decided network = decide(builder, ZS_SETTING_KEY_ALLOW_NETWORK);
	struct decided full = network.item ? network : decide(builder, ZS_SETTING_KEY_ALLOW_ALL_HOSTS);
	int r;

	builder->hosts = !network.item && !is_on(full);
	if (!is_on(full))
		return 0;
	r = zs_policy_set_network(builder->policy, ZS_NETWORK_FULL, builder->error);
	return r < 0 ? r : note(builder, full.kind, full.item->line);
}

static int set_git(struct builder *builder)
{
	struct decided git = decide(builder, ZS_SETTING_KEY_ALLOW_GIT_ACCESS);

	if (!git.item)
		return 0;
	zs_policy_set_git(builder->policy, is_on(git) ? ZS_GIT_ALLOW : ZS_GIT_PROTECT, NULL);
	return note(builder, git.kind, git.item->line);
}

/* Not for verify, since it would cover the workspace. */
static int set_write_all(struct builder *builder)
{
	struct decided all = decide(builder, ZS_SETTING_KEY_ALLOW_FS_WRITE_ALL);
	int r;

	if (!is_on(all) || builder->access != ZS_WORKSPACE_WRITE)
		return 0;
	r = zs_policy_add_path(builder->policy, "/", ZS_ACCESS_WRITE, builder->error);
	return r < 0 ? r : note(builder, all.kind, all.item->line);
}

/* Other items, one by one */

/* A limit of a project only lowers. "tmp" has a value where none is set, which only the user's own file can raise. */
static int lower_limit(struct builder *builder, const struct zs_setting *item, enum zs_source_kind kind)
{
	uint64_t now = zs_policy_limit(builder->policy, item->key->limit);

	if (item->key->limit == ZS_LIMIT_TMP && kind == ZS_SOURCE_PROJECT)
		now = zs_policy_tmp_bytes(builder->policy);
	if (now && now <= item->number)
		return 0;
	return zs_policy_set_limit(builder->policy, item->key->limit, item->number, builder->error);
}

/* A project may only ask for more privacy. */
static int set_caches(struct builder *builder, const struct zs_setting *item, enum zs_source_kind kind)
{
	if (kind == ZS_SOURCE_PROJECT && item->number >= builder->policy->caches)
		return 0;
	return zs_policy_set_caches(builder->policy, (enum zs_caches)item->number, builder->error);
}

/* The reader has checked the name. */
static int add_task(struct builder *builder, const struct zs_setting *item)
{
	enum zs_network network = builder->policy->network;
	enum zs_task task = 0;
	int r;

	zs_task_from_name(item->text, &task);
	builder->task = zs_task_name(task);
	if (!builder->hosts) /* a switch says all or none */
		builder->policy->network = ZS_NETWORK_FULL;
	r = zs_policy_add_task(builder->policy, task, builder->settings->envp, builder->error);
	if (!builder->hosts)
		builder->policy->network = network;
	return r;
}

static int add_item(struct builder *builder, const struct zs_setting *item, enum zs_source_kind kind)
{
	size_t count = builder->policy->grant_count;
	int r;

	if (item->form != ZS_FORM_VALUE)
		return 0;
	switch (item->key->type) {
	case ZS_SETTING_PATHS:
		r = settings_policy_add_path(builder, item, kind);
		if (item->key->merge == ZS_MERGE_REPLACE)
			zs_policy_mark_system(builder->policy, count);
		return r;
	case ZS_SETTING_VARIABLES:
		if (item->key->merge == ZS_MERGE_REPLACE && replaced_by(builder, ZS_SETTING_KEY_ALLOWED_ENV) != kind)
			return 0;
		return zs_policy_add_env(builder->policy, item->text, builder->error);
	case ZS_SETTING_LIMIT:
		return lower_limit(builder, item, kind);
	case ZS_SETTING_CACHES:
		return set_caches(builder, item, kind);
	case ZS_SETTING_HOSTS:
		return builder->hosts ? zs_policy_add_hosts(
						builder->policy, item->text, builder->settings->envp, builder->error)
				      : 0;
	case ZS_SETTING_TASKS:
		return add_task(builder, item);
	case ZS_SETTING_BOOL:   /* switches are decided once for both files */
	case ZS_SETTING_SHELLS: /* for a host */
	case ZS_SETTING_PACKS:
	case ZS_SETTING_RULES:
		return 0;
	}
	return 0;
}

static int add_items(struct builder *builder, enum zs_source_kind kind)
{
	const struct zs_settings_file *file = file_of(builder, kind);
	int r = 0;

	for (size_t i = 0; r == 0 && i < file->count; i++) {
		if (kind == ZS_SOURCE_PROJECT && !settings_policy_counts(builder, &file->items[i]))
			continue;
		r = add_item(builder, &file->items[i], kind);
		if (r < 0 && builder->error)
			builder->error->step = step;
		if (r < 0)
			return zs_error_hint(
				builder->error, r, "it is in %s, line %u", file->path, file->items[i].line);
		r = note(builder, kind, file->items[i].line);
		builder->task = NULL;
	}
	return r;
}

static int add_items_of_both(struct builder *builder)
{
	int r = add_items(builder, ZS_SOURCE_USER);

	return r == 0 && builder->with_project ? add_items(builder, ZS_SOURCE_PROJECT) : r;
}

/* The whole */

static int add_preset(struct builder *builder)
{
	static const char *const none[] = { NULL };
	static const enum zs_setting_id ids[] = { ZS_SETTING_KEY_SYSTEM_EXECUTABLE, ZS_SETTING_KEY_SYSTEM_READ_ONLY,
		ZS_SETTING_KEY_SYSTEM_READ_WRITE };
	struct zs_path_lists lists = builder->lists ? *builder->lists : (struct zs_path_lists){ 0 };
	const char *const **fields[] = { &lists.exec, &lists.read, &lists.write };
	int r;

	for (size_t i = 0; i < ZS_COUNT(ids); i++)
		if (!*fields[i] && replaced_by(builder, ids[i]) != ZS_SOURCE_PRESET)
			*fields[i] = none;
	r = zs_policy_preset(builder->settings->workspace, builder->access, builder->settings->envp, &lists,
		&builder->policy, builder->error);
	if (r < 0)
		return r;
	if (replaced_by(builder, ZS_SETTING_KEY_ALLOWED_ENV) != ZS_SOURCE_PRESET)
		zs_policy_clear_env(builder->policy);
	return note(builder, ZS_SOURCE_PRESET, 0);
}

static int build(struct builder *builder, struct zs_policy **ret_policy)
{
	static int (*const parts[])(struct builder *) = { set_network, add_items_of_both, set_git, set_write_all };
	int r = add_preset(builder);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < ZS_COUNT(parts); i++)
		r = parts[i](builder);
	if (r < 0) {
		zs_policy_free(builder->policy);
		return r;
	}
	*ret_policy = builder->policy;
	return 0;
}

int zs_settings_user_policy(const struct zs_settings *settings, struct zs_policy **ret_policy, struct zs_error *error)
{
	struct builder builder = { .settings = settings, .access = ZS_WORKSPACE_WRITE, .error = error };

	return build(&builder, ret_policy);
}

/* Resolving a policy takes time, and most projects ask for nothing. */
static int resolve_user(const struct zs_settings *settings, struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_policy *policy;
	bool any = false;
	int r;

	*ret_resolved = NULL;
	for (size_t i = 0; i < settings->project.count && !any; i++)
		any = zs_setting_can_widen(&settings->project.items[i]);
	if (!any)
		return 0;
	r = zs_settings_user_policy(settings, &policy, error);
	if (r == 0) {
		r = zs_policy_resolve(policy, ret_resolved, error);
		zs_policy_free(policy);
	}
	return r;
}

int zs_settings_judge(struct zs_settings *settings, struct zs_error *error)
{
	struct zs_policy *resolved;
	int r;

	if (settings->judged)
		return 0;
	r = resolve_user(settings, &resolved, error);
	if (r < 0)
		return r;
	r = zs_settings_judge_by(settings, resolved, error);
	zs_policy_free(resolved);
	return r;
}

int zs_settings_widenings(struct zs_settings *settings, const struct zs_widening **ret_widenings, size_t *ret_count,
	size_t *ret_open, struct zs_error *error)
{
	int r = zs_settings_judge(settings, error);

	if (r < 0)
		return r;
	*ret_widenings = settings->widenings;
	*ret_count = settings->widening_count;
	*ret_open = settings->open_count;
	return 0;
}

int zs_settings_policy(struct zs_settings *settings, enum zs_workspace access, const struct zs_path_lists *lists,
	struct zs_policy **ret_policy, struct zs_sources **ret_sources, struct zs_error *error)
{
	struct builder builder = { .settings = settings,
		.with_project = settings->has_project,
		.access = access,
		.lists = lists,
		.error = error };
	int r = zs_settings_judge(settings, error);

	if (r == 0 && ret_sources)
		r = zs_sources_new(&builder.sources) < 0 ? zs_error_errno(error, step, NULL, ENOMEM) : 0;
	if (r == 0)
		r = build(&builder, ret_policy);
	if (r < 0)
		zs_sources_free(builder.sources);
	else if (ret_sources)
		*ret_sources = builder.sources;
	return r;
}
