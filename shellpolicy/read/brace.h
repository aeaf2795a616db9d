/* Brace expansion, on words whose quoting is known byte by byte. */
#ifndef ZS_BRACE_H
#define ZS_BRACE_H

#include "base/arena.h"

#include <stdbool.h>

/* A byte of a word and what it is; a dynamic part is one unit. */
enum zs_unit_kind {
	ZS_UNIT_PLAIN,
	ZS_UNIT_QUOTED,
	ZS_UNIT_DYNAMIC,
	ZS_UNIT_QUOTE, /* no byte: a quoted string began here, so that even an empty one makes a word */
};

struct zs_unit {
	char byte;       /* ZS_UNIT_DYNAMIC: unused */
	uint8_t kind;    /* enum zs_unit_kind */
	uint8_t dynamic; /* index of the reason, word.c */
	bool edge;       /* brace.c: braces in front of it do not close here or behind it */
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

/* Appends the words that `word` expands to, in bash's order; `word` itself when it has no braces to expand.
 * False when they are more than ZS_MAX_WORDS, the braces more than ZS_MAX_BRACES, or of a kind that is not modelled. */
bool zs_brace_expand(struct zs_arena *arena, struct zs_units word, struct zs_units_list *list);

#endif
