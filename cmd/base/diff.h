/* A unified diff of two texts. */
#ifndef ZS_CMD_DIFF_H
#define ZS_CMD_DIFF_H

#include <stddef.h>
#include <stdio.h>

enum {
	ZS_DIFF_EDITS_MAX =
		1000, /* beyond it what differs is one hunk: right, and not the shortest. 4 bytes × its square */
	ZS_DIFF_CONTEXT = 3,
};

struct zs_diff_text {
	const char *bytes;
	size_t len;
};

/* The hunks, without the names' lines. -ENOMEM; failing to write is the stream's to remember. */
int zs_diff_hunks(FILE *out, struct zs_diff_text old, struct zs_diff_text new);

#endif
