/* Finds the items of a project's settings that widen: compares each item that grants something with what the user's own
 * settings grant on this machine. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/environment.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/policy.h"
#include "settings/settings_value.h"

/* Finds the real place of a path, or the place that it would have. */
static char *place_of(const char *path)
{
	char known[PATH_MAX] = "", *real;
	struct zs_place place;

	if (zs_path_place(path, known, &place) < 0)
		return zs_path_would_be(path, &real) < 0 ? NULL : real;
	real = ZS_STEAL(place.real);
	zs_place_free(&place);
	return real;
}

bool zs_policy_covers(const struct zs_policy *resolved, const char *path, enum zs_access access)
{
	ZS_AUTO_FREE char *real = place_of(path);

	return real && zs_policy_gives(resolved, real, access);
}

/* Does the way lead through a link that a command of the user's own policy can make? True also when that is not
 * known. */
static bool is_plantable(const struct zs_policy *resolved, const char *path)
{
	struct zs_place way;
	bool plantable = false;

	if (zs_path_way(path, &way) < 0)
		return true;
	for (size_t i = 0; i < way.link_count && !plantable; i++)
		plantable = zs_policy_can_write(resolved, way.links[i].folder);
	zs_place_free(&way);
	return plantable;
}

/* A project's path is judged here and resolved later. Its file may name a place that commands of this or another
 * project can write. So a grant there gets the real path, which must not become a link. */
static bool judge_path(
	const struct zs_policy *resolved, const struct zs_setting *item, char *real, struct zs_judged *ret_judged)
{
	bool granted = real && zs_policy_gives(resolved, real, item->key->access);

	if (granted && zs_policy_can_write(resolved, real))
		ret_judged->real = ZS_STEAL(real);
	else if (real && !granted && is_plantable(resolved, item->text)) {
		ret_judged->width = ZS_WIDTH_PLANTED;
		ret_judged->real = ZS_STEAL(real);
	}
	free(real);
	return granted;
}

static bool covers_switch(const struct zs_policy *resolved, enum zs_setting_id id)
{
	if (id == ZS_SETTING_KEY_ALLOW_GIT_ACCESS)
		return resolved->git == ZS_GIT_ALLOW;
	if (id == ZS_SETTING_KEY_ALLOW_FS_WRITE_ALL)
		return zs_policy_gives(resolved, "/", ZS_ACCESS_WRITE);
	return resolved->network == ZS_NETWORK_FULL;
}

bool zs_setting_can_widen(const struct zs_setting *item)
{
	switch (item->key->merge) {
	case ZS_MERGE_SWITCH:
		return item->form == ZS_FORM_VALUE && item->number;
	case ZS_MERGE_REPLACE:
	case ZS_MERGE_ADD:
		return item->form == ZS_FORM_VALUE;
	case ZS_MERGE_GUARD:
	case ZS_MERGE_LICENCE: /* a wider value was refused when it was read */
	case ZS_MERGE_UNION:
	case ZS_MERGE_TAKE:
	case ZS_MERGE_MORE:
	case ZS_MERGE_OWN: /* left out, whatever the trust */
	case ZS_MERGE_LEAST:
	case ZS_MERGE_COUNT:
		return false;
	}
	return true;
}

/* Do the user's settings have the same task, or the hosts of the same task? Its hosts are the user's own. */
static bool has_same(const struct zs_settings_file *user, const struct zs_setting *wanted)
{
	bool task = wanted->key->type == ZS_SETTING_TASKS ||
		    (wanted->key->type == ZS_SETTING_HOSTS && wanted->text[0] == '@');

	for (size_t i = 0; task && i < user->count; i++)
		if (user->items[i].key == wanted->key && user->items[i].text &&
			strcmp(user->items[i].text, wanted->text) == 0)
			return true;
	return false;
}

static bool is_granted(const struct zs_policy *resolved, const struct zs_setting *item, struct zs_judged *judged)
{
	switch (item->key->type) {
	case ZS_SETTING_PATHS:
		return judge_path(resolved, item, place_of(item->text), judged);
	case ZS_SETTING_HOSTS:
		return zs_policy_covers_host(resolved, item->text);
	case ZS_SETTING_VARIABLES:
		return zs_env_covers(resolved, item->text);
	case ZS_SETTING_BOOL:
		return covers_switch(resolved, (enum zs_setting_id)(item->key - zs_setting_keys));
	case ZS_SETTING_TASKS:
	case ZS_SETTING_SHELLS:
	case ZS_SETTING_CACHES:
	case ZS_SETTING_PACKS:
	case ZS_SETTING_RULES:
	case ZS_SETTING_LIMIT:
		return false;
	}
	return false;
}

/* NULL: the item's path is a real path, or the item has none. */
static char *elsewhere(const struct zs_setting *item)
{
	char *real = item->key->type == ZS_SETTING_PATHS ? place_of(item->text) : NULL;

	if (real && strcmp(real, item->text) == 0)
		free(ZS_STEAL(real));
	return real;
}

static void judge_item(struct zs_settings *settings, size_t i, const struct zs_policy *resolved)
{
	const struct zs_setting *item = &settings->project.items[i];
	struct zs_judged *judged = &settings->judgements[i];
	bool granted;

	if (!zs_setting_can_widen(item))
		return;
	judged->width = ZS_WIDTH_WIDE;
	granted = has_same(&settings->user, item) || is_granted(resolved, item, judged);
	if (granted)
		judged->width = ZS_WIDTH_GRANTED;
	settings->open_count += !granted;
	settings->places[settings->widening_count] = elsewhere(item);
	settings->widenings[settings->widening_count] = (struct zs_widening){ .key = item->key->name,
		.value = item->text ? item->text : "true",
		.leads_to = settings->places[settings->widening_count],
		.line = item->line,
		.granted = granted };
	settings->widening_count++;
}

int zs_settings_judge_by(struct zs_settings *settings, const struct zs_policy *resolved, struct zs_error *error)
{
	size_t count = settings->project.count;

	settings->judgements = calloc(count + 1, sizeof *settings->judgements);
	settings->widenings = calloc(count + 1, sizeof *settings->widenings);
	settings->places = calloc(count + 1, sizeof *settings->places);
	if (!settings->judgements || !settings->widenings || !settings->places) {
		free(ZS_STEAL(settings->judgements));
		free(ZS_STEAL(settings->widenings));
		free(ZS_STEAL(settings->places));
		return zs_error_errno(error, "settings", NULL, ENOMEM);
	}
	for (size_t i = 0; i < count; i++)
		judge_item(settings, i, resolved);
	settings->judged = true;
	return 0;
}
