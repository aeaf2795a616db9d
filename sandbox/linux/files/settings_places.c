/* Where settings and trust are kept: https://specifications.freedesktop.org/basedir-spec */
#include "settings/settings_places.h"

const struct zs_settings_places zs_settings_places = { ZS_PLATFORM_LINUX, { "XDG_CONFIG_HOME", ".config" },
	{ "XDG_STATE_HOME", ".local/state" }, "/etc/zs" };
