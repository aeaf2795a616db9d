/* How many descriptors the door can have, and so how many connections. */
#include <errno.h>
#include <sys/resource.h>

#include "proxy/door_loop.h"

/* As many as are allowed. */
static int open_files(size_t *ret_files)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	if (files.rlim_max > ZS_DOOR_FILES_MAX)
		files.rlim_max = ZS_DOOR_FILES_MAX;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	*ret_files = (size_t)files.rlim_cur;
	return 0;
}

/* A connection has two sockets and at most two pipes. */
int zs_door_count_connections(struct zs_door *door)
{
	enum { OWN = 64, EACH = 6 };
	size_t files;
	int r = open_files(&files);

	if (r < 0)
		return r;
	if (files < OWN + EACH)
		return -EMFILE;
	door->most = (files - OWN) / EACH;
	if (door->most > ZS_DOOR_CONNECTIONS_MAX)
		door->most = ZS_DOOR_CONNECTIONS_MAX;
	return 0;
}
