/* The strict reader: a reading of bash of our own, by bash's rules of token recognition (man bash, DEFINITIONS to
 * REDIRECTION; POSIX XCU 2.2, 2.3, 2.10), that knows nothing of tree-sitter. It yields the raw commands; agree.c
 * compares its spans with the tree's. It refuses each construct that it does not model: it never guesses. */
#ifndef ZS_STRICT_H
#define ZS_STRICT_H

#include "read/raw.h"

struct zs_marks {
	struct zs_mark *items;
	uint32_t count, capacity;
};

struct zs_reading {
	struct zs_raw raw;
	struct zs_marks marks; /* ordered by start; an outer mark stands before those in it */
	/* The text for the parser, of the same length: constructs that tree-sitter-bash is known to misread are plain
	 * bytes in it, since the strict reader alone reads them. NULL: the text needs no change. */
	char *masked;
	bool plain; /* only simple words and operators, so the two readings cannot differ
		       (tests/shellpolicy/strict_reader.c) */
	enum zs_agreement agreement;
	struct zs_marks tree; /* ZS_AGREED and ZS_DIFFERS: the marks of the tree */
};

/* Reads the whole text. False: it is refused, and a finding says why. */
bool zs_strict_read(struct zs_build *build, const struct zs_pending_text *pending, struct zs_reading *ret_reading);

/* Finds bytes that no reader models: control characters and broken UTF-8. Returns ZS_REFUSE_NOTHING if there are none;
 * else *ret_at is the offset of the first. */
enum zs_refusal zs_refused_bytes(const char *text, size_t len, uint32_t *ret_at);

/* dialect.c: notes what the text's shell does otherwise throughout a text, and refuses what ksh reads otherwise. */
void zs_take_shell(struct zs_build *build, const struct zs_pending_text *pending);

#endif
