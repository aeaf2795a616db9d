/* Asking for what is not granted yet. */
#include <errno.h>
#include <stdlib.h>

#include "approval/approval.h"
#include "base/error.h"

static const char step[] = "ask";

/* The first that is denied is the one that is reported. */
static int deny(const struct zs_need *need, struct zs_error *error)
{
	const char *setting = zs_need_setting(need->kind);

	zs_error_say(error, step, need->granted ? need->granted : need->wanted, EACCES, "%s: not approved",
		zs_need_text(need->kind));
	if (need->granted)
		return zs_error_hint(error, -EACCES, "name it in \"sandbox.%s\" of settings.json to grant it", setting);
	return zs_error_hint(error, -EACCES, "set \"sandbox.%s\" in settings.json to grant it", setting);
}

/* Whatever is not one of the answers is none. */
static int take_answers(
	struct zs_approvals *approvals, struct zs_need_list *list, const enum zs_answer *given, struct zs_error *error)
{
	int r = 0;

	for (size_t i = 0; i < list->count; i++) {
		int taken;

		if (given[i] == ZS_ANSWER_DENY || !zs_answer_name(given[i])) {
			r = r < 0 ? r : deny(&list->needs[i], error);
			continue;
		}
		list->items[i].answer = given[i];
		list->items[i].fresh = true;
		taken = zs_approvals_take(approvals, list->items[i], r < 0 ? NULL : error);
		list->items[i] = (struct zs_approved){ .fd = -1 };
		r = r < 0 ? r : taken;
	}
	return r;
}

int zs_approvals_ask(struct zs_approvals *approvals, const struct zs_request *request, zs_approval_ask *ask, void *data,
	struct zs_error *error)
{
	enum zs_answer given[ZS_REQUEST_ITEMS_MAX] = { ZS_ANSWER_DENY };
	struct zs_need_list *list = calloc(1, sizeof *list);
	int r;

	approvals->wants_unsandboxed = false;
	if (!list)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = zs_need_list_make(approvals, request, list, error);
	if (r == 0 && list->count > 0 && ask) {
		struct zs_question question = { .request = request,
			.needs = list->needs,
			.count = list->count,
			.session = zs_approvals_can_remember(approvals) };

		r = ask(&question, given, data, error);
	}
	if (r == 0)
		r = take_answers(approvals, list, given, error);
	if (r == 0)
		approvals->wants_unsandboxed = request->unsandboxed;
	zs_need_list_free(list);
	free(list);
	return r;
}
