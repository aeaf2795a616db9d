#include "policy/tier.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* These functions decide which policies ask for a promise. */

static bool has_grant(const struct zs_policy *policy, enum zs_access access)
{
	for (size_t i = 0; i < policy->grant_count; i++)
		if (policy->grants[i].access == access)
			return true;
	return false;
}

static bool asks(const struct zs_policy *policy, enum zs_promise promise)
{
	bool writes = policy->workspace && policy->workspace_access == ZS_WORKSPACE_WRITE;

	switch (promise) {
	case ZS_PROMISE_PROTECT: /* "git": "protect" asks for it, whether or not there is a repository now */
		return has_grant(policy, ZS_ACCESS_PROTECT) || (writes && policy->git == ZS_GIT_PROTECT);
	case ZS_PROMISE_HIDE:
		return has_grant(policy, ZS_ACCESS_HIDE);
	case ZS_PROMISE_PRIVATE_TMP:
		return policy->tmp == ZS_TMP_PRIVATE;
	case ZS_PROMISE_LOOPBACK:
		return policy->network != ZS_NETWORK_FULL;
	case ZS_PROMISE_SOCKETS: /* without a granted socket, seccomp refuses all sockets */
		return policy->sockets.count > 0;
	case ZS_PROMISE_OVERLAY:
		return policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY;
	case ZS_PROMISE_METADATA:
	case ZS_PROMISE_PROCESSES:
	case ZS_PROMISE_PRIVILEGES:
	case ZS_PROMISE_COUNT:
		break;
	}
	return true;
}

#define LIMIT(id) (1u << ZS_LIMIT_##id)

struct zs_tier_means zs_landlock_means(bool sockets)
{
	return (struct zs_tier_means){
		.promises = sockets ? 1u << ZS_PROMISE_SOCKETS : 0,
		.limits = LIMIT(WALL) | LIMIT(CPU) | LIMIT(MEMORY) | LIMIT(FILES) | LIMIT(FILE_SIZE),
	};
}

struct zs_tier_means zs_mounts_means(bool sockets)
{
	return (struct zs_tier_means){
		.promises = sockets ? ~0u : ~(1u << ZS_PROMISE_SOCKETS),
		.limits = ~0u,
		.hosts = true,
		.root = true,
	};
}

bool zs_policy_shows_proc(const struct zs_policy *policy)
{
	bool shows = policy->workspace && strcmp(policy->workspace, "/") == 0;

	for (size_t i = 0; i < policy->grant_count; i++)
		shows = shows || strcmp(policy->grants[i].path, "/") == 0 ||
			strcmp(policy->grants[i].path, "/proc") == 0;
	return shows;
}

bool zs_policy_has_broker(const struct zs_policy *policy)
{
	return policy->network != ZS_NETWORK_FULL && !zs_policy_gives_up(policy, ZS_PROMISE_SOCKETS) &&
	       zs_policy_shows_proc(policy);
}

/* RLIMIT_NPROC counts all of a user's processes. RLIMIT_AS is another name for RLIMIT_RSS there, which has no effect
 * (xnu, bsd/sys/resource.h). RLIMIT_CPU sends only SIGXCPU, which a process may catch (bsd/kern/kern_sig.c, bsd_ast()).
 * The end of all processes is not certain: it takes a supervisor or a watchdog that is alive. */
const struct zs_tier_means zs_seatbelt_means = {
	.promises =
		1u << ZS_PROMISE_PROTECT | 1u << ZS_PROMISE_HIDE | 1u << ZS_PROMISE_SOCKETS | 1u << ZS_PROMISE_METADATA,
	.limits = LIMIT(WALL) | LIMIT(FILES) | LIMIT(FILE_SIZE),
	.hosts = true,
};

uint32_t zs_tier_lacks(const struct zs_tier_means *means, const struct zs_policy *policy, bool root)
{
	uint32_t lacks = 0;

	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (asks(policy, promise))
			lacks |= 1u << promise;
	lacks &= ~means->promises;
	/* An ordinary user has no privileges to lose, and gets none with no_new_privs. */
	return root ? lacks : lacks & ~(1u << ZS_PROMISE_PRIVILEGES);
}

struct list {
	char text[256];
	size_t len;
};

static void tier_add(struct list *list, const char *separator, const char *name)
{
	int len = snprintf(
		list->text + list->len, sizeof list->text - list->len, "%s%s", list->len ? separator : "", name);

	list->len += (size_t)len;
}

/* Lists the promises that nobody can waive. */
static struct list list_impossible(const struct zs_tier_means *means, const struct zs_policy *policy)
{
	struct list list = { .len = 0 };
	char name[64];

	if (policy->network == ZS_NETWORK_HOSTS && !means->hosts)
		tier_add(&list, ", ", "network: hosts");
	if (policy->root && !means->root)
		tier_add(&list, ", ", "root");
	if (policy->git_base && !means->root)
		tier_add(&list, ", ", "git_base");
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++) {
		if (!zs_policy_limit(policy, limit) || (means->limits >> limit & 1))
			continue;
		snprintf(name, sizeof name, "limits: %s", zs_limit_name(limit));
		tier_add(&list, ", ", name);
	}
	return list;
}

int zs_tier_check(const struct zs_tier_means *means, const struct zs_policy *policy, bool root, const char *why,
	const char *fix, struct zs_error *error)
{
	uint32_t lacks = zs_tier_lacks(means, policy, root), missing = lacks & ~policy->without;
	struct list fields = list_impossible(means, policy), names = fields, without = { .len = 0 };

	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++) {
		if (missing >> promise & 1)
			tier_add(&names, ", ", zs_promise_name(promise));
		/* Lists all of them, also those that are waived already: the whole option as it must be. */
		if (lacks >> promise & 1)
			tier_add(&without, ",", zs_promise_name(promise));
	}
	if (zs_policy_has_layers(policy) && !zs_policy_prefers_layers(policy)) {
		zs_error_say(error, "sandbox", "caches: private", EOPNOTSUPP, "%s", why);
		return zs_error_hint(error, -EOPNOTSUPP, "share them with all workspaces: --caches shared");
	}
	if (!names.len)
		return 0;
	zs_error_say(error, "sandbox", names.text, EOPNOTSUPP, "%s", why);
	return zs_error_hint(error, -EOPNOTSUPP, "%s%s%srun without: --without %s%s%s", fields.len ? "leave out " : "",
		fields.text, fields.len ? ", and " : "", without.text, *fix ? "; or: " : "", fix);
}
