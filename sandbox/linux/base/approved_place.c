#include "policy/approved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "linux/base/mount_calls.h"

int zs_approved_place_read(int fd, struct zs_approved_place *ret_place)
{
	struct statx st = { 0 }; /* musl's replacement for statx(2) leaves fields unset */

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

int zs_approved_place_open(const char *real)
{
	return zs_open_place(AT_FDCWD, real);
}
