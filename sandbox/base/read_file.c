#include "base/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"

int zs_read_file(const char *path, char **ret_text)
{
	enum { FIRST = 8192, MOST = 4 << 20 };
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0, room = 0;

	if (fd < 0)
		return -errno;
	for (;;) {
		ssize_t got;

		if (room - len < 2) {
			char *more;

			room = room ? room * 2 : FIRST;
			more = room > MOST ? NULL : realloc(text, room);
			if (!more)
				return room > MOST ? -EFBIG : -ENOMEM;
			text = more;
		}
		got = read(fd, text + len, room - len - 1);
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	text[len] = '\0';
	*ret_text = ZS_STEAL(text);
	return 0;
}

int zs_read_up_to(int fd, size_t max, char *text, size_t *ret_len)
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

int zs_write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}
