#include "settings/settings_keys.h"

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
const char *const zs_shell_names[] = { ZS_SHELLS(SHELL) NULL };

const char *const zs_platform_names[ZS_PLATFORM_COUNT] = { NULL, "linux", "macos" };
