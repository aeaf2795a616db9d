/* Where each entry of a policy comes from. Entries are only ever added, so who looks after each step knows whose the
 * new ones are. Pure. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/policy.h"
#include "settings/settings.h"

enum list { GRANTS, HOSTS, ENV_PASS, ENV_SET, SOCKETS, LISTS };

enum scalar {
	NETWORK,
	GIT,
	TMP,
	LIMITS,
	WITHOUT = (int)LIMITS + (int)ZS_LIMIT_COUNT,
	WORKSPACE = (int)WITHOUT + (int)ZS_PROMISE_COUNT,
	SCALARS
};

struct zs_sources {
	struct {
		struct zs_source *items;
		size_t count;
	} lists[LISTS];
	struct {
		struct zs_source source;
		uint64_t value;
	} scalars[SCALARS];
	bool begun;
};

int zs_sources_new(struct zs_sources **ret_sources)
{
	struct zs_sources *sources = calloc(1, sizeof *sources);

	if (!sources)
		return -ENOMEM;
	*ret_sources = sources;
	return 0;
}

void zs_sources_free(struct zs_sources *sources)
{
	for (size_t i = 0; sources && i < LISTS; i++)
		free(sources->lists[i].items);
	free(sources);
}

static size_t count_of(const struct zs_policy *policy, enum list list)
{
	const size_t counts[LISTS] = { policy->grant_count, policy->hosts.count, policy->env_pass.count,
		policy->env_set.count, policy->sockets.count };

	return counts[list];
}

static uint64_t settings_sources_value_of(const struct zs_policy *policy, size_t scalar)
{
	if (scalar == NETWORK)
		return policy->network;
	if (scalar == GIT)
		return policy->git;
	if (scalar == TMP)
		return policy->tmp;
	if (scalar == WORKSPACE)
		return policy->workspace_access;
	if (scalar < WITHOUT)
		return zs_policy_limit(policy, (enum zs_limit)(scalar - LIMITS));
	return zs_policy_gives_up(policy, (enum zs_promise)(scalar - WITHOUT));
}

static int note_list(struct zs_sources *sources, const struct zs_policy *policy, enum list list, struct zs_source from)
{
	size_t count = count_of(policy, list);
	struct zs_source *items = realloc(sources->lists[list].items, (count + 1) * sizeof *items);

	if (!items)
		return -ENOMEM;
	sources->lists[list].items = items;
	for (size_t i = sources->lists[list].count; i < count; i++) {
		items[i] = from;
		/* A preset's grant that somebody spelled out is ZS_SANDBOX_RO's or ZS_SANDBOX_RW's. */
		if (list == GRANTS && from.kind == ZS_SOURCE_PRESET && policy->grants[i].origin == ZS_ORIGIN_SPELLED)
			items[i].kind = ZS_SOURCE_ENVIRONMENT;
	}
	sources->lists[list].count = count;
	return 0;
}

int zs_sources_note(struct zs_sources *sources, const struct zs_policy *policy, struct zs_source source)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < LISTS; i++)
		r = note_list(sources, policy, (enum list)i, source);
	for (size_t i = 0; i < SCALARS; i++) {
		uint64_t value = settings_sources_value_of(policy, i);

		if (sources->begun && sources->scalars[i].value == value)
			continue;
		sources->scalars[i].value = value;
		sources->scalars[i].source = source;
	}
	sources->begun = true;
	return r;
}

struct printer {
	const struct zs_sources *sources;
	zs_each_entry *each;
	void *arg;
};

static void put_item(const struct printer *printer, const char *field, const char *value, enum list list, size_t i)
{
	const struct zs_sources *sources = printer->sources;
	struct zs_source source = { ZS_SOURCE_PRESET, 0 };

	if (sources && i < sources->lists[list].count)
		source = sources->lists[list].items[i];
	printer->each(field, value, source, printer->arg);
}

static void put_scalar(const struct printer *printer, const char *field, const char *value, size_t scalar)
{
	struct zs_source source = { ZS_SOURCE_PRESET, 0 };

	if (printer->sources)
		source = printer->sources->scalars[scalar].source;
	printer->each(field, value, source, printer->arg);
}

static void put_strings(
	const struct printer *printer, const char *field, const struct zs_strings *strings, enum list list)
{
	for (size_t i = 0; i < strings->count; i++)
		put_item(printer, field, strings->items[i], list, i);
}

static void put_limits(const struct printer *printer, const struct zs_policy *policy)
{
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++) {
		char field[64], value[32];

		if (!zs_policy_limit(policy, limit))
			continue;
		snprintf(field, sizeof field, "limits.%s", zs_limit_name(limit));
		snprintf(value, sizeof value, "%llu", (unsigned long long)zs_policy_limit(policy, limit));
		put_scalar(printer, field, value, (size_t)LIMITS + limit);
	}
}

void zs_policy_each(const struct zs_policy *policy, const struct zs_sources *sources, zs_each_entry *each, void *arg)
{
	const struct printer printer = { sources, each, arg };
	char field[32];

	if (policy->workspace) {
		snprintf(field, sizeof field, "workspace.%s", zs_workspace_name(policy->workspace_access));
		put_scalar(&printer, field, policy->workspace, WORKSPACE);
	}
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		snprintf(field, sizeof field, "%s%s", grant->public ? "public." : "", zs_access_name(grant->access));
		put_item(&printer, field, grant->path, GRANTS, i);
	}
	put_scalar(&printer, "network", zs_network_name(policy->network), NETWORK);
	put_strings(&printer, "host", &policy->hosts, HOSTS);
	put_scalar(&printer, "git", zs_git_name(policy->git), GIT);
	put_scalar(&printer, "tmp", zs_tmp_name(policy->tmp), TMP);
	put_strings(&printer, "socket", &policy->sockets, SOCKETS);
	put_strings(&printer, "env", &policy->env_pass, ENV_PASS);
	put_strings(&printer, "setenv", &policy->env_set, ENV_SET);
	put_limits(&printer, policy);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (zs_policy_gives_up(policy, promise))
			put_scalar(&printer, "without", zs_promise_name(promise), (size_t)WITHOUT + promise);
}
