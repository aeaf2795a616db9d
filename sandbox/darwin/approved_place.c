#include "policy/approved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int zs_approved_place_read(int fd, struct zs_approved_place *ret_place)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_place = (struct zs_approved_place){
		.known = true,
		.device = (uint64_t)st.st_dev,
		.inode = (uint64_t)st.st_ino,
		.born_seconds = (uint64_t)st.st_birthtimespec.tv_sec,
		.born_nanoseconds = (uint64_t)st.st_birthtimespec.tv_nsec,
	};
	return 0;
}

/* O_NOFOLLOW_ANY (macOS 11) also follows no link on the way. O_EVTONLY opens only to identify the file (man 2 open). */
int zs_approved_place_open(const char *real)
{
	int fd = open(real, O_EVTONLY | O_NOFOLLOW_ANY | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}
