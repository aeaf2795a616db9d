/* Approvals as a value, and adding them to a policy. */
#include "approval/approval.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "policy/preset.h"

static const char step[] = "ask";

#define NEED_ROW(id, name, setting, option, text) { name, setting, option, text },
static const struct {
	const char *name, *setting, *option, *text;
} needs[ZS_NEED_COUNT] = { ZS_NEEDS(NEED_ROW) };

#define ANSWER_NAME(id, name, text) name,
static const char *const answers[ZS_ANSWER_COUNT] = { ZS_ANSWERS(ANSWER_NAME) };

const char *zs_need_name(enum zs_need_kind kind)
{
	return (unsigned)kind < ZS_NEED_COUNT ? needs[kind].name : NULL;
}

const char *zs_need_setting(enum zs_need_kind kind)
{
	return (unsigned)kind < ZS_NEED_COUNT ? needs[kind].setting : NULL;
}

const char *zs_need_option(enum zs_need_kind kind)
{
	return (unsigned)kind < ZS_NEED_COUNT ? needs[kind].option : NULL;
}

const char *zs_need_text(enum zs_need_kind kind)
{
	return (unsigned)kind < ZS_NEED_COUNT ? needs[kind].text : NULL;
}

const char *zs_answer_name(enum zs_answer answer)
{
	return (unsigned)answer < ZS_ANSWER_COUNT ? answers[answer] : NULL;
}

int zs_approvals_new(
	const struct zs_policy *policy, char *const envp[], struct zs_approvals **ret_approvals, struct zs_error *error)
{
	struct zs_approvals *approvals = calloc(1, sizeof *approvals);
	int r;

	if (!approvals)
		return zs_error_errno(error, step, NULL, ENOMEM);
	approvals->envp = envp;
	r = zs_policy_new(envp, &approvals->user);
	if (r == 0)
		r = zs_policy_find_account_home(approvals->user);
	if (r < 0)
		zs_error_errno(error, step, NULL, -r);
	if (r == 0 && policy)
		r = zs_policy_resolve(policy, &approvals->base, error);
	if (r < 0)
		zs_approvals_free(approvals);
	else
		*ret_approvals = approvals;
	return r;
}

void zs_approved_free(struct zs_approved *item)
{
	free(item->value);
	if (item->fd >= 0)
		close(item->fd);
	*item = (struct zs_approved){ .fd = -1 };
}

void zs_approvals_free(struct zs_approvals *approvals)
{
	if (!approvals)
		return;
	for (size_t i = 0; i < approvals->count; i++)
		zs_approved_free(&approvals->items[i]);
	free(approvals->items);
	zs_policy_free(approvals->base);
	zs_policy_free(approvals->user);
	free(approvals);
}

int zs_approvals_take(struct zs_approvals *approvals, struct zs_approved item, struct zs_error *error)
{
	bool full = approvals->count == ZS_APPROVALS_MAX;
	struct zs_approved *items = full ? NULL : zs_with_room(approvals->items, approvals->count, sizeof *items);

	if (!items) {
		zs_approved_free(&item);
		return full ? zs_error_say(error, step, NULL, E2BIG, "more than %d approvals", ZS_APPROVALS_MAX)
			    : zs_error_errno(error, step, NULL, ENOMEM);
	}
	approvals->items = items;
	items[approvals->count++] = item;
	return 0;
}

int zs_approved_open(const char *real, struct zs_approved *ret_item)
{
	struct zs_approved item = { .kind = ZS_NEED_WRITE, .value = strdup(real), .fd = -1 };
	int r;

	if (!item.value)
		return -ENOMEM;
	item.fd = zs_approved_place_open(real);
	r = item.fd < 0 ? item.fd : zs_approved_place_read(item.fd, &item.place);
	if (r < 0)
		zs_approved_free(&item);
	else
		*ret_item = item;
	return r;
}

/* The file is gone or has changed, so an approval of it would have no object. */
static bool is_no_more(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == ELOOP || cause == EACCES;
}

int zs_approvals_add(struct zs_approvals *approvals, enum zs_need_kind kind, const char *value, enum zs_answer answer,
	struct zs_error *error)
{
	struct zs_approved item = { .kind = kind, .fd = -1 };
	const char *broad;
	int r = 0;

