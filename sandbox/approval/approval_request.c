/* Asks for items that are not granted yet: makes each canonical once, and shows them in order. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/approval.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "git/obeyed.h"
#include "base/path.h"
#include "policy/preset.h"
#include "approval/session_place.h"
#include "settings/settings_places.h"

static const char step[] = "request";

/* The requested items, each with the approval that it would become, in the order in which they are shown. */
struct need_list {
	struct zs_need needs[ZS_REQUEST_ITEMS_MAX];
	struct zs_approved items[ZS_REQUEST_ITEMS_MAX];
	size_t count;
};

struct maker {
	const struct zs_approvals *approvals;
	struct need_list *list;
	struct zs_error *error;
};

static void free_list(struct need_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		zs_approved_free(&list->items[i]);
	free(list);
}

static bool approval_request_is_listed(const struct need_list *list, enum zs_need_kind kind, const char *value)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == kind && (!value || strcmp(list->items[i].value, value) == 0))
			return true;
	return false;
}

/* Narrow items come first: a person who grants one may see that the rest is not needed. */
static int rank(const struct zs_need *need)
{
	switch (need->kind) {
	case ZS_NEED_HOST:
		return need->broad ? 4 : need->granted[0] == '*';
	case ZS_NEED_WRITE:
		return need->broad ? 5 : 2;
	case ZS_NEED_GIT:
		return 3;
	case ZS_NEED_ALL_HOSTS:
	case ZS_NEED_ALL_WRITES:
	case ZS_NEED_UNSANDBOXED:
	case ZS_NEED_COUNT:
		break;
	}
	return 6 + (int)need->kind;
}

/* Takes over the item, also on failure. */
static int approval_request_add(struct maker *maker, struct zs_need need, struct zs_approved item)
{
	struct need_list *list = maker->list;
	size_t at = list->count;

	need.kind = item.kind;
	need.granted = item.value;
	if (approval_request_is_listed(list, item.kind, item.value) ||
		zs_approvals_cover(maker->approvals, item.kind, item.value)) {
		zs_approved_free(&item);
		return 0;
	}
	if (at == ZS_REQUEST_ITEMS_MAX) {
		zs_approved_free(&item);
		return zs_error_say(maker->error, step, need.wanted, E2BIG, "more than %d items in one request",
			ZS_REQUEST_ITEMS_MAX);
	}
	for (; at > 0 && rank(&list->needs[at - 1]) > rank(&need); at--) {
		list->needs[at] = list->needs[at - 1];
		list->items[at] = list->items[at - 1];
	}
	list->needs[at] = need;
	list->items[at] = item;
	list->count++;
	return 0;
}

static int add_host(struct maker *maker, const char *text)
{
	struct zs_approved item = { .kind = ZS_NEED_HOST, .fd = -1 };
	struct zs_need need = { .wanted = text };
	int r = zs_approval_host(text, &item.value, &need.broad, maker->error);

	return r < 0 ? r : approval_request_add(maker, need, item);
}

static bool holds_home(const struct maker *maker, const char *real)
{
	const struct zs_policy *user = maker->approvals->user;

	return (user->home && zs_tree_covers(real, user->home)) ||
	       (user->account_home && zs_tree_covers(real, user->account_home));
}

static bool lies_in_credentials(const char *home, const char *real)
{
	bool lies = false;

	for (const char *const *name = zs_preset_credentials; home && *name && !lies; name++) {
		ZS_AUTO_FREE char *folder = zs_path_join(home, *name);

		lies = !folder || zs_tree_covers(folder, real);
	}
	return lies;
}

static const char *why_broad(const struct maker *maker, const char *real, const struct stat *st)
{
	if (strcmp(real, "/") == 0)
		return "all files that you can write";
	if (S_ISBLK(st->st_mode))
		return "a whole disk";
	if (S_ISDIR(st->st_mode) && holds_home(maker, real))
		return "your home folder, which holds keys and shell startup files";
	if (S_ISDIR(st->st_mode) && !strchr(real + 1, '/'))
		return "a whole system folder";
	if (lies_in_credentials(maker->approvals->user->home, real) ||
		lies_in_credentials(maker->approvals->user->account_home, real))
		return "login keys, or the list of keys that may log in";
	/* A program outside runs the file later, or takes orders from it. */
	if (zs_obeyed_anywhere(real))
		return "a file that git, a shell or an agent obeys outside of the sandbox";
	return NULL;
}

/* Finds the real path; if it does not exist, that of the nearest folder above it that exists. */
static int find_real(const char *path, char **ret_real, bool *ret_missing)
{
	char known[PATH_MAX] = "";
	struct zs_place place;
	struct stat st;
	int r = zs_path_place(path, known, &place);

	if (r == 0)
		*ret_real = ZS_STEAL(place.real);
	if (r == 0)
		zs_place_free(&place);
	if (r != -ENOENT)
		return r;
	r = zs_path_would_be(path, ret_real);
	while (r == 0 && lstat(*ret_real, &st) < 0 && errno == ENOENT) {
		char *slash = strrchr(*ret_real, '/');

		slash[slash == *ret_real] = '\0';
	}
	*ret_missing = true;
	return r;
}

