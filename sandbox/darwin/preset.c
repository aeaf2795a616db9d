/* The presets of this system. */
#include "policy/preset.h"

const struct zs_preset_tree *const zs_preset_trees = zs_preset_trees_macos;
const struct zs_preset_home *const zs_preset_homes_here = zs_preset_homes_macos;
const uint32_t zs_preset_without = ZS_PRESET_WITHOUT_MACOS;
