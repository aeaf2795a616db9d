/* The words for the policy's enums, made from the lists in zs_sandbox.h. */
#include "zs_sandbox.h"
#include "base/cleanup.h"

#include <errno.h>
#include <string.h>

#define NAME_ACCESS(id, name, text) [ZS_ACCESS_##id] = name,
#define NAME_NETWORK(id, name, text) [ZS_NETWORK_##id] = name,
#define NAME_WORKSPACE(id, name, text) [ZS_WORKSPACE_##id] = name,
#define NAME_TMP(id, name, text) [ZS_TMP_##id] = name,
#define NAME_CACHES(id, name, text) [ZS_CACHES_##id] = name,
#define NAME_GIT(id, name, text) [ZS_GIT_##id] = name,
#define NAME_TIER(id, name, text) [ZS_TIER_##id] = name,
#define NAME_PROMISE(id, name, text) [ZS_PROMISE_##id] = name,
#define NAME_TASK(id, name, text) [ZS_TASK_##id] = name,
#define NAME_LIMIT(id, name, word, unit, text) [ZS_LIMIT_##id] = #name,

static const char *const access_names[] = { ZS_ACCESSES(NAME_ACCESS) };
static const char *const network_names[] = { ZS_NETWORKS(NAME_NETWORK) };
static const char *const workspace_names[] = { ZS_WORKSPACES(NAME_WORKSPACE) };
static const char *const tmp_names[] = { ZS_TMPS(NAME_TMP) };
static const char *const caches_names[] = { ZS_CACHESES(NAME_CACHES) };
static const char *const git_names[] = { ZS_GITS(NAME_GIT) };
static const char *const tier_names[] = { ZS_TIERS(NAME_TIER) };
static const char *const promise_names[] = { ZS_PROMISES(NAME_PROMISE) };
static const char *const task_names[] = { ZS_TASKS(NAME_TASK) };
static const char *const limit_names[] = { ZS_LIMITS(NAME_LIMIT) };

static const char *name_of(const char *const *names, size_t count, unsigned value)
{
	return value < count ? names[value] : NULL;
}

static int value_of(const char *const *names, size_t count, const char *name, unsigned *ret_value)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			*ret_value = i;
			return 0;
		}
	}
	return -EINVAL;
}

#define DEFINE_NAMES(kind, names)                                                                                      \
	const char *zs_##kind##_name(enum zs_##kind value)                                                             \
	{                                                                                                              \
		return name_of(names, ZS_COUNT(names), (unsigned)value);                                               \
	}                                                                                                              \
                                                                                                                       \
	int zs_##kind##_from_name(const char *name, enum zs_##kind *ret_value)                                         \
	{                                                                                                              \
		unsigned value;                                                                                        \
		int r = value_of(names, ZS_COUNT(names), name, &value);                                                \
                                                                                                                       \
		if (r == 0)                                                                                            \
			*ret_value = (enum zs_##kind)value;                                                            \
		return r;                                                                                              \
	}

DEFINE_NAMES(access, access_names)
DEFINE_NAMES(network, network_names)
DEFINE_NAMES(workspace, workspace_names)
DEFINE_NAMES(tmp, tmp_names)
DEFINE_NAMES(caches, caches_names)
DEFINE_NAMES(git, git_names)
DEFINE_NAMES(tier, tier_names)
DEFINE_NAMES(promise, promise_names)
DEFINE_NAMES(task, task_names)
DEFINE_NAMES(limit, limit_names)
