/* The rules about commands of all settings files, and of the packs that they name. */
#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "settings/settings_value.h"

static size_t count_rules(const struct zs_settings_file *file)
{
	size_t count = 0;

	for (size_t i = 0; i < file->count; i++)
		count += file->items[i].rule != NULL;
	return count;
}

static size_t copy_rules(const struct zs_settings_file *file, enum zs_source_kind source, const char *pack,
	struct zs_command_rule *rules)
{
	size_t count = 0;

	for (size_t i = 0; i < file->count; i++) {
		const struct zs_setting *item = &file->items[i];

		if (!item->rule)
			continue;
		rules[count] = *item->rule;
		rules[count].list = (enum zs_command_list)(item->key - &zs_setting_keys[ZS_SETTING_KEY_DENY]);
		rules[count].source = source;
		rules[count].pack = pack;
		rules[count].file = file->path;
		rules[count].line = item->line;
		rules[count].counts = source != ZS_SOURCE_PROJECT || item->key->merge != ZS_MERGE_OWN;
		count++;
	}
	return count;
}

/* Reads the packs that a file names, unless another file has named them. */
static int read_packs(struct zs_settings *settings, const struct zs_settings_file *file, enum zs_source_kind source,
	enum zs_source_kind sources[ZS_PACK_COUNT], struct zs_error *error)
{
	enum zs_pack pack;
	int r = 0;

	for (size_t i = 0; r == 0 && i < file->count; i++) {
		const struct zs_setting *item = &file->items[i];

		if (item->key->type != ZS_SETTING_PACKS || !item->text || !zs_pack_find(item->text, &pack) ||
			settings->has_pack[pack])
			continue;
		r = zs_pack_read(pack, &settings->packs[pack], error);
		settings->has_pack[pack] = r == 0;
		sources[pack] = source;
	}
	return r;
}

static int make_rules(struct zs_settings *settings, struct zs_error *error)
{
	const struct zs_settings_file *files[] = { &settings->managed, &settings->user, &settings->project };
	static const enum zs_source_kind kinds[] = { ZS_SOURCE_MANAGED, ZS_SOURCE_USER, ZS_SOURCE_PROJECT };
	enum zs_source_kind sources[ZS_PACK_COUNT] = { 0 };
	size_t count = 0, at = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < 3; i++) {
		count += count_rules(files[i]);
		r = read_packs(settings, files[i], kinds[i], sources, error);
	}
	for (size_t i = 0; r == 0 && i < ZS_PACK_COUNT; i++)
		count += count_rules(&settings->packs[i]);
	if (r < 0 || count == 0)
		return r;
	settings->rules = calloc(count, sizeof *settings->rules);
	if (!settings->rules)
		return zs_error_errno(error, "settings", NULL, ENOMEM);
	for (size_t i = 0; i < 3; i++)
		at += copy_rules(files[i], kinds[i], NULL, settings->rules + at);
	for (size_t i = 0; i < ZS_PACK_COUNT; i++)
		at += copy_rules(&settings->packs[i], sources[i], zs_pack_names[i], settings->rules + at);
	settings->rule_count = count;
	return 0;
}

int zs_settings_commands(struct zs_settings *settings, const struct zs_command_rule **ret_rules, size_t *ret_count,
	struct zs_error *error)
{
	int r = settings->rules ? 0 : make_rules(settings, error);

	*ret_rules = settings->rules;
	*ret_count = settings->rule_count;
	return r;
}
