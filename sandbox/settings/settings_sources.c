/* Keeps the source of each entry of a policy: after each step the caller notes the source of the new entries. Pure. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/policy.h"
#include "settings/settings.h"

enum { FIELD_BYTES = 32 };

struct entry {
	char field[FIELD_BYTES];
	char *value;
	struct zs_source source;
};

/* The entries that were noted last, in the order of walk(). */
struct zs_sources {
	struct entry *items;
	size_t count;
	bool failed; /* memory ran out */
};

int zs_sources_new(struct zs_sources **ret_sources)
{
	struct zs_sources *sources = calloc(1, sizeof *sources);

	if (!sources)
		return -ENOMEM;
	*ret_sources = sources;
	return 0;
}

static void drop_entries(struct zs_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		free(sources->items[i].value);
	free(sources->items);
}

void zs_sources_free(struct zs_sources *sources)
{
	if (sources)
		drop_entries(sources);
	free(sources);
}

/* A walk over a policy's entries. */
struct walk {
	const struct zs_sources *known; /* may be NULL */
	size_t at;                      /* index in known: entries keep their order */
	struct zs_source otherwise,
		spelled; /* the sources of an entry that is not in known, and of a grant that was spelled out */
	zs_each_entry *each;
	void *arg;
};

static void pass(struct walk *walk, const char *field, const char *value, bool spelled)
{
	struct zs_source source = spelled ? walk->spelled : walk->otherwise;

	for (size_t i = walk->at; walk->known && i < walk->known->count; i++) {
		const struct entry *entry = &walk->known->items[i];

		if (strcmp(entry->field, field) != 0 || strcmp(entry->value, value) != 0)
			continue;
		source = entry->source;
		walk->at = i + 1;
		break;
	}
	walk->each(field, value, source, walk->arg);
}

static void pass_strings(struct walk *walk, const char *field, const struct zs_strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		pass(walk, field, strings->items[i], false);
}

static void pass_all(struct walk *walk, const struct zs_policy *policy)
{
	char field[FIELD_BYTES], value[32];

	if (policy->workspace) {
		snprintf(field, sizeof field, "workspace.%s", zs_workspace_name(policy->workspace_access));
		pass(walk, field, policy->workspace, false);
	}
	if (policy->root)
		pass(walk,
			policy->users       ? "root.users"
			: policy->root_user ? "root.root_user"
					    : "root",
			policy->root, false);
	if (policy->git_base)
		pass(walk, "git_base", policy->git_base, false);
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];

		if (zs_policy_leaves_out(policy, grant))
			continue;
		snprintf(field, sizeof field, "%s%s", grant->public ? "public." : "",
			zs_access_name(zs_policy_access(policy, grant)));
		pass(walk, field, grant->path, grant->origin == ZS_ORIGIN_SPELLED);
	}
	for (size_t i = 0; i < policy->pattern_count; i++)
		pass(walk, zs_access_name(policy->patterns[i].access), policy->patterns[i].text, false);
	pass(walk, "network", zs_network_name(policy->network), false);
	pass_strings(walk, "host", &policy->hosts);
	pass(walk, "git", zs_git_name(policy->git), false);
	pass(walk, "tmp", zs_tmp_name(policy->tmp), false);
	pass(walk, "caches", zs_caches_name(policy->caches), false);
	pass_strings(walk, "socket", &policy->sockets);
	pass_strings(walk, "env", &policy->env_pass);
	pass_strings(walk, "setenv", &policy->env_set);
	for (enum zs_limit limit = 0; limit < ZS_LIMIT_COUNT; limit++) {
		if (!zs_policy_limit(policy, limit))
			continue;
		snprintf(field, sizeof field, "limits.%s", zs_limit_name(limit));
		snprintf(value, sizeof value, "%llu", (unsigned long long)zs_policy_limit(policy, limit));
		pass(walk, field, value, false);
	}
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (zs_policy_gives_up(policy, promise))
			pass(walk, "without", zs_promise_name(promise), false);
}

void zs_policy_each(const struct zs_policy *policy, const struct zs_sources *sources, zs_each_entry *each, void *arg)
{
	struct walk walk = { .known = sources, .each = each, .arg = arg }; /* all other entries are the preset's */

	pass_all(&walk, policy);
}

static void note_entry(const char *field, const char *value, struct zs_source source, void *arg)
{
	struct zs_sources *fresh = arg;
	struct entry *items = zs_with_room(fresh->items, fresh->count, sizeof *items);
	char *copy = items ? strdup(value) : NULL;

	if (items)
		fresh->items = items;
	fresh->failed |= !copy;
	if (!copy)
		return;
	items[fresh->count] = (struct entry){ .value = copy, .source = source };
	snprintf(items[fresh->count++].field, FIELD_BYTES, "%s", field);
}

int zs_sources_note(struct zs_sources *sources, const struct zs_policy *policy, struct zs_source source)
{
	struct zs_sources fresh = { 0 };
	struct walk walk = {
		.known = sources, .otherwise = source, .spelled = source, .each = note_entry, .arg = &fresh
	};

	/* The preset spells out only the grants of ZS_SANDBOX_RO and ZS_SANDBOX_RW. */
	if (source.kind == ZS_SOURCE_PRESET)
		walk.spelled.kind = ZS_SOURCE_ENVIRONMENT;
	pass_all(&walk, policy);
	drop_entries(fresh.failed ? &fresh : sources);
	if (fresh.failed)
		return -ENOMEM;
	*sources = fresh;
	return 0;
}
