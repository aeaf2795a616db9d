/* The process runs inside, behind the walls of the box's commands: no path leads it further than them. No program of
 * the box takes part, since a command may have replaced it. */
#include "linux/box_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_file.h"
#include "snapshot.h"

/* Makes the folders above a path. */
static int make_parents(const char *path)
{
	ZS_AUTO_FREE char *folder = strdup(path);

	if (!folder)
		return -ENOMEM;
	for (char *slash = folder + 1; *folder && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(folder, 0755) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

/* O_NONBLOCK: nothing waits for the other end of a fifo. */
static int open_regular(const char *path, int flags, mode_t mode)
{
	ZS_AUTO_FD int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	return ZS_STEAL_FD(fd);
}

/* -EFBIG: there are more bytes than `most`. */
static int copy_all(int from, int to, uint64_t most)
{
	static char bytes[64 * 1024];
	ssize_t len;
	int r = 0;

	while (r == 0 && (len = read(from, bytes, sizeof bytes)) != 0) {
		if (len > 0 && (uint64_t)len > most)
			return -EFBIG;
		most -= len > 0 ? (uint64_t)len : 0;
		r = len < 0 ? (errno == EINTR ? 0 : -errno) : zs_write_all(to, bytes, (size_t)len);
	}
	return r;
}

static int put(const char *path, const char *octal)
{
	mode_t mode = (mode_t)strtoul(octal, NULL, 8);
	ZS_AUTO_FD int fd = -1;
	int r = make_parents(path);

	if (r == 0)
		r = fd = open_regular(path, O_WRONLY | O_CREAT, 0600);
	if (r >= 0 && (ftruncate(fd, 0) < 0 || fchmod(fd, mode) < 0))
		r = -errno;
	return r < 0 ? r : copy_all(STDIN_FILENO, fd, UINT64_MAX);
}

static int get(const char *path, const char *decimal)
{
	uint64_t most = strtoull(decimal, NULL, 10);
	ZS_AUTO_FD int fd = open_regular(path, O_RDONLY, 0);
	struct stat st;

	if (fd < 0)
		return fd;
	/* The size is looked at first, so that a file that is too large writes nothing. It may grow meanwhile. */
	if (fstat(fd, &st) < 0 || (uint64_t)st.st_size > most)
		return -EFBIG;
	return copy_all(fd, STDOUT_FILENO, most);
}

int zs_box_file(enum zs_named_request request, char *const words[])
{
	int r;

	if (request == ZS_NAMED_PACK)
		return zs_snapshot_pack(words[0]);
	if (request == ZS_NAMED_UNPACK)
		return zs_snapshot_unpack(words[0]);
	r = request == ZS_NAMED_PUT ? put(words[0], words[1]) : get(words[0], words[1]);
	if (r == 0)
		return 0;
	dprintf(STDERR_FILENO, "%d", -r);
	return 1;
}
