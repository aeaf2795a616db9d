/* Brace expansion of words. The quoting of each byte is known. */
#ifndef ZS_BRACE_H
#define ZS_BRACE_H

#include "base/arena.h"

#include <stdbool.h>

/* The kind of a unit. A unit is a byte of a word, or a dynamic part of it. */
enum zs_unit_kind {
	ZS_UNIT_PLAIN,
	ZS_UNIT_QUOTED,
	ZS_UNIT_DYNAMIC,
	ZS_UNIT_QUOTE, /* not a byte: a quoted string begins here, so that even an empty one makes a word */
};

struct zs_unit {
	char byte;       /* ZS_UNIT_DYNAMIC: unused */
	uint8_t kind;    /* enum zs_unit_kind */
	uint8_t dynamic; /* enum zs_dynamic: the reason, for ZS_UNIT_DYNAMIC */
	bool edge;       /* for brace.c: a brace in front of this unit closes neither here nor behind */
};

struct zs_units {
	struct zs_unit *items;
	uint32_t count, capacity;
};

struct zs_units_list {
	struct zs_units *items;
	uint32_t count, capacity;
};

#define ZS_MAX_BRACES 256 /* opening braces in a word */

/* Appends the words that `word` expands to, in bash's order; `word` itself if it has no braces to expand. False: the
 * words are more than ZS_MAX_WORDS, the braces more than ZS_MAX_BRACES, or their form is not modelled. */
bool zs_brace_expand(struct zs_arena *arena, struct zs_units word, struct zs_units_list *list);

#endif
