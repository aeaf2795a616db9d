#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_up_to(int fd, size_t max, char *text, size_t *ret_len)
{
	size_t len = 0;

	while (len < max) {
		ssize_t n = read(fd, text + len, max - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	*ret_len = len;
	return 0;
}

int zs_read_input(const char *path, size_t max, char **ret_text, size_t *ret_len)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), r;
	char *text;

	if (fd < 0)
		return -errno;
	text = malloc(max + 1);
	r = text ? read_up_to(fd, max + 1, text, ret_len) : -ENOMEM;
	if (!is_stdin)
		close(fd);
	if (r < 0)
		free(text);
	else
		*ret_text = text;
	return r;
}

int zs_absolute_path(const char *path, char **ret_absolute)
{
	char cwd[PATH_MAX], *absolute;
	size_t size;

	if (path[0] == '\0')
		return -EINVAL;
	if (path[0] == '/' || path[0] == '~') {
		absolute = strdup(path);
		if (!absolute)
			return -ENOMEM;
	} else {
		/* Resolves the "..", which a policy does not take. What does not exist yet keeps its name. */
		absolute = realpath(path, NULL);
	}
	if (!absolute) {
		if (!getcwd(cwd, sizeof cwd))
			return -errno;
		size = strlen(cwd) + 1 + strlen(path) + 1;
		absolute = malloc(size);
		if (!absolute)
			return -ENOMEM;
		snprintf(absolute, size, "%s/%s", cwd, path);
	}
	*ret_absolute = absolute;
	return 0;
}
