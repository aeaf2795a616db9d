/* Writing answers down: those for always in the user's settings, those for the session in its file. */
#include <stdio.h>

#include <string.h>

#include "approval/approval.h"
#include "settings/settings_value.h"

static int save_always(const struct zs_approvals *approvals, const struct zs_approved *item, struct zs_error *error)
{
	char key[64];

	snprintf(key, sizeof key, "sandbox.%s", zs_need_setting(item->kind));
	return zs_settings_append(approvals->envp, key, item->value, error);
}

int zs_approvals_save(struct zs_approvals *approvals, struct zs_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < approvals->count; i++)
		if (approvals->items[i].fresh && approvals->items[i].answer == ZS_ANSWER_ALWAYS)
			r = save_always(approvals, &approvals->items[i], error);
	if (r == 0)
		r = zs_approvals_save_session(approvals, error);
	for (size_t i = 0; r == 0 && i < approvals->count; i++)
		approvals->items[i].fresh = false;
	return r;
}

static bool is_key_of(const struct zs_setting *item, enum zs_need_kind kind)
{
	static const char group[] = "sandbox.";
	size_t len = sizeof group - 1;

	return strncmp(item->key->name, group, len) == 0 && strcmp(item->key->name + len, zs_need_setting(kind)) == 0;
}

void zs_approvals_each_always(const struct zs_settings *settings, zs_each_always *each, void *arg)
{
	for (size_t i = 0; i < settings->user.count; i++) {
		const struct zs_setting *item = &settings->user.items[i];

		if (item->form != ZS_FORM_VALUE || (!item->text && !item->number))
			continue;
		for (enum zs_need_kind kind = 0; kind < ZS_NEED_COUNT; kind++)
			if (is_key_of(item, kind))
				each(kind, item->text, item->line, arg);
	}
}