static int refuse_path(const struct maker *maker, const char *path, int cause)
{
	if (cause == ELOOP)
		return zs_error_say(maker->error, step, path, cause, "leads through a broken symbolic link");
	return zs_error_errno(maker->error, step, path, cause);
}

/* A command must not write approvals, even if a person approves that. */
static int refuse_stores(const struct maker *maker, const char *text, const char *real)
{
	enum { STORES = ZS_SESSION_FOLDERS + 2 };
	char *const *envp = maker->approvals->envp;
	char *folders[STORES] = { NULL };
	int r = zs_session_folders(envp, folders);

	if (r == 0)
		r = zs_settings_folder(&zs_settings_places.config, envp, &folders[ZS_SESSION_FOLDERS]);
	if (r == 0)
		r = zs_settings_folder(&zs_settings_places.state, envp, &folders[ZS_SESSION_FOLDERS + 1]);
	r = r < 0 && r != -ENOENT ? zs_error_errno(maker->error, step, NULL, -r) : 0;
	for (size_t i = 0; i < STORES; i++) {
		if (r == 0 && folders[i] && zs_tree_covers(folders[i], real))
			r = zs_error_say(
				maker->error, step, text, EPERM, "holds the approvals; no command may write it");
		free(folders[i]);
	}
	return r;
}

static int approval_request_add_path(struct maker *maker, const char *text)
{
	ZS_AUTO_FREE char *path = NULL;
	ZS_AUTO_FREE char *real = NULL;
	struct zs_approved item;
	struct zs_need need = { .wanted = text };
	const char *problem;
	struct stat st;
	int r = zs_path_normalize(text, maker->approvals->user->home, &path, &problem);

	if (r < 0)
		return zs_error_say(maker->error, step, text, -r, "%s", problem);
	r = find_real(path, &real, &need.missing);
	if (r == 0 && !zs_utf8_valid(real))
		r = -EILSEQ;
	if (r == 0)
		r = zs_approved_open(real, &item);
	if (r < 0)
		return refuse_path(maker, text, -r);
	if (fstat(item.fd, &st) < 0 || (need.missing && !S_ISDIR(st.st_mode))) {
		zs_approved_free(&item);
		return refuse_path(maker, text, ENOTDIR);
	}
	r = refuse_stores(maker, text, real);
	if (r < 0) {
		zs_approved_free(&item);
		return r;
	}
	need.folder = S_ISDIR(st.st_mode);
	need.broad = why_broad(maker, real, &st);
	return approval_request_add(maker, need, item);
}

static int add_list(struct maker *maker, const char *const *list, int (*add_one)(struct maker *, const char *))
{
	int r = 0;

	for (; r == 0 && list && *list; list++)
		r = add_one(maker, *list);
	return r;
}

/* Lists the requested items that are not granted. free_list() it, also when it fails. */
static int make_list(const struct zs_approvals *approvals, const struct zs_request *request, struct need_list *list,
	struct zs_error *error)
{
	const struct {
		bool wanted;
		enum zs_need_kind kind;
	} switches[] = {
		{ request->git, ZS_NEED_GIT },
		{ request->all_hosts, ZS_NEED_ALL_HOSTS },
		{ request->all_writes, ZS_NEED_ALL_WRITES },
		{ request->unsandboxed, ZS_NEED_UNSANDBOXED },
	};
	struct maker maker = { approvals, list, error };
	int r = add_list(&maker, request->hosts, add_host);

	if (r == 0)
		r = add_list(&maker, request->write_paths, approval_request_add_path);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(switches); i++)
		if (switches[i].wanted)
			r = approval_request_add(&maker, (struct zs_need){ 0 },
				(struct zs_approved){ .kind = switches[i].kind, .fd = -1 });
	return r;
}

/* Asking */

/* Reports the first item that is denied. */
static int deny(const struct zs_need *need, struct zs_error *error)
{
	const char *setting = zs_need_setting(need->kind);

	zs_error_say(error, "ask", need->granted ? need->granted : need->wanted, EACCES, "%s: not approved",
		zs_need_text(need->kind));
	if (need->granted)
		return zs_error_hint(error, -EACCES, "name it in \"sandbox.%s\" of settings.json to grant it", setting);
	return zs_error_hint(error, -EACCES, "set \"sandbox.%s\" in settings.json to grant it", setting);
}

/* A value that is not one of the answers denies. */
static int take_answers(
	struct zs_approvals *approvals, struct need_list *list, const enum zs_answer *given, struct zs_error *error)
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
	struct need_list *list = calloc(1, sizeof *list);
	int r;

	approvals->wants_unsandboxed = false;
	if (!list)
		return zs_error_errno(error, "ask", NULL, ENOMEM);
	r = make_list(approvals, request, list, error);
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
	free_list(list);
	return r;
}
