#ifndef ZS_FOLDERS_H
#define ZS_FOLDERS_H

#include "rules/rule.h"

struct zs_folders {
	const char **items;
	uint32_t count, capacity;
	bool unknown; /* there are others */
};

/* The folders in which each command may run; *ret_seen: all of them. */
struct zs_folders *zs_folders_of(const struct zs_places *places, const struct zs_ir *ir, struct zs_folders *ret_seen);
void zs_folders_join(struct zs_arena *arena, struct zs_folders *set, const struct zs_folders *more);

/* The command whose word holds the text of the command; -1: the given text holds it. */
int32_t zs_holder_of(struct zs_arena *arena, const struct zs_ir *ir, uint32_t index);

/* Is the path a place in which a command may run? */
bool zs_is_place_to_be(const struct zs_path *path);
/* Does cd VALUE lead to such a place from one of the folders? */
bool zs_stays(const struct zs_places *places, const struct zs_folders *folders, const char *value, bool dynamic);

bool zs_is_cd(const struct zs_command *command);
/* The folder's word; NULL: none is named. */
const struct zs_word *zs_cd_target(const struct zs_command *command);

#endif
