/* Input: files and paths as they are named on the command line, and lines from a descriptor. */
#ifndef ZS_CMD_INPUT_H
#define ZS_CMD_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a file, or standard input for "-". Stops one byte above max: then *ret_len > max. free() *ret_text.
 * A negative errno. */
int zs_read_input(const char *path, size_t max, char **ret_text, size_t *ret_len);

/* path from the working directory, links unresolved; one that starts with "/" or "~" stays as it is. free()
 * *ret_absolute. -EINVAL when it is empty: an unset variable must not become the working directory. */
int zs_absolute_path(const char *path, char **ret_absolute);

/* Lines from a descriptor, with a limit on their length. */
struct zs_lines {
	int fd;
	char *buffer;
	size_t size;       /* of the buffer: the longest line and its newline */
	size_t start, end; /* of the bytes that were read and not yet given out */
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
