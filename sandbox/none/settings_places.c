/* Where settings and trust are kept: on macOS, the one system here, in the user's Library. */
#include "settings/settings_places.h"

const struct zs_settings_places zs_settings_places = { ZS_PLATFORM_MACOS, { NULL, "Library/Application Support" },
	{ NULL, "Library/Application Support" } };
