/* Where this program is. */
#include "self.h"

#include <errno.h>
#include <stdio.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <stdint.h>

int zs_self_path(char *buffer, size_t size)
{
	uint32_t room = (uint32_t)size;

	return _NSGetExecutablePath(buffer, &room) == 0 ? 0 : -ENAMETOOLONG;
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
