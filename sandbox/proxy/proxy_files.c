/* How many descriptors the proxy can have, and so how many connections. */
#include <errno.h>
#include <sys/resource.h>

#include "proxy/proxy_loop.h"

/* As many as are allowed. */
static int open_files(size_t *ret_files)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	if (files.rlim_max > ZS_PROXY_FILES_MAX)
		files.rlim_max = ZS_PROXY_FILES_MAX;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files) < 0)
		return -errno;
	*ret_files = (size_t)files.rlim_cur;
	return 0;
}

/* A connection has two sockets and at most two pipes. */
int zs_proxy_count_connections(struct zs_proxy *proxy)
{
	enum { OWN = 64, EACH = 6 };
	size_t files;
	int r = open_files(&files);

	if (r < 0)
		return r;
	if (files < OWN + EACH)
		return -EMFILE;
	proxy->most = (files - OWN) / EACH;
	if (proxy->most > ZS_PROXY_CONNECTIONS_MAX)
		proxy->most = ZS_PROXY_CONNECTIONS_MAX;
	return 0;
}
