/* The names of changes. */
#include "zs_overlay.h"

#include "base/cleanup.h"

#define ZS_NAME_CHANGE(id, name) name,
#define ZS_NAME_HELD(id, name, text) name,
#define ZS_TEXT_HELD(id, name, text) text,

static const char *const kinds[] = { ZS_CHANGES(ZS_NAME_CHANGE) };
static const char *const helds[] = { ZS_HELDS(ZS_NAME_HELD) };
static const char *const reasons[] = { ZS_HELDS(ZS_TEXT_HELD) };

const char *zs_change_name(enum zs_change_kind kind)
{
	return (size_t)kind < ZS_COUNT(kinds) ? kinds[kind] : NULL;
}

const char *zs_held_name(enum zs_held held)
{
	return (size_t)held < ZS_COUNT(helds) ? helds[held] : NULL;
}

const char *zs_held_text(enum zs_held held)
{
	return (size_t)held < ZS_COUNT(reasons) ? reasons[held] : NULL;
}

bool zs_change_applies(const struct zs_change *change, const struct zs_overlay_options *options)
{
	return change->held == ZS_HELD_NOT || (change->held == ZS_HELD_GIT && options->git);
}
