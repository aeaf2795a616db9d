/* Writing answers down: those for always in the user's settings, those for the session in its file. */
#include <stdio.h>

#include "approval.h"
#include "zs_settings.h"

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
