#include "admin/require.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"

/* This name is no feature: it stands for all that the default policy needs. */
static const char mount_tier[] = "mount-tier";

static const struct zs_feature *require_find(const struct zs_feature *features, const char *name, size_t len)
{
	static const struct zs_feature tier = { .name = mount_tier, .needed_by = "the default policy, whole" };

	if (len == strlen(mount_tier) && memcmp(name, mount_tier, len) == 0)
		return &tier;
	for (size_t i = 0; i < ZS_FEATURE_COUNT; i++)
		if (strlen(features[i].name) == len && memcmp(features[i].name, name, len) == 0)
			return &features[i];
	return NULL;
}

static bool require_add(struct zs_required *required, const struct zs_feature *features, const char *name, size_t len)
{
	const struct zs_feature *feature = require_find(features, name, len);

	if (feature && required->count < ZS_REQUIRED_MAX) {
		required->items[required->count++] = *feature;
		return true;
	}
	if (feature)
		zs_complain("--require: there are more than %d names; name each once", ZS_REQUIRED_MAX);
	else
		zs_complain("--require: '%.*s': is neither mount-tier nor what 'zs doctor' names", (int)len, name);
	return false;
}

bool zs_require(const struct zs_option_list *lists, const struct zs_feature *features, struct zs_required *ret_required)
{
	ret_required->count = 0;
	for (size_t i = 0; i < lists->count; i++) {
		const char *name = lists->items[i];

		for (;; name++) {
			size_t len = strcspn(name, ",");

			if (!require_add(ret_required, features, name, len))
				return false;
			name += len;
			if (!*name)
				break;
		}
	}
	return true;
}

struct zs_feature *zs_required_tier(struct zs_required *required)
{
	for (size_t i = 0; i < required->count; i++)
		if (strcmp(required->items[i].name, mount_tier) == 0)
			return &required->items[i];
	return NULL;
}

bool zs_require_met(const struct zs_required *required)
{
	bool met = true;

	for (size_t i = 0; i < required->count; i++) {
		if (required->items[i].present)
			continue;
		zs_complain("doctor: %s: is required, and missing here", required->items[i].name);
		met = false;
	}
	return met;
}
