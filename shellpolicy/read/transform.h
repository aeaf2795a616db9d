/* ${x^^}, ${x#pattern}, ${x/pattern/text}, ${x:1:2}: what they make of a value (man bash, Parameter Expansion). */
#ifndef ZS_TRANSFORM_H
#define ZS_TRANSFORM_H

#include "base/arena.h"

#include <stddef.h>

/* `op` is what stands behind the name. NULL: that form is not modelled. */
const char *zs_transformed(struct zs_arena *arena, const char *value, const char *op, size_t len);

#endif
