#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_file.h"

int zs_read_input(const char *path, size_t max, char **ret_text, size_t *ret_len)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), r;
	char *text;

	if (fd < 0)
		return -errno;
	text = malloc(max + 1);
	r = text ? zs_read_up_to(fd, max + 1, text, ret_len) : -ENOMEM;
	if (!is_stdin)
		close(fd);
	if (r < 0)
		free(text);
	else
		*ret_text = text;
	return r;
}

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 || S_ISLNK(st.st_mode);
}

/* Appends the components of `path` to `full`. Links stay unresolved: the library judges where each one leads, and who
 * may have made it. A ".." removes the component before it, unless that is a link or missing: then the ".." stays, and
 * the policy refuses the path. */
static void input_append(char *full, const char *path)
{
	size_t end = strlen(full);

	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && memcmp(path, "..", 2) == 0 && (!*full || !is_link(full))) {
			char *slash = strrchr(full, '/');

			if (slash)
				*slash = '\0';
			end = strlen(full);
		} else if (len > 0 && !(len == 1 && path[0] == '.')) {
			full[end++] = '/';
			memcpy(full + end, path, len);
			end += len;
			full[end] = '\0';
		}
		path += len;
	}
	if (end == 0)
		memcpy(full, "/", 2);
}

int zs_absolute_path(const char *path, char **ret_absolute)
{
	bool whole = path[0] == '/' || path[0] == '~';
	char cwd[PATH_MAX], *absolute;

	if (path[0] == '\0')
		return -EINVAL;
	if (!whole && !getcwd(cwd, sizeof cwd))
		return -errno;
	absolute = whole ? strdup(path) : malloc(strlen(cwd) + strlen(path) + 2);
	if (!absolute)
		return -ENOMEM;
	if (!whole) {
		strcpy(absolute, strcmp(cwd, "/") == 0 ? "" : cwd);
		input_append(absolute, path);
	}
	*ret_absolute = absolute;
	return 0;
}

enum zs_line zs_lines_next(struct zs_lines *lines, char **ret_line, size_t *ret_len)
{
	char *line = lines->buffer + lines->start;
	size_t left = lines->end - lines->start;
	char *newline = memchr(line, '\n', left);

	if (!newline && (!lines->at_end || left == 0)) {
		if (left < lines->size)
			return ZS_LINE_NONE;
		/* The buffer is full and holds no newline: report the line now, and skip the rest of it as it
		 * arrives. */
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
