/* A unified diff of two texts. */
#ifndef ZS_CMD_DIFF_H
#define ZS_CMD_DIFF_H

#include <stddef.h>
#include <stdio.h>

enum {
	ZS_DIFF_EDITS_MAX = 1000, /* beyond it all is one hunk, not the shortest; costs its square × 4 bytes */
	ZS_DIFF_CONTEXT = 3,
};

struct zs_diff_text {
	const char *bytes;
	size_t len;
};

/* Prints the hunks, without the header lines that hold the names. -ENOMEM. The stream records a failed write. */
int zs_diff_hunks(FILE *out, struct zs_diff_text old, struct zs_diff_text new);

#endif
