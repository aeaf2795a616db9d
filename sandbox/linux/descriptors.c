/* Leaves the command descriptors 0, 1 and 2 and no other: an inherited directory, socket or pidfd is a hole that
 * neither Landlock nor a namespace closes. */
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"

/* A standard descriptor that is closed would be taken by the next open. /dev/null instead: reads end, writes vanish. */
static int fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lowest free number, hence fd itself. */
		if (open("/dev/null", O_RDWR) < 0)
			return -errno;
	}
	return 0;
}

/* A directory leads to all of the machine's files: openat(0, "..", …). */
static int check_standard(struct zs_error *error)
{
	static const char *const names[] = { "standard input", "standard output", "standard error" };

	for (int fd = 0; fd <= 2; fd++) {
		struct stat st;

		if (fstat(fd, &st) < 0)
			return zs_error_errno(error, "", names[fd], errno);
		if (!S_ISDIR(st.st_mode))
			continue;
		zs_error_say(error, "", names[fd], EISDIR, "is a directory, and a way out");
		return zs_error_hint(error, -EISDIR, "redirect it to a file or to /dev/null");
	}
	return 0;
}

int zs_stage_descriptors(struct zs_run *run, struct zs_error *error)
{
	int r = fill_standard();

	(void)run;
	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	if (syscall(SYS_close_range, 3u, UINT_MAX, 0u) < 0)
		return zs_error_errno(error, "", "close_range", errno);
	return check_standard(error);
}
