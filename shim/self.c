/* Where this program is, and whether it is a host. */
#include "self.h"

#include <errno.h>
#include <stdio.h>

#ifdef __APPLE__
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>

/* man 3 dyld: as it was started, perhaps by a link or relative to a directory that is not the working one any more;
 * made real it is one place. Should another file have taken that meanwhile, it is that which starts. */
int zs_self_path(char *buffer, size_t size)
{
	char started[PATH_MAX], real[PATH_MAX];
	uint32_t room = sizeof started;
	int len;

	if (_NSGetExecutablePath(started, &room) != 0)
		return -ENAMETOOLONG;
	if (!realpath(started, real))
		return -errno;
	len = snprintf(buffer, size, "%s", real);
	return len > 0 && (size_t)len < size ? 0 : -ENAMETOOLONG;
}
#else
/* The link, not where it points: it starts the very file that is running, even if that has been replaced or deleted
 * since (man 5 proc_pid_exe). */
int zs_self_path(char *buffer, size_t size)
{
	int len = snprintf(buffer, size, "/proc/self/exe");

	return len > 0 && (size_t)len < size ? 0 : -ENAMETOOLONG;
}
#endif

/* The process's, and set before it has a second thread. */
static bool entered;

void zs_shim_enter(void)
{
	entered = true;
}

bool zs_shim_is_entered(void)
{
	return entered;
}
