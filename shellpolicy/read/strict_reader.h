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
	struct zs_marks marks; /* by start; an outer one before those that it holds */
	/* The text for the parser, of the same length: what tree-sitter-bash is known to misread (parser-facts.md, B,
	 * E, F, H, J) has been replaced by plain bytes, since the strict reader alone reads it. NULL: the text as it
	 * is. */
	char *masked;
	bool plain; /* simple words and operators only: the two readings cannot differ
		       (tests/shellpolicy/strict_reader.c) */
	enum zs_agreement agreement;
	struct zs_marks tree; /* ZS_AGREED and ZS_DIFFERS: what the tree shows */
};

/* Reads the whole text. False: it is refused, and the finding says why. */
bool zs_strict_read(struct zs_build *build, const struct zs_pending_text *pending, struct zs_reading *ret_reading);

/* Bytes that no reading models: control characters and broken UTF-8. ZS_REFUSE_NOTHING when there are none; else
 * *ret_at is the first. */
enum zs_refusal zs_refused_bytes(const char *text, size_t len, uint32_t *ret_at);

/* agree.c: parses what the strict reader has read and compares. False: the readings differ, or a limit was reached; the
 * finding says where. Where the parser reports an error in what the strict reader fully understands, the strict reader
 * carries it alone. */
struct zs_grammar;
bool zs_agree(struct zs_build *build, const struct zs_grammar *grammar, const struct zs_pending_text *pending,
	struct zs_reading *reading);

#endif
