/* Where this program is, and whether it is a host. */
#include "self.h"

#include <errno.h>
#include <stdio.h>

#ifdef __APPLE__
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdint.h>
#include <stdlib.h>

/* The path is as the program was started (man 3 dyld): perhaps by a link, or relative to an earlier working directory.
 * So it is resolved. If another file has replaced the program meanwhile, that file starts. */
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
/* Returns the link itself and not its target: it starts the file that is running, even if that was replaced or deleted
 * (man 5 proc_pid_exe). */
int zs_self_path(char *buffer, size_t size)
{
	int len = snprintf(buffer, size, "/proc/self/exe");

	return len > 0 && (size_t)len < size ? 0 : -ENAMETOOLONG;
}
#endif

/* Set before the process has a second thread. */
static bool entered;

void zs_shim_enter(void)
{
	entered = true;
}

bool zs_shim_is_entered(void)
{
	return entered;
}
