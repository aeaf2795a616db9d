/* The packs: settings files that the program holds. Pure. */
#include <string.h>

#include "settings/settings.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

/* Arrays, as a pointer would cost every start a relocation. Each ends in a NUL. */
static const char git_careful[] = {
#embed "packs/git-careful.json"
	, 0
};
static const char cloud[] = {
#embed "packs/cloud.json"
	, 0
};
static const char database[] = {
#embed "packs/database.json"
	, 0
};
static const char publish[] = {
#embed "packs/publish.json"
	, 0
};
static const char secrets[] = {
#embed "packs/secrets.json"
	, 0
};

int zs_pack_read(enum zs_pack pack, struct zs_settings_file *ret_file, struct zs_error *error)
{
#define FILE_NAME(id, name, text) "pack " name,
	static const char *const files[ZS_PACK_COUNT] = { ZS_PACKS(FILE_NAME) };
	const char *texts[ZS_PACK_COUNT] = { git_careful, cloud, database, publish, secrets };
	const struct zs_settings_reading reading = {
		.file = files[pack], .platform = ZS_PLATFORM_ANY, .envp = (char *[]){ NULL }, .error = error
	};

	return zs_settings_parse(&reading, texts[pack], strlen(texts[pack]), ret_file);
}
