#include <stddef.h>

#include "zs_tracker.h"

#define NAME(id, name) [ZS_TRACKER_##id] = name,
static const char *const names[] = { ZS_TRACKER_KINDS(NAME) };

const char *zs_tracker_kind_name(enum zs_tracker_kind kind)
{
	return (unsigned)kind < ZS_TRACKER_KIND_COUNT ? names[kind] : NULL;
}
