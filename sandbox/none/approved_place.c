#include "policy/approved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int zs_approved_place_open(const char *real, struct zs_approved_place *ret_place)
{
	int fd = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		int cause = errno;

		close(fd);
		return -cause;
	}
	*ret_place = (struct zs_approved_place){
		.known = true, .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino
	};
	return fd;
}

int zs_approved_place_check(int fd, const struct zs_approved_place *place)
{
	(void)fd;
	return place && place->known ? -ENOTSUP : 0;
}
