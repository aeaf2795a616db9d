#include "settings/settings_keys.h"

#include <string.h>

#define ACCESS_NONE ZS_ACCESS_COUNT
#define ACCESS_EXEC ZS_ACCESS_EXEC
#define ACCESS_READ ZS_ACCESS_READ
#define ACCESS_WRITE ZS_ACCESS_WRITE
#define ACCESS_PROTECT ZS_ACCESS_PROTECT
#define ACCESS_HIDE ZS_ACCESS_HIDE

#define KEY(id, name, type, merge, access, text)                                                                       \
	[ZS_SETTING_KEY_##id] = { name, ZS_SETTING_##type, ZS_MERGE_##merge, ACCESS_##access,                          \
		(enum zs_limit)((int)ZS_SETTING_KEY_##id - (int)ZS_SETTING_KEY_WALL), text },
const struct zs_setting_key zs_setting_keys[ZS_SETTING_KEY_COUNT] = { ZS_SETTING_KEYS(KEY) };

/* The limits come last, in the order of ZS_LIMITS. */
_Static_assert((int)ZS_SETTING_KEY_COUNT - (int)ZS_SETTING_KEY_WALL == (int)ZS_LIMIT_COUNT, "a limit has no key");

#define MERGE(id, text) text,
const char *const zs_merge_texts[ZS_MERGE_COUNT] = { ZS_MERGES(MERGE) };

#define SHELL(id, name, bits) [bits] = name,
static const char *const shell_names[] = { ZS_SHELLS(SHELL) NULL };

#define CACHES(id, name, text) [ZS_CACHES_##id] = name,
static const char *const caches_names[] = { ZS_CACHESES(CACHES) NULL };

const char *const *zs_setting_names(enum zs_setting_type type)
{
	if (type == ZS_SETTING_SHELLS)
		return shell_names;
	return type == ZS_SETTING_CACHES ? caches_names : NULL;
}

const char *const zs_platform_names[ZS_PLATFORM_COUNT] = { NULL, "linux", "macos" };

#define PACK(id, name, text) name,
const char *const zs_pack_names[ZS_PACK_COUNT] = { ZS_PACKS(PACK) };

bool zs_pack_find(const char *name, enum zs_pack *ret_pack)
{
	for (size_t i = 0; i < ZS_PACK_COUNT; i++)
		if (strcmp(zs_pack_names[i], name) == 0) {
			*ret_pack = (enum zs_pack)i;
			return true;
		}
	return false;
}
