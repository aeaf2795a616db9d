#include "base/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum zs_line zs_lines_next(struct zs_lines *lines, char **ret_line, size_t *ret_len)
{
	char *line = lines->buffer + lines->start;
	size_t left = lines->end - lines->start;
	char *newline = memchr(line, '\n', left);

	if (!newline && (!lines->at_end || left == 0)) {
		if (left < lines->size)
			return ZS_LINE_NONE;
		/* A full buffer, and no end in it: answer now, and forget the rest of the line when it comes. */
		lines->start = lines->end;
		if (lines->skipping)
			return ZS_LINE_NONE;
		lines->skipping = true;
		return ZS_LINE_TOO_LONG;
	}
	*ret_line = line;
	*ret_len = newline ? (size_t)(newline - line) : left;
	lines->start += *ret_len + (newline != NULL);
	if (lines->skipping) {
		lines->skipping = false;
		return zs_lines_next(lines, ret_line, ret_len);
	}
	return ZS_LINE_WHOLE;
}

int zs_lines_fill(struct zs_lines *lines)
{
	ssize_t n;

	memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
	do
		n = read(lines->fd, lines->buffer + lines->end, lines->size - lines->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	lines->at_end = n == 0;
	lines->end += (size_t)n;
	return 0;
}
