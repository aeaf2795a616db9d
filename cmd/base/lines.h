/* Lines from a descriptor, with a limit on their length. */
#ifndef ZS_CMD_LINES_H
#define ZS_CMD_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct zs_lines {
	int fd;
	char *buffer;
	size_t size;       /* of the buffer: the longest line and its newline */
	size_t start, end; /* of what was read and not yet given out */
	bool skipping;     /* in the rest of a line that was too long */
	bool at_end;
};

enum zs_line { ZS_LINE_NONE, ZS_LINE_WHOLE, ZS_LINE_TOO_LONG };

/* The next line that is in the buffer, without reading: ZS_LINE_NONE when none is complete. The line, without
 * its newline, lives until the next call; of one that is too long nothing is given. */
enum zs_line zs_lines_next(struct zs_lines *lines, char **ret_line, size_t *ret_len);

/* Reads more, once. 0, also at the end of the input: then at_end is set, and a last line without a newline counts as
 * complete. A negative errno. */
int zs_lines_fill(struct zs_lines *lines);

#endif
