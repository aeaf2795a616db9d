#include "policy/approved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int approved_place_read_place(int fd, struct zs_approved_place *ret_place)
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

/* O_NOFOLLOW_ANY (macOS 11): no link on the way either. O_EVTONLY: only to look (man 2 open). */
int zs_approved_place_open(const char *real, struct zs_approved_place *ret_place)
{
	int fd = open(real, O_EVTONLY | O_NOFOLLOW_ANY | O_NONBLOCK | O_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	r = approved_place_read_place(fd, ret_place);
	if (r < 0)
		close(fd);
	return r < 0 ? r : fd;
}

int zs_approved_place_check(int fd, const struct zs_approved_place *place)
{
	struct zs_approved_place now;
	bool any = !place || !place->known;
	int r = any ? 0 : approved_place_read_place(fd, &now);

	if (r < 0 || any)
		return r;
	return now.device == place->device && now.inode == place->inode && now.born_seconds == place->born_seconds &&
			       now.born_nanoseconds == place->born_nanoseconds
		       ? 0
		       : -ESTALE;
}
