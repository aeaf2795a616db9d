/* Input: files and paths that the command line names, and lines from a descriptor. */
#ifndef ZS_CMD_INPUT_H
#define ZS_CMD_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a file, or standard input for "-". It reads at most max + 1 bytes: *ret_len > max means that the input is too
 * long. free() *ret_text. Returns 0 or a negative errno. */
int zs_read_input(const char *path, size_t max, char **ret_text, size_t *ret_len);

/* Makes path absolute, from the working directory, with links unresolved. A path that starts with "/" or "~" stays as
 * it is. free() *ret_absolute. -EINVAL for an empty path: an unset variable must not become the working directory. */
int zs_absolute_path(const char *path, char **ret_absolute);

/* Lines from a descriptor, with a limit on their length. */
struct zs_lines {
	int fd;
	char *buffer;
	size_t size;       /* of the buffer: the longest line and its newline */
	size_t start, end; /* the range of bytes that were read and not yet returned */
	bool skipping;     /* inside the rest of a line that was too long */
	bool at_end;
};

enum zs_line { ZS_LINE_NONE, ZS_LINE_WHOLE, ZS_LINE_TOO_LONG };

/* Returns the next line of the buffer without reading more: ZS_LINE_NONE if none is complete. The line has no newline,
 * and is valid until the next call. For a line that is too long *ret_line is not set. */
enum zs_line zs_lines_next(struct zs_lines *lines, char **ret_line, size_t *ret_len);

/* Reads once. Returns 0 or a negative errno. At the end of the input it returns 0 and sets at_end; then a last line
 * without a newline counts as complete. */
int zs_lines_fill(struct zs_lines *lines);

#endif
