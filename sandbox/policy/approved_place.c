#include "policy/approved_place.h"

#include <errno.h>

int zs_approved_place_check(int fd, const struct zs_approved_place *place)
{
	struct zs_approved_place now;
	bool any = !place || !place->known;
	int r = any ? 0 : zs_approved_place_read(fd, &now);

	if (r < 0 || any)
		return r;
	return now.device == place->device && now.inode == place->inode && now.born_seconds == place->born_seconds &&
			       now.born_nanoseconds == place->born_nanoseconds
		       ? 0
		       : -ESTALE;
}