	if (!zs_need_name(kind) || answer == ZS_ANSWER_DENY || !zs_answer_name(answer) ||
		(kind <= ZS_NEED_WRITE) != !!value)
		return zs_error_say(error, step, value, EINVAL, "is no approval");
	if (kind == ZS_NEED_HOST)
		r = zs_approval_host(value, &item.value, &broad, error);
	if (r < 0)
		return r;
	if (kind == ZS_NEED_WRITE)
		r = zs_approved_open(value, &item);
	if (r < 0)
		return is_no_more(-r) ? 0 : zs_error_errno(error, step, value, -r);
	item.answer = answer;
	return zs_approvals_take(approvals, item, error);
}

static bool tree_covers(const struct zs_policy *base, const char *path, const char *tree)
{
	return zs_path_lies_in(path, tree) && !(base && zs_policy_takes_between(base, path, tree, ZS_ACCESS_WRITE));
}

static bool policy_covers(const struct zs_policy *base, enum zs_need_kind kind, const char *value)
{
	switch (kind) {
	case ZS_NEED_HOST:
		for (size_t i = 0; base->network == ZS_NETWORK_HOSTS && i < base->hosts.count; i++)
			if (zs_approval_host_covers(base->hosts.items[i], value))
				return true;
		return base->network == ZS_NETWORK_FULL;
	case ZS_NEED_ALL_HOSTS:
		return base->network == ZS_NETWORK_FULL;
	case ZS_NEED_WRITE:
		return zs_policy_gives(base, value, ZS_ACCESS_WRITE);
	case ZS_NEED_ALL_WRITES:
		return zs_policy_gives(base, "/", ZS_ACCESS_WRITE);
	case ZS_NEED_GIT:
		return base->git == ZS_GIT_ALLOW;
	case ZS_NEED_UNSANDBOXED:
	case ZS_NEED_COUNT:
		break;
	}
	return false;
}

static bool item_covers(
	const struct zs_policy *base, const struct zs_approved *item, enum zs_need_kind kind, const char *value)
{
	switch (kind) {
	case ZS_NEED_HOST:
		return item->kind == ZS_NEED_ALL_HOSTS ||
		       (item->kind == ZS_NEED_HOST && zs_approval_host_covers(item->value, value));
	case ZS_NEED_WRITE:
		if (item->kind == ZS_NEED_WRITE)
			return strcmp(item->value, value) == 0 || tree_covers(base, value, item->value);
		return item->kind == ZS_NEED_ALL_WRITES && tree_covers(base, value, "/");
	case ZS_NEED_ALL_HOSTS:
	case ZS_NEED_ALL_WRITES:
	case ZS_NEED_GIT:
	case ZS_NEED_UNSANDBOXED:
		return item->kind == kind;
	case ZS_NEED_COUNT:
		break;
	}
	return false;
}

bool zs_approvals_cover(const struct zs_approvals *approvals, enum zs_need_kind kind, const char *value)
{
	if (approvals->base && policy_covers(approvals->base, kind, value))
		return true;
	for (size_t i = 0; i < approvals->count; i++)
		if (item_covers(approvals->base, &approvals->items[i], kind, value))
			return true;
	return false;
}

bool zs_approvals_unsandboxed(const struct zs_approvals *approvals)
{
	return approvals->wants_unsandboxed && zs_approvals_cover(approvals, ZS_NEED_UNSANDBOXED, NULL);
}

static int apply_item(const struct zs_approved *item, struct zs_policy *policy, struct zs_error *error)
{
	switch (item->kind) {
	case ZS_NEED_HOST:
		/* The machine's network already reaches all hosts. */
		return policy->network == ZS_NETWORK_FULL ? 0 : zs_policy_add_host(policy, item->value, error);
	case ZS_NEED_WRITE:
		return zs_policy_add_approved(policy, item->value, &item->place, error);
	case ZS_NEED_GIT:
		return zs_policy_set_git(policy, ZS_GIT_ALLOW, error);
	case ZS_NEED_ALL_HOSTS:
		return zs_policy_set_network(policy, ZS_NETWORK_FULL, error);
	case ZS_NEED_ALL_WRITES:
		return zs_policy_add_path(policy, "/", ZS_ACCESS_WRITE, error);
	case ZS_NEED_UNSANDBOXED: /* is not part of a policy */
	case ZS_NEED_COUNT:
		break;
	}
	return 0;
}

int zs_approvals_apply(const struct zs_approvals *approvals, struct zs_policy *policy, struct zs_error *error)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < approvals->count; i++)
		r = apply_item(&approvals->items[i], policy, error);
	return r;
}

size_t zs_approvals_count(const struct zs_approvals *approvals)
{
	return approvals->count;
}

struct zs_approval zs_approvals_at(const struct zs_approvals *approvals, size_t index)
{
	const struct zs_approved *item = &approvals->items[index];

	return (struct zs_approval){ item->kind, item->value, item->answer };
}
