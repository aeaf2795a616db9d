/* The presets of this system. */
#include "policy/preset.h"

static const struct zs_preset_home none[] = { { "", "", "", ZS_ACCESS_HIDE, "" } };

const struct zs_preset_tree *const zs_preset_trees = zs_preset_trees_linux;
const struct zs_preset_home *const zs_preset_homes_here = none;
const uint32_t zs_preset_without = 0;
