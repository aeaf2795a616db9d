#include "policy/approved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "linux/base/mount_calls.h"

static int read_place(int fd, struct zs_approved_place *ret_place)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st) < 0)
		return -errno;
	*ret_place = (struct zs_approved_place){
		.known = true,
		.device = makedev(st.stx_dev_major, st.stx_dev_minor),
		.inode = st.stx_ino,
	};
	if (st.stx_mask & STATX_BTIME) {
		ret_place->born_seconds = (uint64_t)st.stx_btime.tv_sec;
		ret_place->born_nanoseconds = st.stx_btime.tv_nsec;
	}
	return 0;
}

int zs_approved_place_open(const char *real, struct zs_approved_place *ret_place)
{
	int fd = zs_open_place(AT_FDCWD, real);
	int r = fd < 0 ? fd : read_place(fd, ret_place);

	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

int zs_approved_place_check(int fd, const struct zs_approved_place *place)
{
	struct zs_approved_place now;
	bool any = !place || !place->known;
	int r = any ? 0 : read_place(fd, &now);

	if (r < 0 || any)
		return r;
	return now.device == place->device && now.inode == place->inode && now.born_seconds == place->born_seconds &&
			       now.born_nanoseconds == place->born_nanoseconds
		       ? 0
		       : -ESTALE;
}
